//! What a rule's help says: the rubric's own sentences, as far as they stand without a repository.

use super::log::Help;
use super::rules::Subject;
use crate::rubric::CriterionFile;
use crate::scorecard::{CriterionId, Level, Method, ParameterId};

/// The criteria's rubric files.
pub(super) struct Ladders<'a> {
    files: &'a [CriterionFile],
}

impl<'a> Ladders<'a> {
    pub(super) fn new(files: &'a [CriterionFile]) -> Self {
        Self { files }
    }

    fn of(&self, criterion: CriterionId) -> Option<&'a CriterionFile> {
        let id = criterion.to_string();
        self.files.iter().find(|file| file.id == id)
    }
}

/// What a parameter measures, or what a critical gap is (method.md, "Numbers", "How to rate").
pub(super) fn measure(subject: Subject) -> &'static str {
    match subject {
        Subject::Parameter(ParameterId::S) => "Strength: how well the control works when it is on.",
        Subject::Parameter(ParameterId::C) => "Coverage: which paths go through the control.",
        Subject::Parameter(ParameterId::D) => {
            "Default: how the control ships, and who can switch it off."
        }
        Subject::Parameter(ParameterId::B) => {
            "Blast radius: what can go wrong once the control has failed."
        }
        Subject::Gap => {
            "Critical gap: a cap holds the criterion down, or nothing bounds the damage once its control has failed."
        }
    }
}

/// The help of a rule: its question, what each next level asks for, the fixes that the rubric knows, and the caps.
pub(super) fn help(
    method: &Method,
    ladders: &Ladders<'_>,
    criterion: CriterionId,
    subject: Subject,
) -> Help {
    let facts = method.criterion(criterion);
    let mut text = format!("{}\n\n{}\n", facts.question, measure(subject));
    if let Some(file) = ladders.of(criterion) {
        if let Subject::Parameter(parameter) = subject {
            push_levels(&mut text, file, parameter);
        }
        push_fixes(&mut text, file, subject);
        push_caps(&mut text, file, method);
    }
    // Markdown lists read as plain text, too.
    Help {
        markdown: text.clone(),
        text,
    }
}

fn push_levels(text: &mut String, file: &CriterionFile, parameter: ParameterId) {
    for level in (0..Level::MAX).map(Level::Rung) {
        let rungs = file
            .ladder
            .iter()
            .filter(|ladder| *ladder.parameter.get_ref() == parameter)
            .flat_map(|ladder| &ladder.rung)
            .filter(|rung| *rung.level.get_ref() == level);
        let gaps = rungs.filter_map(|rung| rung.gap.as_deref());
        push_list(text, &format!("From {level} to the next level:"), gaps);
    }
}

fn push_fixes(text: &mut String, file: &CriterionFile, subject: Subject) {
    let fixes = file
        .fix
        .iter()
        .filter(|fix| match subject {
            Subject::Parameter(parameter) => *fix.parameter.get_ref() == parameter,
            Subject::Gap => true,
        })
        .filter(|fix| is_plain(&fix.summary))
        .map(|fix| format!("{} ({})", fix.summary.trim(), fix.playbook))
        .collect::<Vec<_>>();
    push_list(text, "Fixes:", fixes.iter().map(String::as_str));
}

fn push_caps(text: &mut String, file: &CriterionFile, method: &Method) {
    let mut caps: Vec<String> = Vec::new();
    for cap in &file.cap {
        let id = cap.id.get_ref();
        let line = format!("{id} holds it to {}", method.cap_max(id).two_decimals());
        caps.push(line);
    }
    push_list(
        text,
        "Caps on the criterion:",
        caps.iter().map(String::as_str),
    );
}

/// A heading and its items, each once; nothing without items.
fn push_list<'t>(text: &mut String, heading: &str, items: impl Iterator<Item = &'t str>) {
    let mut listed: Vec<&str> = Vec::new();
    for item in items.map(str::trim).filter(|item| is_plain(item)) {
        if !listed.contains(&item) {
            listed.push(item);
        }
    }
    if listed.is_empty() {
        return;
    }
    text.push_str(&format!("\n{heading}\n\n"));
    for item in listed {
        text.push_str(&format!("- {item}\n"));
    }
}

/// Whether a sentence of the rubric says the same of every repository.
fn is_plain(template: &str) -> bool {
    !template.contains("{{") && !template.contains("{%")
}
