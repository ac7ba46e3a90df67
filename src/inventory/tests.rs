//! Tests of the stage, and the helpers of its modules' tests.

use std::path::Path;
use std::process::Command;

use gix::ObjectId;

use super::attributes::Attributes;
use super::{Content, Inventory, InventoryRules, Role, classify};
use crate::checkout::{Mode, Snapshot, SnapshotFile};

const RULES: &str = include_str!("../../rubric/inventory.toml");

/// The rules of the rubric.
pub fn rules() -> InventoryRules {
    InventoryRules::parse(RULES).unwrap()
}

fn entry(path: &str, mode: Mode) -> SnapshotFile {
    SnapshotFile {
        path: path.to_owned(),
        mode,
        id: ObjectId::null(gix::hash::Kind::Sha1),
    }
}

/// The inventory of regular files at `paths`.
pub fn inventory(paths: &[&str], subpath: Option<&str>) -> Inventory {
    let files: Vec<_> = paths.iter().map(|path| entry(path, Mode::File)).collect();
    Inventory::sort(&files, &Attributes::default(), &rules(), subpath)
}

#[test]
fn files_keep_their_place_in_the_snapshot() {
    let files = [
        entry("a", Mode::Symlink),
        entry("b", Mode::Submodule),
        entry("c.py", Mode::File),
        entry("d.sh", Mode::Executable),
    ];
    let taken = Inventory::sort(&files, &Attributes::default(), &rules(), None);
    let places: Vec<_> = taken
        .files
        .iter()
        .map(|file| (file.snapshot_index, file.path.as_str()))
        .collect();
    assert_eq!(places, [(2, "c.py"), (3, "d.sh")]);
    assert_eq!(
        (taken.symlinks, taken.submodules),
        (vec!["a".into()], vec!["b".into()])
    );
    assert!(taken.files.iter().all(|file| file.in_subpath));
}

#[test]
fn a_subpath_keeps_what_bears_on_it() {
    let paths = [
        ".github/workflows/ci.yml",
        "LICENSE",
        "README.md",
        "docker/compose.yaml",
        "docs/guide.md",
        "lib/shared.py",
        "pyproject.toml",
        "servers/NOTICE",
        "servers/mail/Dockerfile",
        "servers/mail/main.py",
        "servers/mail/pyproject.toml",
        "servers/mailer/main.py",
        "servers/other/Dockerfile",
        "servers/other/README.md",
        "servers/other/pyproject.toml",
    ];
    for subpath in ["servers/mail", "./servers/mail/"] {
        let taken = inventory(&paths, Some(subpath));
        let kept = |inside: bool| -> Vec<&str> {
            let files = taken.files.iter().filter(|file| file.in_subpath == inside);
            files.map(|file| file.path.as_str()).collect()
        };
        assert_eq!(
            kept(true),
            [
                "servers/mail/Dockerfile",
                "servers/mail/main.py",
                "servers/mail/pyproject.toml"
            ]
        );
        assert_eq!(
            kept(false),
            [
                ".github/workflows/ci.yml",
                "LICENSE",
                "README.md",
                "docker/compose.yaml",
                "pyproject.toml",
                "servers/NOTICE",
            ]
        );
    }
}

#[test]
fn a_subpath_without_files_is_empty() {
    let taken = inventory(&["LICENSE", "a/b.py", "ab/c.py"], Some("a/c"));
    assert!(taken.files.iter().all(|file| !file.in_subpath));
}

#[test]
fn attributes_come_before_the_rules() {
    let paths = [
        "docs/a.md",
        "dist/b.js",
        "lib/c.py",
        "lib/d.py",
        "vendor/e.go",
    ];
    let files: Vec<_> = paths.iter().map(|path| entry(path, Mode::File)).collect();
    let text = "dist/** -linguist-generated\nlib/c.py linguist-vendored\nlib/d.py linguist-documentation\nvendor/** linguist-vendored=false\n";
    let attributes = Attributes::new(&[(String::new(), text.to_owned())], 10);
    let taken = Inventory::sort(&files, &attributes, &rules(), None);
    let roles = taken.files.iter().map(|file| (file.role, file.disowned));
    assert_eq!(
        roles.collect::<Vec<_>>(),
        [
            (Role::Documentation, false),
            (Role::Source, false),
            (Role::Source, true),
            (Role::Source, true),
            (Role::Source, false),
        ]
    );
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
    ];
    let command = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(identity)
        .args(arguments)
        .output();
    let output = command.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_snapshot_is_taken_with_its_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("main.go", "package main\n");
    write("lib/copied.go", "package lib\n");
    write("lib/own.go", "package lib\n");
    write(".gitattributes", "lib/** linguist-vendored\n");
    write("lib/.gitattributes", "own.go -linguist-vendored\n");
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-qm", "a"]);
    let snapshot = Snapshot::open(folder.path(), None).unwrap();
    let taken = Inventory::take(&snapshot, &rules(), None);
    let roles: Vec<_> = taken
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.role, file.disowned))
        .collect();
    assert_eq!(
        roles,
        [
            (".gitattributes", Role::Tooling, false),
            ("lib/.gitattributes", Role::Vendored, false),
            ("lib/copied.go", Role::Source, true),
            ("lib/own.go", Role::Source, false),
            ("main.go", Role::Source, false),
        ]
    );
    assert!(taken.unread_attributes.is_empty());
}

