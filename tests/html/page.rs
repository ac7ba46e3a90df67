//! What the page says.

use serde_json::json;

use crate::support::{example, page, page_of_quotes, published};

/// The page without its style and script, which are files of their own.
fn body(page: &str) -> String {
    let mut body = String::new();
    let mut rest = page;
    for (begin, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (before, after) = rest.split_once(begin).unwrap();
        body.push_str(before);
        body.push_str(begin);
        rest = &after[after.find(end).unwrap()..];
    }
    let body = body + rest;
    let (before, policy) = body.split_once("content=\"default-src").unwrap();
    let (_, after) = policy.split_once('"').unwrap();
    format!("{before}content=\"…\"{after}")
}

#[test]
fn the_example_has_its_page() {
    insta::assert_snapshot!("example", body(&page(&example())));
}

#[test]
fn the_same_card_gives_the_same_bytes() {
    assert_eq!(page(&example()), page(&example()));
}

#[test]
fn only_the_own_style_and_script_may_run() {
    let page = page(&example());
    let (_, policy) = page
        .split_once("Content-Security-Policy\" content=\"")
        .unwrap();
    let policy = policy.split_once("\">").unwrap().0;
    let policy = policy.replace("&#x27;", "'").replace("&#x2f;", "/");
    let directives: Vec<_> = policy.split("; ").collect();
    assert_eq!(directives[0], "default-src 'none'");
    assert!(directives[1].starts_with("style-src 'sha256-"));
    assert!(directives[2].starts_with("script-src 'sha256-"));
    assert!(!policy.contains("unsafe"));
    for forbidden in [" src=", " style=", " onclick=", "<link", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn cited_lines_stand_in_their_context_and_a_quote_alone() {
    let with = page(&example());
    assert!(with.contains("data-n=\"72\"><span>"), "context");
    assert!(
        with.contains("<div class=\"line cited\" data-n=\"73\"><mark>"),
        "the cited line"
    );
    let without = page_of_quotes(&example());
    assert!(!without.contains("data-n="));
    assert!(without.contains("<div class=\"line cited\"><mark>"));
}

#[test]
fn a_citation_beyond_its_file_falls_back_to_the_quote() {
    let mut card = example();
    card["criteria"][1]["parameters"]["S"]["evidence"] = json!([
        {"file": "server/internal/agent/loop.go", "lines": "9000", "contains": "quoted words"},
        {"file": "../../../etc/passwd", "lines": "1"},
        {"file": "server", "lines": "not a range", "contains": ""},
    ]);
    let page = page(&card);
    assert!(page.contains("<mark>quoted words</mark>"));
    assert!(!page.contains("root:"));
}

#[test]
fn two_mechanisms_are_told_apart_and_an_empty_card_is_whole() {
    let mut card = published();
    let parameters = card["criteria"][1]["parameters"].clone();
    card["criteria"][1]["alt"] = json!({"label": "--ask", "caps": [], "parameters": parameters});
    for list in ["critical_findings", "fixes", "reaudit_log"] {
        card[list] = json!([]);
    }
    let page = page_of_quotes(&card);
    assert!(page.contains("<h4><bdi>--ask</bdi> <span class=\"quiet\">alt; raw 0.00 → 0.00"));
    assert!(page.contains("None proposed."));
    assert!(!page.contains("Critical gaps"));
    assert!(!page.contains("Re-audit log"));
}
