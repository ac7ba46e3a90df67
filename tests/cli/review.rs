//! The review overlay: from `review init` to a card that says what a reviewer changed, on two commits.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{AGENT, Repo, audit_in, told};

/// The card's date in these tests.
const TODAY: &str = "2026-11-30";

/// One override of each kind; `COMMIT` and `UNTIL` are filled in.
const OVERLAY: &str = r#"card: "tiny"
commit: COMMIT
until: UNTIL
levels:
  - at: C10.S
    from: 1
    to: 2
    finding: Steps are capped, and the model's host ends every call after a minute.
    gap: A cap on cost.
    reason: The host's limit is documented.
    evidence: &steps
      - {file: tiny/loop.py, lines: 5, contains: "MAX_STEPS = 30"}
caps:
  - at: C2
    cap: C2-POWERBYPASS
    applies: true
    reason: The shell runs without a gate
    evidence: &shell
      - {file: tiny/shell.py, lines: "5", contains: "shell=True"}
absences:
  - at: C6
    summary: Nothing is remembered.
    reason: There is no store.
    evidence:
      - {search: "rg -n sqlite", scope: ., hits: 0, note: no database}
sentences:
  - at: C10.D.gap
    says: A budget that another agent or a new run does not begin anew.
    text: A budget per user.
    reason: That is the smaller step.
    evidence: *steps
  - at: C4.summary
    says: Commands run as child processes of the same user (tiny/shell.py), with no sandbox around them. Whoever runs it should do so in a container or on an account without other credentials.
    text: >
      Commands run as the user.
      Use a container.
    reason: Shorter.
    evidence: *shell
accepted:
  - at: C5
    says: By default a hijacked session can leak private data and act irreversibly with nobody in between (subprocess.run).
    reason: It runs on a machine without data.
  - at: C1.B
    says: A hijacked run reaches all that the operator's account reaches.
    reason: The account is made for it.
"#;

fn head(repo: &Repo) -> String {
    let output = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .current_dir(repo.path())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The overlay, made at the newest commit.
fn overlay(repo: &Repo, until: &str) -> String {
    let text = OVERLAY.replace("COMMIT", &head(repo));
    text.replace("UNTIL", until)
}

/// Audits `repo` with `overlay` from a folder of its own.
fn review(folder: &Path, repo: &Repo, overlay: &str, more: &[&str]) -> (String, String, i32) {
    fs::write(folder.join("review.yaml"), overlay).unwrap();
    let mut arguments = vec![
        repo.path().to_str().unwrap(),
        "--id",
        "tiny",
        "--name",
        "Tiny",
    ];
    arguments.extend([
        "--date",
        TODAY,
        "--out",
        "out",
        "--quiet",
        "--review",
        "review.yaml",
    ]);
    arguments.extend(more);
    told(&audit_in(folder, &arguments))
}

fn card(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("out/scorecard.json")).unwrap()).unwrap()
}

/// The Re-audit log and the Limitations of the Markdown card, with `COMMIT` for the commit in reasons.
fn told_on_card(folder: &Path, repo: &Repo) -> String {
    let report = fs::read_to_string(folder.join("out/report.md")).unwrap();
    let (_, log) = report.split_once("## Re-audit log\n").unwrap();
    log.replace(&head(repo)[..12], "COMMIT")
}

fn verifies(folder: &Path, repo: &Repo) {
    let path = repo.path().to_str().unwrap();
    let (stdout, stderr, code) = told(&audit_in(
        folder,
        &["verify", "out/scorecard.json", "--repo", path],
    ));
    assert_eq!(code, 0, "{stdout}{stderr}");
}

