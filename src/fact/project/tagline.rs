//! One sentence that says what the project is, in the README's own words.

/// Fewest words of a sentence that says something.
const FEWEST_WORDS: usize = 4;
/// Fewest letters of one in a script that does not part its words.
const FEWEST_LETTERS: usize = 8;
/// Paragraphs among which a sentence that defines the project is looked for.
const PARAGRAPHS: usize = 6;
/// What package tools write where nobody wrote a description.
const PLACEHOLDERS: [&str; 4] = [
    "add your description here",
    "add a description here",
    "todo",
    "my new project",
];

/// The first sentence of `readme` (without markup) that defines something ("X is a …", "A …"), else its first sentence;
/// menus, headings, lists and links are no sentences. Empty for none.
pub(super) fn tagline(readme: &str) -> String {
    let sentences: Vec<String> = paragraphs(readme)
        .iter()
        .filter_map(|paragraph| first_sentence(paragraph))
        .take(PARAGRAPHS)
        .collect();
    let defining = sentences.iter().find(|sentence| defines(sentence));
    let chosen = defining.or(sentences.first());
    chosen.cloned().unwrap_or_default()
}

/// Whether a manifest's description is more than a placeholder.
pub(super) fn says_something(description: &str) -> bool {
    let plain = description.trim().trim_end_matches(['.', '!']);
    !plain.is_empty() && !PLACEHOLDERS.contains(&plain.to_lowercase().as_str())
}

/// Runs of neighbouring lines of prose, each joined to one line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text
        .lines()
        .map(|line| line.trim().trim_start_matches("> "))
    {
        let is_break = line.is_empty() || !is_prose(line);
        match all.last_mut() {
            Some(last) if !is_break => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            Some(last) if !last.is_empty() => all.push(String::new()),
            _ => {}
        }
    }
    all
}

/// Headings, lists, tables, quotes, addresses and menus are no prose.
fn is_prose(line: &str) -> bool {
    let opens_other = line.starts_with(['#', '|', '-', '*', '[', '=', ':', '.', '+', '`'])
        && !line.starts_with("**");
    let is_menu = [" | ", " • ", " · ", "&nbsp;", " ｜ ", " → "]
        .iter()
        .any(|mark| line.contains(mark));
    !opens_other && !is_menu && !line.starts_with("http")
}

/// The first sentence without emphasis; none when it is too short, mostly not letters, or announces what follows.
fn first_sentence(paragraph: &str) -> Option<String> {
    let plain = paragraph.replace("**", "").replace("&amp;", "&");
    let end = plain.find(". ").map_or(plain.len(), |dot| dot + 1);
    let sentence = plain[..end].trim();
    let words = sentence.split_whitespace().count();
    let visible = sentence.chars().filter(|c| !c.is_whitespace()).count();
    let letters = sentence.chars().filter(|c| c.is_alphanumeric()).count();
    let is_wordy = words >= FEWEST_WORDS || (!sentence.is_ascii() && letters >= FEWEST_LETTERS);
    let is_sentence = is_wordy && letters * 10 >= visible * 7 && !sentence.ends_with(':');
    is_sentence.then(|| sentence.trim_end_matches('.').to_owned())
}

/// "X is a …", "A …", "The …": the sentence says what something is.
fn defines(sentence: &str) -> bool {
    let says_is = [
        " is a ",
        " is an ",
        " is the ",
        " are a ",
        " provides ",
        " lets ",
        " enables ",
    ];
    sentence.starts_with("A ")
        || sentence.starts_with("An ")
        || says_is.iter().any(|verb| sentence.contains(verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menus_and_links_are_skipped() {
        let readme = "English | 中文 | Español\n\n🌐 Website • 📚 Documentation\n\nOr see the generated documentation:\n\n\
            Acme runs shell commands that\na model asks for. It is free.\n";
        assert_eq!(
            tagline(readme),
            "Acme runs shell commands that a model asks for"
        );
    }

    #[test]
    fn a_sentence_that_defines_comes_first() {
        let readme =
            "Acme requires Python 3.10 or later.\n\n**Acme** is a framework for agents. More.\n";
        assert_eq!(tagline(readme), "Acme is a framework for agents");
    }

    #[test]
    fn art_and_addresses_are_no_sentences() {
        assert_eq!(tagline("██╗ ███╗ ██╗ ██╗\nhttps://x.example/a\n"), "");
    }

    #[test]
    fn other_scripts_are_sentences() {
        assert_eq!(
            tagline("开源企业级智能体平台，随处部署。\n"),
            "开源企业级智能体平台，随处部署。"
        );
    }

    #[test]
    fn placeholders_say_nothing() {
        assert!(!says_something("Add your description here"));
        assert!(says_something("A server"));
    }
}
