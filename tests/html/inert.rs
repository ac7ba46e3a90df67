//! Text from a card stays text.

use proptest::prelude::*;
use regex::Regex;
use serde_json::json;

use crate::support::{example, page, page_of_quotes, published, spoil};

/// The names of all tags, in order.
fn tags(page: &str) -> Vec<String> {
    let tag = Regex::new("</?[a-zA-Z][a-zA-Z0-9]*|<[^/a-zA-Z ]").unwrap();
    tag.find_iter(page)
        .map(|tag| tag.as_str().to_owned())
        .collect()
}

fn spoiled(text: &str) -> String {
    let mut card = published();
    spoil(&mut card, text);
    page_of_quotes(&card)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_text_opens_a_tag_or_an_attribute(text in "[<>&\"'=/;:a-z \\-!?#{}%\u{202E}\u{2066}\u{200B}\u{1b}]{1,24}") {
        let (hostile, harmless) = (spoiled(&format!("x{text}")), spoiled("x"));
        // The tags themselves would be a long message.
        prop_assert!(tags(&hostile) == tags(&harmless));
        prop_assert_eq!(hostile.matches('"').count(), harmless.matches('"').count());
        let unseen = hostile.contains(['\u{202E}', '\u{2066}', '\u{200B}', '\u{1b}']);
        prop_assert!(!unseen);
    }
}

#[test]
fn only_https_is_linked() {
    let links = Regex::new("href=\"([^\"]*)\"").unwrap();
    for url in [
        "javascript:alert(1)",
        "data:text/html,x",
        "http://a.example/b",
        "//a.example",
        "HTTPS://a",
        " https://a",
    ] {
        let mut card = published();
        card["repo_url"] = json!(url);
        let page = page(&card);
        for link in links.captures_iter(&page) {
            assert!(link[1].starts_with('#'), "{url}: {}", &link[1]);
        }
    }
}

#[test]
fn what_a_cited_line_hides_is_shown() {
    let mut card = example();
    card["criteria"][0]["parameters"]["S"]["evidence"] = json!([{"file": "a.py", "lines": "1", "contains": "if admin:\u{202E} # \u{2066}</mark><script>x</script>"}]);
    let page = page(&card);
    let colours = Regex::new("</?i[^>]*>").unwrap();
    let page = colours.replace_all(&page, "");
    assert!(page.contains("⟨U+202E⟩"));
    assert!(page.contains("⟨U+2066⟩&lt;&#x2f;mark&gt;&lt;script&gt;"));
}

#[test]
fn text_of_the_other_direction_is_isolated() {
    let mut card = example();
    card["name"] = json!("שלום");
    assert!(page(&card).contains("<h1><bdi>שלום</bdi></h1>"));
}