#[test]
fn every_kind_of_override_changes_the_card_and_stands_in_its_log() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let (_, stderr, code) = review(folder, &repo, &overlay(&repo, "2027-06-30"), &[]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    insta::assert_snapshot!(told_on_card(folder, &repo));
    let card = card(folder);
    let criterion = |number: usize| card["criteria"][number - 1].clone();
    let strength = &criterion(10)["parameters"]["S"];
    assert_eq!(strength["level"], 2);
    assert_eq!(strength["evidence"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        criterion(10)["parameters"]["D"]["gap"],
        "A budget per user."
    );
    assert_eq!(
        criterion(4)["summary"],
        "Commands run as the user. Use a container."
    );
    assert_eq!(criterion(6)["structural_absence"], true);
    assert_eq!(criterion(2)["caps"][0]["id"], "C2-POWERBYPASS");
    let gaps = card["critical_findings"].as_array().unwrap();
    let of: Vec<&Value> = gaps.iter().map(|gap| &gap["criterion"]).collect();
    assert_eq!(
        of,
        ["C1", "C2", "C4", "C5"],
        "a cap belongs in the critical gaps"
    );
    assert_eq!(gaps[1]["summary"], "The shell runs without a gate");
    let accepted = criterion(5)["notes"].as_str().unwrap().to_owned();
    assert!(
        accepted.starts_with("Accepted risk until 2027-06-30 (the critical gap)"),
        "{accepted}"
    );
    assert_eq!(
        criterion(5)["parameters"]["B"]["level"],
        0,
        "it scores what it scores"
    );
    let fixes = card["fixes"].as_array().unwrap();
    let of_c10 = fixes.iter().find(|fix| fix["criterion"] == "C10").unwrap();
    assert_eq!(of_c10["from_level"], 2, "a fix starts where the card is");
    verifies(folder, &repo);
    let first = fs::read(folder.join("out/scorecard.json")).unwrap();
    review(
        folder,
        &repo,
        &overlay(&repo, "2027-06-30"),
        &["--threads", "1"],
    );
    assert_eq!(fs::read(folder.join("out/scorecard.json")).unwrap(), first);
}

/// The agent's tool that runs commands.
fn shell() -> &'static str {
    let found = AGENT.iter().find(|(path, _)| *path == "tiny/shell.py");
    found.unwrap().1
}

#[test]
fn at_another_commit_an_override_holds_while_its_evidence_does() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let overlay = overlay(&repo, "2027-06-30");
    let shell = shell();
    repo.commit("moved", "tiny/shell.py", &format!("# moved\n\n{shell}"));
    let (_, stderr, code) = review(folder, &repo, &overlay, &[]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let card_moved = card(folder);
    let log = card_moved["reaudit_log"].to_string();
    assert!(log.contains("Evidence: tiny/shell.py:7."), "{log}");
    assert!(log.contains("evidence found again at this commit"), "{log}");
    verifies(folder, &repo);

    repo.commit(
        "careful",
        "tiny/shell.py",
        &shell.replace("shell=True", "shell=False"),
    );
    let (_, stderr, code) = review(folder, &repo, &overlay, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains(
            "review.yaml:14: cap C2-POWERBYPASS of C2 was not applied: its evidence no longer fits"
        ),
        "{stderr}"
    );
    assert!(!stderr.contains("C10.S"), "{stderr}");
    let card = card(folder);
    assert_eq!(card["criteria"][1]["caps"], json!([]));
    assert_eq!(card["criteria"][9]["parameters"]["S"]["level"], 2);
    let limits = card["limitations"].to_string();
    assert!(
        limits.contains("sets cap C2-POWERBYPASS of C2; this was not applied"),
        "{limits}"
    );
    verifies(folder, &repo);
}

#[test]
fn what_the_card_no_longer_says_is_not_overridden() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let overlay = overlay(&repo, "2027-06-30");
    let shell = shell();
    let timed = shell.replace("text=True", "text=True, timeout=5");
    repo.commit("timed", "tiny/shell.py", &timed);
    let (_, stderr, code) = review(folder, &repo, &overlay, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains(
            "review.yaml:5: C10.S was not applied: it was made for L1, and the card says L2"
        ),
        "{stderr}"
    );
    assert!(stderr.lines().count() < 4, "{stderr}");
}

#[test]
fn the_cards_date_decides_what_is_expired() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let (_, stderr, code) = review(folder, &repo, &overlay(&repo, TODAY), &[]);
    assert_eq!((stderr.as_str(), code), ("", 0), "the last day counts");
    let (_, stderr, code) = review(folder, &repo, &overlay(&repo, "2026-11-29"), &[]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stderr.lines().count(), 7, "{stderr}");
    let said = "it held until 2026-11-29, and the card is of 2026-11-30";
    assert!(stderr.lines().all(|line| line.ends_with(said)), "{stderr}");
    let limits = card(folder)["limitations"].to_string();
    assert_eq!(limits.matches(said).count(), 7, "{limits}");
    assert_eq!(card(folder)["reaudit_log"], json!([]));
}

