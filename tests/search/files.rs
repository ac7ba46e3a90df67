//! Which files are searched.

use audit::search::SearchEngine;

use super::repository::{Repository, check, refusal};

#[test]
fn hidden_files_are_searched_when_asked_for_or_named_or_matched_by_a_glob() {
    let repository = Repository::new(&[
        ("a.txt", b"needle\n"),
        (".env", b"needle\n"),
        (".github/ci.yml", b"needle\n"),
        ("src/.hidden.txt", b"needle\n"),
        ("src/b.txt", b"needle\n"),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle", ".", 2),
            ("rg -n needle --hidden -g '!.git'", ".", 5),
            ("rg -n needle", ".env", 1),
            ("rg -n needle", ".github", 1),
            ("rg -n needle", "./src/", 1),
            ("rg -n needle -g '.env*'", ".", 1),
            ("rg -n needle -g '*.yml'", ".", 0),
            ("rg -n needle -g '*.yml'", ".env", 1),
        ],
    );
}

#[test]
fn ignore_files_are_obeyed_for_tracked_files_too() {
    let repository = Repository::new(&[
        (
            ".gitignore",
            b"*.log\nnode_modules/\n/out/*.go\ndocs/**/tmp\n!.env.example\n# a comment\n\\#x\n",
        ),
        ("a.log", b"needle\n"),
        ("#x", b"needle\n"),
        (".env.example", b"needle\n"),
        ("src/b.log", b"needle\n"),
        ("src/node_modules/c.js", b"needle\n"),
        ("src/d.txt", b"needle\n"),
        ("out/e.go", b"needle\n"),
        ("out/keep.go", b"needle\n"),
        ("out/.gitignore", b"!keep.go\n"),
        ("docs/x/tmp/f.md", b"needle\n"),
        ("docs/g.md", b"needle\n"),
        ("keys/.ignore", b"*.key\n!ok.key\n"),
        ("keys/a.key", b"needle\n"),
        ("keys/ok.key", b"needle\n"),
        ("logs/.rgignore", b"!h.log\n"),
        ("logs/h.log", b"needle\n"),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle", ".", 6),
            ("rg -n needle --no-ignore", ".", 12),
            ("rg -n needle --no-ignore --hidden -g '!.git'", ".", 13),
            ("rg -n needle", "src", 1),
            ("rg -n needle", "src/node_modules", 1),
            ("rg -n needle", "out/e.go", 1),
            ("rg -n needle", "'#x' a.log", 2),
            ("rg -n needle", "keys logs", 2),
            ("rg -n needle -g '*.log'", ".", 3),
            ("rg -n needle", "src src/b.log src", 3),
        ],
    );
}

#[test]
fn versions_before_15_misread_rules_above_the_scope() {
    let repository = Repository::new(&[
        (".gitignore", b"/sub/gen\noutput/\n!/sub/output/\n*.md\n"),
        ("sub/gen/a.go", b"needle\n"),
        ("sub/output/b.go", b"needle\n"),
        ("sub/c.go", b"needle\n"),
        ("sub/d.md", b"needle\n"),
    ]);
    let snapshot = repository.snapshot();
    let engine = SearchEngine::new(&snapshot).expect("engine");
    let hits = |command, scope| {
        engine
            .run(command, scope)
            .map(|outcome| (outcome.hits, outcome.older_hits))
    };
    assert_eq!(hits("rg -n needle", "."), Ok((2, 2)));
    assert_eq!(
        hits("rg -n needle", "sub/"),
        Ok((2, 2)),
        "one file each, and not the same"
    );
    assert_eq!(hits("rg -n needle -g '!c.go'", "./sub"), Ok((1, 1)));
    assert_eq!(hits("rg -n needle -g '!gen'", "sub"), Ok((2, 1)));
    assert_eq!(hits("rg -n needle --no-ignore", "sub"), Ok((4, 4)));
}

#[test]
fn globs_and_types_choose_files() {
    let repository = Repository::new(&[
        ("src/main.go", b"needle\n"),
        ("src/main_test.go", b"needle\n"),
        ("src/app.ts", b"needle\n"),
        ("src/app.tsx", b"needle\n"),
        ("src/gen/out.go", b"needle\n"),
        ("lib/util.py", b"needle\n"),
    ]);
    check(
        &repository,
        &[
            ("rg -n needle -g '*.go'", ".", 3),
            ("rg -n needle -g '*.go' -g '!*_test.go'", ".", 2),
            ("rg -n needle -g '!*_test.go' -g '*.go'", ".", 3),
            ("rg -n needle -g '!**/gen/**'", "src lib", 5),
            ("rg -n needle -g '/src/*.go'", "src", 2),
            ("rg -n needle -g '/src/*.go'", "lib", 0),
            ("rg -n needle -g '!src'", ".", 1),
            ("rg -n needle -g '*.{ts,tsx}'", ".", 2),
            ("rg -n needle -t go", ".", 3),
            ("rg -n needle -T go -T py", ".", 2),
            ("rg -n needle -tpy -tts --glob='!*.tsx'", ".", 2),
            ("rg -n needle -t go", "lib/util.py", 1),
        ],
    );
    assert!(refusal(&repository, "rg -n a -t nosuch", ".").contains("nosuch"));
    assert!(refusal(&repository, "rg -n a -g '['", ".").starts_with("glob `[` is refused"));
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_when_named() {
    let repository = Repository::new(&[("src/a.txt", b"needle\n"), ("src/b/c.txt", b"needle\n")]);
    for (target, link) in [
        ("src", "link"),
        ("../a.txt", "src/b/up"),
        ("/etc", "out"),
        ("../..", "src/far"),
        ("loop", "loop"),
        ("none", "dangling"),
    ] {
        std::os::unix::fs::symlink(target, repository.path().join(link)).expect("link");
    }
    repository.commit();
    check(
        &repository,
        &[
            ("rg -n needle", ".", 2),
            ("rg -n needle", "link", 2),
            ("rg -n needle", "link/b", 1),
            ("rg -n needle", "src/b/up", 1),
        ],
    );
    assert_eq!(
        refusal(&repository, "rg -n a", "out"),
        "`out` leads out of the repository"
    );
    assert_eq!(
        refusal(&repository, "rg -n a", "src/far"),
        "`src/far` leads out of the repository"
    );
    assert_eq!(
        refusal(&repository, "rg -n a", "loop"),
        "`loop` is a link that leads to itself"
    );
    assert_eq!(
        refusal(&repository, "rg -n a", "dangling"),
        "`dangling` is not in the commit"
    );
}
