//! What a run of many searches gives back.

use audit::search::{FileMemory, Place, SearchEngine};

use super::repository::{Repository, check, refusal};

#[test]
fn places_are_in_the_order_of_the_scope_and_capped() {
    let many = b"x\n".repeat(400);
    let repository = Repository::new(&[
        ("a.txt", b"x\ny\nx\n"),
        ("b/empty", b""),
        ("b/m.txt", &many),
        ("c/m.txt", &many),
    ]);
    let snapshot = repository.snapshot();
    let engine = SearchEngine::new(&snapshot).expect("engine");
    let outcome = engine.run("rg -n x", "b c a.txt").expect("outcome");
    assert_eq!((outcome.hits, outcome.places.len()), (802, 500));
    assert_eq!(
        outcome.places[400],
        Place {
            path: "c/m.txt".into(),
            line: 1
        }
    );
    let outcome = engine.run("rg -n x", "a.txt b/empty").expect("outcome");
    assert_eq!(
        outcome
            .places
            .iter()
            .map(|place| place.line)
            .collect::<Vec<_>>(),
        [1, 3]
    );
}

#[test]
fn a_search_that_cannot_be_repeated_is_refused_and_leaves_the_others_alone() {
    let repository = Repository::new(&[("a.txt", b"needle\n"), ("b/c.txt", b"needle\n")]);
    let snapshot = repository.snapshot();
    let engine = SearchEngine::new(&snapshot).expect("engine");
    let searches = [
        ("rg --pre cat a", "."),
        ("rg -n needle", "../x"),
        ("rg -n needle", "."),
        ("rg -n needle", "b a.txt/"),
        ("rg -n needle", ""),
    ];
    let results = engine.run_all(&searches);
    let texts: Vec<_> = results
        .iter()
        .map(|result| {
            result
                .as_ref()
                .map(|outcome| outcome.hits)
                .map_err(ToString::to_string)
        })
        .collect();
    let expected = [
        Err("flag --pre is refused: it runs a program on every file".to_owned()),
        Err("`../x` leads out of the repository".to_owned()),
        Ok(2),
        Err("`a.txt/` is not in the commit".to_owned()),
        Err("the scope is empty; write `.` for the whole repository".to_owned()),
    ];
    assert_eq!(texts, expected);
}

#[test]
fn a_file_whose_content_is_missing_is_not_in_the_checkout() {
    let repository = Repository::new(&[
        ("a.txt", b"needle\n"),
        ("big.txt", b"needle in a file that the snapshot lacks\n"),
    ]);
    let id = repository.git(&["rev-parse", "HEAD:big.txt"]);
    std::fs::remove_file(
        repository
            .path()
            .join(".git/objects")
            .join(&id[..2])
            .join(&id[2..]),
    )
    .expect("object");
    check(&repository, &[("rg -n needle", ".", 1)]);
    assert_eq!(
        refusal(&repository, "rg -n needle", "a.txt big.txt"),
        "`big.txt` is not in the commit"
    );
}

/// The test takes a file's content out of the repository: what is found in it all the same is remembered.
#[test]
fn what_is_remembered_of_a_file_counts_as_what_is_read() {
    let repository = Repository::new(&[
        ("gone.txt", b"needle\nneedle\n"),
        ("moved.txt", b"needle 2\n"),
        ("changed.txt", b"needle\n"),
        ("b/same.txt", b"nothing\n"),
    ]);
    let searches = [
        ("rg -n needle", "."),
        ("rg -n needle", "b ."),
        ("rg -c 2", "gone.txt"),
    ];
    let memory = {
        let snapshot = repository.snapshot();
        let engine = SearchEngine::new(&snapshot).expect("engine");
        assert!(engine.file_memory().is_none(), "nothing is noted unasked");
        let engine = engine.with_memory(FileMemory::default());
        engine.run_all(&searches);
        engine.file_memory().expect("memory")
    };
    let content = repository.git(&["rev-parse", "HEAD:gone.txt"]);
    repository.git(&["mv", "moved.txt", "b/moved.txt"]);
    std::fs::write(
        repository.path().join("changed.txt"),
        "needle\nneedle\nneedle\n",
    )
    .expect("file");
    repository.commit();
    let object = format!(".git/objects/{}/{}", &content[..2], &content[2..]);
    std::fs::remove_file(repository.path().join(object)).expect("object");
    let snapshot = repository.snapshot();
    let hits = |engine: &SearchEngine<'_>, command: &str, scope: &str| {
        engine.run(command, scope).map(|outcome| outcome.hits).ok()
    };
    let engine = SearchEngine::new(&snapshot)
        .expect("engine")
        .with_memory(memory);
    assert_eq!(hits(&engine, "rg -n needle", "."), Some(6));
    assert_eq!(hits(&engine, "rg -n needle", "b ."), Some(7));
    // Another search, and a file that is named outright, are not remembered.
    assert_eq!(hits(&engine, "rg -n needl", "."), Some(4));
    assert_eq!(hits(&engine, "rg -n needle", "gone.txt"), None);
    let engine = SearchEngine::new(&snapshot).expect("engine");
    assert_eq!(hits(&engine, "rg -n needle", "."), Some(4));
}