#[test]
fn an_overlay_that_is_wrong_is_refused_with_file_and_line() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let right = overlay(&repo, "2027-06-30");
    let cases = [
        (
            "card: \"tiny\"",
            "card: \"other\"",
            "review.yaml:1: is a review of the card",
        ),
        (
            "    to: 2",
            "    too: 2",
            "review.yaml:7: unknown field `too`",
        ),
        (
            "    to: 2",
            "    to: 7",
            "review.yaml:5: C10.S: the card would break a rule",
        ),
        (
            "    to: 2",
            "    to: 3\n    status: inferred",
            "inferred at L3",
        ),
        (
            "at: C10.S",
            "at: C11.S",
            "review.yaml:5: at: \"C11.S\" is not a parameter",
        ),
        ("at: C2\n", "at: C6\n", "review.yaml:14: C6 is set absent"),
        (
            "until: 2027-06-30",
            "until: 2027-6-30",
            "review.yaml:3: until",
        ),
        (
            "until: 2027-06-30",
            "until: 2027-02-30",
            "review.yaml:3: until",
        ),
        ("reason: Shorter.", "reason: \" \"", "a reason is needed"),
        ("lines: 5,", "lines: 4,", "C10.S: tiny/loop.py:4"),
        (", contains: \"MAX_STEPS = 30\"", "", "needs `contains`"),
        ("hits: 0", "hits: 3", "C6: "),
        ("C2-POWERBYPASS", "C5-WORSTCASE", "is a cap of C5"),
        ("*steps", "[]", "evidence is needed"),
        ("at: C4.summary", "at: C10.D.gap", "C10.D.gap is set twice"),
    ];
    for (from, to, named) in cases {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{from}");
        let (_, stderr, code) = review(folder, &repo, &wrong, &[]);
        assert_eq!(code, 2, "{to}: {stderr}");
        assert!(
            stderr.contains(named) && stderr.contains("review.yaml:"),
            "{to}: {stderr}"
        );
    }
    assert!(!folder.join("out").exists());
}

#[test]
fn a_bomb_is_refused() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let bomb: String = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, n| {
        let before = n - 1;
        format!("{text}a{n}: &a{n} [*a{before}, *a{before}, *a{before}, *a{before}]\n")
    });
    let deep = format!("levels: {}", "[".repeat(100_000));
    for text in [
        bomb,
        deep,
        "a: ".repeat(500_000),
        "--- {}\n".repeat(10),
        String::new(),
    ] {
        let (_, stderr, code) = review(folder.path(), &repo, &text, &[]);
        assert_eq!(code, 2, "{stderr:.300}");
        assert!(
            stderr.len() < 1000 && stderr.contains("review.yaml"),
            "{stderr:.300}"
        );
    }
}

#[test]
fn a_template_is_an_overlay_and_sets_nothing_until_uncommented() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    review(folder, &repo, "card: tiny", &[]);
    let init = ["review", "init", "out/scorecard.json", "--out", "mine.yaml"];
    assert_eq!(told(&audit_in(folder, &init)).2, 0);
    let template = fs::read_to_string(folder.join("mine.yaml")).unwrap();
    let (_, stderr, code) = told(&audit_in(folder, &init));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("mine.yaml: exists and is not written over"),
        "{stderr}"
    );
    assert_eq!(
        fs::read_to_string(folder.join("mine.yaml")).unwrap(),
        template
    );
    let before = fs::read(folder.join("out/scorecard.json")).unwrap();
    let (_, stderr, code) = review(folder, &repo, &template, &[]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    assert_eq!(fs::read(folder.join("out/scorecard.json")).unwrap(), before);

    // The block of C10.C, as a reviewer would fill it in.
    let (above, block) = template.split_once("# C10.C: coverage\n").unwrap();
    let (block, below) = block.split_once("# C10.D").unwrap();
    let block = block.replace("\n# ", "\n ").replacen("# ", " ", 1);
    let block = block
        .replace("to: 1", "to: 0")
        .replace("reason:", "reason: Not enforced.");
    let block = block.replace(
        "evidence:",
        "evidence: [{search: rg -n enforce, scope: ., hits: 0}]",
    );
    let filled = format!("{above}{}\n# C10.D{below}", block.trim_end());
    let (_, stderr, code) = review(folder, &repo, &filled, &[]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let log = card(folder)["reaudit_log"].clone();
    assert_eq!(
        (&log[0]["from_level"], &log[0]["to_level"]),
        (&json!(1), &json!(0))
    );
}

#[test]
fn render_applies_an_overlay_and_says_what_it_could_not_look_for() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    review(folder, &repo, "card: tiny", &[]);
    let overlay = overlay(&repo, "2027-06-30");
    fs::write(folder.join("review.yaml"), &overlay).unwrap();
    let render = ["render", "out/scorecard.json", "--review", "review.yaml"];
    let (alone, stderr, code) = told(&audit_in(folder, &render));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("7 applied, 0 not applied; the evidence of 5 was not looked for"),
        "{stderr}"
    );
    assert!(
        alone.contains(
            "- 5 overrides of a reviewer were applied without looking for their evidence"
        ),
        "{alone}"
    );
    let with_repo = [&render[..], &["--repo", repo.path().to_str().unwrap()]].concat();
    let (checked, stderr, _) = told(&audit_in(folder, &with_repo));
    assert!(stderr.contains("7 applied, 0 not applied\n"), "{stderr}");
    review(folder, &repo, &overlay, &[]);
    assert_eq!(
        checked,
        fs::read_to_string(folder.join("out/report.md")).unwrap()
    );

    let older = overlay.replace(&head(&repo), &"0".repeat(40));
    review(folder, &repo, "card: tiny", &[]);
    fs::write(folder.join("review.yaml"), older).unwrap();
    let (_, stderr, code) = told(&audit_in(folder, &render));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("2 applied, 5 not applied"),
        "what was accepted has no evidence: {stderr}"
    );
}