#[test]
fn contents_are_told_apart() {
    let rules = rules();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let long_line = format!("a();{}\n", "b();".repeat(1000));
    let cases: [(&[u8], Content); 12] = [
        (b"", Content::Text),
        ("prïnt('a')\n".as_bytes(), Content::Text),
        (pointer.as_bytes(), Content::LfsPointer),
        (b"\x89PNG\r\n\0\x01", Content::Binary),
        (b"caf\xe9\n", Content::Undecodable),
        (b"\xff\xfea\0\n\0", Content::Undecodable),
        (long_line.as_bytes(), Content::Minified),
        (
            b"// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n",
            Content::Generated,
        ),
        (
            b"#!/usr/bin/env python\n# This file was auto-generated by a tool.\n",
            Content::Generated,
        ),
        (b"/**\n * @generated by codegen\n */\n", Content::Generated),
        (
            b"\"\"\"Client\n\n    Generated by OpenAPI Generator (https://a)\n\"\"\"\n",
            Content::Generated,
        ),
        (b"// <auto-generated/>\n", Content::Generated),
    ];
    for (bytes, expected) in cases {
        assert_eq!(
            classify(bytes, &rules.limits),
            expected,
            "{:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn what_only_speaks_of_generating_is_text() {
    let rules = rules();
    let texts = [
        "const HEADER = \"// Code generated by x. DO NOT EDIT.\";\n".to_owned(),
        "\t\"// Code generated by x. DO NOT EDIT.\",\n".to_owned(),
        "// Code generated by a scaffold, yours to fill in.\n".to_owned(),
        "import { a } from \"@generated/b\";\n".to_owned(),
        "# id of the row, auto-generated if not provided\n".to_owned(),
        "# commands auto generated by Alembic - please adjust!\n".to_owned(),
        "\"\"\"Answers generated by the model.\"\"\"\n".to_owned(),
        format!(
            "{}// Code generated by x. DO NOT EDIT.\n",
            "a()\n".repeat(20)
        ),
    ];
    for text in texts {
        assert_eq!(
            classify(text.as_bytes(), &rules.limits),
            Content::Text,
            "{text}"
        );
    }
}

#[test]
fn one_long_line_among_short_ones_is_text() {
    let text = format!("{}{}\n", "short()\n".repeat(100), "x".repeat(3000));
    assert_eq!(classify(text.as_bytes(), &rules().limits), Content::Text);
}

/// The rules with `from` replaced, once.
fn broken(from: &str, to: &str) -> String {
    assert!(RULES.contains(from), "{from}");
    let text = RULES.replacen(from, to, 1);
    InventoryRules::parse(&text).unwrap_err().to_string()
}

#[test]
fn wrong_rules_are_refused_with_their_line() {
    let line = |needle: &str| {
        RULES
            .lines()
            .position(|line| line.contains(needle))
            .unwrap()
            + 1
    };
    let cases = [
        ("header_lines = 20", "header_line = 20", "unknown field"),
        (
            "max_config_depth = 64",
            "max_config_depth = 201",
            "at most 200",
        ),
        (
            "extensions = [\"cs\"]",
            "extensions = [\"py\"]",
            "`py` has a language already",
        ),
        ("name = \"csharp\"", "name = \"go\"", "`go` stands twice"),
        ("\"*.gen.go\"", "\"*.gen.{go\"", "unclosed alternate"),
        ("@generated\\b", "(@generated\\b", "unclosed group"),
        (
            "languages = [\"notebook\"]",
            "languages = [\"jupyter\"]",
            "no language is called `jupyter`",
        ),
        (
            "role = \"vendored\"",
            "role = \"copied\"",
            "unknown variant `copied`",
        ),
        (
            "folders = [\".*\"]",
            "",
            "needs `folders`, `files` or `paths`",
        ),
    ];
    for (from, to, expected) in cases {
        let message = broken(from, to);
        assert!(message.contains(expected), "{message}");
        let found: usize = message[5..message.find(':').unwrap()].parse().unwrap();
        let expected_line = line(from);
        // A rule or table as a whole is named by the line where it begins.
        assert!(
            (expected_line.saturating_sub(12)..=expected_line).contains(&found),
            "{message}"
        );
    }
}

#[test]
fn an_example_that_is_scored_is_a_program() {
    let paths = [
        "examples/agent/main.py",
        "examples/agent/tests/test_main.py",
        "examples/other.py",
    ];
    let taken = inventory(&paths, Some("examples/agent"));
    let roles: Vec<Role> = taken.files.iter().map(|file| file.role).collect();
    assert_eq!(roles, [Role::Source, Role::Test]);
}
