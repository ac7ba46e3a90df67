//! A recorded search from a stranger: its command, a line break, its scope. It is refused, or run by our own engine over
//! a small folder and nothing else.
#![no_main]

use std::sync::LazyLock;

use audit::checkout::{CheckoutOptions, Snapshot, Source, open};
use audit::search::{Query, SearchEngine, quote_command};
use libfuzzer_sys::fuzz_target;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder").keep();
    for (path, text) in [
        ("src/a.py", "import subprocess\nsubprocess.run(cmd, shell=True)\n\n# é ü\n"),
        ("src/b.go", "package b\r\nexec.Command(\"sh\")\r\n"),
        (".hidden/c.yml", "a: 1\n"),
        ("docs/latin.txt", "plain\n"),
    ] {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let source = Source::parse(folder.to_str().expect("UTF-8")).expect("a path");
    let options = CheckoutOptions { worktree: true, quiet: true, ..CheckoutOptions::default() };
    open(&source, &options).expect("a folder")
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (command, scope) = text.split_once('\n').unwrap_or((text, "src"));
    let Ok(query) = Query::parse(command) else { return };
    if let [pattern] = &query.patterns[..] {
        let again = Query::parse(&quote_command(&[], pattern)).expect("our own quoting");
        assert_eq!(again.patterns, query.patterns);
    }
    let engine = SearchEngine::new(&SNAPSHOT).expect("an engine");
    if let Ok(outcome) = engine.run(command, scope) {
        assert!(outcome.hits <= 1000);
    }
});