#[test]
fn a_surface_that_the_card_calls_absent_is_rated_whole_or_not_at_all() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let level = |parameter: &str| {
        format!(
            "  - at: C7.{parameter}\n    from: SA\n    to: 1\n    finding: It loads plugins.\n    gap: A pin.\n    reason: It does.\n    \
             evidence: [{{file: tiny/loop.py, lines: 2, contains: run_command}}]\n"
        )
    };
    let head = format!(
        "card: tiny\ncommit: {}\nuntil: 2027-06-30\nlevels:\n",
        head(&repo)
    );
    let three = format!("{head}{}{}{}", level("S"), level("C"), level("D"));
    let (_, stderr, code) = review(folder, &repo, &three, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("set all of S, C, D and B"), "{stderr}");
    assert_eq!(card(folder)["criteria"][6]["structural_absence"], true);
    let (_, stderr, code) = review(folder, &repo, &format!("{three}{}", level("B")), &[]);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let card = card(folder);
    assert_eq!(card["criteria"][6]["parameters"]["B"]["level"], 1);
    assert_eq!(card["reaudit_log"].as_array().map(Vec::len), Some(4));
    assert_eq!(card["reaudit_log"][0]["from_level"], "SA");
}

#[test]
fn a_baseline_and_a_review_share_the_log_and_gates_see_the_reviewed_card() {
    let (repo, folder) = (Repo::of(AGENT), tempfile::tempdir().unwrap());
    let folder = folder.path();
    review(folder, &repo, "card: tiny", &[]);
    fs::rename(folder.join("out/scorecard.json"), folder.join("old.json")).unwrap();
    let gates = ["--baseline", "old.json", "--fail-under", "C6=1"];
    let (_, stderr, code) = review(folder, &repo, &overlay(&repo, "2027-06-30"), &gates);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let log = card(folder)["reaudit_log"].to_string();
    let (since, reviewed) = (
        log.find("Since ").unwrap(),
        log.find("(Review of ").unwrap(),
    );
    assert!(since < reviewed, "{log}");
}

#[test]
fn a_hand_made_card_that_lacks_quotes_can_be_reviewed_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/coze-studio.scorecard.json");
    let seed = seed.to_str().unwrap();
    let init = ["review", "init", seed, "--out", "review.yaml"];
    assert_eq!(told(&audit_in(folder.path(), &init)).2, 0);
    let file = folder.path().join("review.yaml");
    let template = fs::read_to_string(&file).unwrap();
    let (above, accepted) = template.split_once("\naccepted:\n").unwrap();
    let accepted = accepted
        .replace('#', " ")
        .replace("reason:", "reason: Known.");
    fs::write(&file, format!("{above}\naccepted:\n{accepted}")).unwrap();
    let render = ["render", seed, "--review", "review.yaml"];
    let (card, stderr, code) = told(&audit_in(folder.path(), &render));
    assert_eq!(code, 0, "{stderr}");
    let gaps = accepted.matches("- at: ").count();
    assert!(
        gaps > 0 && stderr.contains(&format!("{gaps} applied, 0 not applied")),
        "{stderr}"
    );
    assert_eq!(
        card.matches("the critical gap is an accepted risk: Known.")
            .count(),
        gaps
    );
}
