//! A card's evidence against the repository.

use audit::verify::{Claim, ClaimEvidence, check_claims};

use super::repository::Repository;

fn citation(file: &str, lines: &str, contains: Option<&str>) -> Claim {
    let evidence = ClaimEvidence::Citation {
        file: file.into(),
        lines: lines.into(),
        contains: contains.map(str::to_owned),
    };
    Claim {
        place: format!("{file}:{lines}"),
        evidence,
    }
}

fn search(command: &str, scope: &str, hits: usize) -> Claim {
    let evidence = ClaimEvidence::Search {
        command: command.into(),
        scope: scope.into(),
        hits,
    };
    Claim {
        place: command.into(),
        evidence,
    }
}

#[test]
fn a_card_whose_evidence_holds_has_no_problems() {
    let repository = Repository::new(&[
        (".gitignore", b"/src/gen\n"),
        ("src/a.py", b"one\r\ntwo\r\nthree"),
        ("src/b.py", "gr\u{fc}\u{df}e\n\n".as_bytes()),
        ("src/gen/c.py", b"two\n"),
    ]);
    let snapshot = repository.snapshot();
    let claims = [
        citation("src/a.py", "2", Some("two")),
        citation("src/a.py", "1-3", Some("one\ntwo\nthree")),
        citation("src/b.py", "1-2", Some("grüße")),
        citation("src/a.py", "1", None),
        search("rg -n two", ".", 1),
        search("rg -n two", "src", 1),
        search("rg -n 'two$|two\\r'", "src", 2),
    ];
    assert_eq!(check_claims(&snapshot, &snapshot.commit, &claims), []);
}

#[test]
fn every_claim_that_does_not_hold_is_a_problem_at_its_place() {
    let repository = Repository::new(&[
        (".gitignore", b"/src/gen\n"),
        ("src/a.py", b"one\ntwo\n"),
        ("src/gen/c.py", b"two\n"),
    ]);
    let snapshot = repository.snapshot();
    let claims = [
        citation("src/a.py", "2-3", None),
        search("rg -n two", "src", 3),
        citation("src/a.py", "1", Some("two")),
        citation("src/a.py", "0", None),
        citation("src/a.py", "2-1", None),
        citation("src/a.py", "+1", None),
        citation("src", "1", None),
        citation("src/none.py", "1", None),
        citation("./src/a.py", "1", None),
        citation("../a.py", "1", None),
        search("rg -n one", "src", 0),
        search("rg -n one", "src lib", 1),
        search("rg -n one src", "src", 1),
    ];
    let problems = check_claims(
        &snapshot,
        "0000000000000000000000000000000000000000",
        &claims,
    );
    let messages: Vec<_> = problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    let commit = format!(
        "the card pins {}, the repository is at {}",
        "0".repeat(40),
        snapshot.commit
    );
    let expected = [
        commit.as_str(),
        "src/a.py has 2 lines, cited 2-3",
        "`rg -n two` in `src`: gives 1 (2 with ripgrep before version 15), the card says 3",
        r#"src/a.py:1 lacks "two""#,
        r#"src/a.py: lines "0" are not `N` or `N-M`, counted from 1"#,
        r#"src/a.py: lines "2-1" are not `N` or `N-M`, counted from 1"#,
        r#"src/a.py: lines "+1" are not `N` or `N-M`, counted from 1"#,
        "cannot cite src: it is a folder",
        "cannot cite src/none.py: `src/none.py` is not in the commit",
        "cannot cite ./src/a.py: the path has to be relative to the repository's root",
        "cannot cite ../a.py: `../a.py` leads out of the repository",
        "`rg -n one` in `src`: gives 1, the card says 0",
        "`rg -n one` in `src lib`: `lib` is not in the commit",
        "`rg -n one src` in `src`: `src` stands where a path would: paths belong in the scope, and a pattern with spaces in quotes",
    ];
    assert_eq!(messages, expected);
    assert_eq!(problems[1].place, "src/a.py:2-3");
}
