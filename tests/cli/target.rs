//! What is rated, and what is refused.

use crate::support::{AGENT, Repo, audit_in, told};

fn code_of(repo: &Repo, arguments: &[&str]) -> (String, i32) {
    let (_, stderr, code) = told(&audit_in(repo.path(), arguments));
    (stderr, code)
}

#[test]
fn a_repository_without_an_agent_is_refused() {
    let repo = Repo::of(&[
        ("README.md", "# Sort\n\nSorts lines.\n"),
        ("sort.py", "print(sorted(open('x')))\n"),
    ]);
    let (message, code) = code_of(&repo, &["."]);
    assert_eq!(code, 3, "{message}");
    assert!(message.contains("--force"), "{message}");
    assert!(!repo.path().join("audit-out").exists());
    let (message, code) = code_of(&repo, &[".", "--force", "--quiet"]);
    assert_eq!((message.as_str(), code), ("", 0));
}

#[test]
fn bad_input_ends_with_one_message_and_its_code() {
    let repo = Repo::of(AGENT);
    let cases: [(&[&str], i32, &str); 8] = [
        (&[".", "--commit", "feedbee"], 12, "feedbee"),
        (&[".", "--commit", "no-such-branch"], 12, "no-such-branch"),
        (&["nowhere"], 10, "nowhere"),
        (&[".", "--subpath", "nothing"], 2, "--subpath nothing"),
        (&[".", "--date", "yesterday"], 2, "--date yesterday"),
        (&[".", "--id", "Not A Slug"], 2, "--id Not A Slug"),
        (&[".", "--repo-url", "ftp://x"], 2, "--repo-url ftp://x"),
        (&[".", "--rubric", "nowhere"], 2, "nowhere"),
    ];
    for (arguments, expected, named) in cases {
        let (message, code) = code_of(&repo, arguments);
        assert_eq!(code, expected, "{arguments:?}: {message}");
        assert!(message.contains(named), "{arguments:?}: {message}");
        assert!(
            message.starts_with("audit: ") && message.trim().lines().count() <= 2,
            "{message}"
        );
    }
    assert!(!repo.path().join("audit-out").exists());
}

#[test]
fn a_folder_of_a_monorepo_is_scored_alone() {
    let mut files: Vec<(String, &str)> = AGENT
        .iter()
        .map(|(path, text)| (format!("packages/tiny/{path}"), *text))
        .collect();
    files.push((
        "packages/other/run.py".into(),
        "import subprocess\nsubprocess.run(other, shell=True)\n",
    ));
    files.push(("README.md".into(), "# Many packages\n"));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    let repo = Repo::of(&files);
    let (message, code) = code_of(&repo, &[".", "--subpath", "packages/tiny", "--out", "out"]);
    assert_eq!(code, 0, "{message}");
    let card = std::fs::read_to_string(repo.path().join("out/scorecard.json")).unwrap();
    assert!(card.contains("packages/tiny/tiny/shell.py"));
    assert!(!card.contains("packages/other"));
}

#[test]
fn the_whole_is_a_subpath_too() {
    let repo = Repo::of(AGENT);
    for whole in [".", "./"] {
        let (message, code) = code_of(&repo, &[".", "--quiet", "--subpath", whole]);
        assert_eq!((message.as_str(), code), ("", 0));
    }
}

#[test]
fn markdown_in_place_of_a_card_is_called_so() {
    let repo = Repo::of(AGENT);
    assert_eq!(code_of(&repo, &[".", "--quiet", "--out", "out"]).1, 0);
    for command in ["verify", "render"] {
        let (message, code) = code_of(&repo, &[command, "out/report.md"]);
        assert_eq!(code, 2, "{message}");
        assert!(
            message.contains("give the card's scorecard.json"),
            "{message}"
        );
    }
}

#[test]
fn explain_says_which_kind_a_condition_is_about() {
    let repo = Repo::of(AGENT);
    let (explained, _, code) = told(&audit_in(repo.path(), &["explain", "."]));
    assert_eq!(code, 0);
    assert!(explained.contains("  kind: agent"), "{explained}");
    assert!(!explained.contains("kind: true"), "{explained}");
}

#[test]
fn map_and_explain_show_what_was_found() {
    let repo = Repo::of(AGENT);
    let (map, stderr, code) = told(&audit_in(repo.path(), &["map", "."]));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        map.contains("Kind: agent") && map.contains("tiny/shell.py:5"),
        "{map}"
    );
    let (json, _, _) = told(&audit_in(repo.path(), &["map", ".", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["kind"], "agent");
    let (explained, stderr, code) = told(&audit_in(repo.path(), &["explain", ".", "C4.S"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        explained.contains("→ L0") && explained.contains("tiny/shell.py:5"),
        "{explained}"
    );
    let lower = told(&audit_in(repo.path(), &["explain", ".", "c4.s"]));
    assert_eq!(lower, (explained, String::new(), 0));
    let (_, stderr, code) = told(&audit_in(repo.path(), &["explain", ".", "C11"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("C11: give a criterion"), "{stderr}");
}

#[test]
fn every_criterion_is_explained_as_json() {
    let repo = Repo::of(AGENT);
    let (json, stderr, code) = told(&audit_in(repo.path(), &["explain", ".", "--json"]));
    assert_eq!(code, 0, "{stderr}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let criteria = json["criteria"].as_array().unwrap();
    assert_eq!(criteria.len(), 10);
    let rungs = criteria[3]["ladders"][0]["rungs"].as_array().unwrap();
    let deciding: Vec<_> = rungs.iter().filter(|r| r["decides"] == true).collect();
    assert_eq!(deciding.len(), 1);
    assert_eq!(deciding[0]["level"], "L0");
}
