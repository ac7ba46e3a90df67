//! The overlay that a review begins with: every key explained, every override ready to be uncommented.

use super::escape::{plain, yaml};
use crate::scorecard::{
    Criterion, CriticalFinding, MechanismKind, ParameterId, Parameters, Rating, Scorecard,
};

const HEAD: &str = "\
# A reviewer's overlay: `audit REPO --review FILE` and `audit render CARD --review FILE` apply it to the card.
# Remove the `#` in front of the lines that you want, and fill them in. docs/review.md explains every key.
#
# Every override needs
#   reason    why the card is wrong, in a sentence; it is printed in the Re-audit log
#   evidence  what shows it: citations whose `contains` is a literal text of those lines, or searches with their count:
#               - {file: src/run.py, lines: \"10-12\", contains: \"shell=True\"}
#               - {search: \"rg -n 'shell=True'\", scope: src, hits: 1, note: \"the only one\"}
#   commit    the commit that you looked at, and
#   until     the last day on which the override holds; both here for all, or at an override for that one
# `from` and `says` are what the card says without you: when it says something else one day, the override is reported
# and not applied.

";
const LEVELS: &str = "\
# A parameter that should have another level. With it come its finding, and below L4 the gap: what the next level lacks.
# They are filled in as the card has them: change them with the level. `from` and `to` are 0 to 4 or SA. Add
# `status: inferred` when you reasoned it.
levels:
";
const CAPS: &str = "
# A cap that applies (the reason is printed beside it) or does not.
caps:
";
const ABSENCES: &str = "
# A risk surface that does not exist at all. The evidence has to hold a search that finds nothing of it.
absences:
";
const SENTENCES: &str = "
# A sentence: headline, C4.summary, C4.S.finding or C4.S.gap. `says` is the card's sentence, `text` is yours.
sentences:
";
const ACCEPTED: &str = "
# A finding that is an accepted risk: C5 for a critical gap, C5.B for the finding of a parameter. It stays on the card and
# scores what it scores; the card adds that it is accepted, why, and until when. Evidence may be left out.
accepted:
";

/// The overlay for `card`, in which nothing is set yet; its overrides are to hold until `until` (YYYY-MM-DD).
pub fn review_template(card: &Scorecard, until: &str) -> String {
    let mut text = format!(
        "{HEAD}card: {}\ncommit: {}\nuntil: {}\n\n{LEVELS}",
        yaml(&card.id),
        yaml(&card.pinned_commit),
        yaml(until)
    );
    for criterion in &card.criteria {
        push_levels(criterion, &mut text);
    }
    text.push_str(CAPS);
    card.criteria.iter().for_each(|c| push_caps(c, &mut text));
    text.push_str(ABSENCES);
    push_absence(&mut text);
    text.push_str(SENTENCES);
    push_sentence("headline", &card.headline, &mut text);
    for criterion in &card.criteria {
        let at = format!("{}.summary", criterion.id);
        push_sentence(&at, &criterion.summary, &mut text);
    }
    text.push_str(ACCEPTED);
    card.critical_findings
        .iter()
        .for_each(|gap| push_acceptance(gap, &mut text));
    text
}

/// One item of a list, commented out: the keys that are known, then those that are left to fill in.
fn push_item(known: &[(&str, String)], open: &[&str], text: &mut String) {
    let given = known.iter().map(|(key, value)| format!("{key}: {value}"));
    let lines = given.chain(open.iter().map(|key| format!("{key}:")));
    for (number, line) in lines.enumerate() {
        let dash = if number == 0 { "-" } else { " " };
        text.push_str(&format!("#  {dash} {line}\n"));
    }
}

/// The keys that every override leaves to the reviewer.
const TERMS: [&str; 2] = ["reason", "evidence"];

fn push_levels(criterion: &Criterion, text: &mut String) {
    match &criterion.rating {
        Rating::Absent { .. } => {
            text.push_str(&format!(
                "# {} is absent on the card. To rate it, set all four parameters, `from: SA`, and its summary below.\n",
                criterion.id
            ));
            for parameter in ParameterId::ALL {
                let known = [
                    ("at", format!("{}.{parameter}", criterion.id)),
                    ("from", "SA".to_owned()),
                ];
                push_item(
                    &known,
                    &["to", "finding", "gap", "reason", "evidence"],
                    text,
                );
            }
        }
        Rating::Scored(rated) => {
            let parameters = &rated.default.parameters;
            push_parameters(criterion, MechanismKind::Default, parameters, text);
            if let Some(alt) = &rated.alt {
                push_parameters(criterion, MechanismKind::Alt, &alt.parameters, text);
            }
        }
    }
}

fn push_parameters(
    criterion: &Criterion,
    kind: MechanismKind,
    parameters: &Parameters,
    text: &mut String,
) {
    let alt = match kind {
        MechanismKind::Default => "",
        MechanismKind::Alt => ".alt",
    };
    for (id, parameter) in parameters.iter() {
        text.push_str(&format!("# {}{alt}.{id}: {}\n", criterion.id, id.name()));
        let from = parameter.level.to_string();
        let known = [
            ("at", format!("{}{alt}.{id}", criterion.id)),
            ("from", from.trim_start_matches('L').to_owned()),
            ("to", from.trim_start_matches('L').to_owned()),
            ("finding", yaml(&parameter.finding)),
            ("gap", yaml(parameter.gap.as_deref().unwrap_or_default())),
        ];
        push_item(&known, &TERMS, text);
    }
}

fn push_caps(criterion: &Criterion, text: &mut String) {
    let Rating::Scored(rated) = &criterion.rating else {
        return;
    };
    for cap in &rated.default.caps {
        text.push_str(&format!(
            "# {} on the card: {}\n",
            plain(&cap.id),
            plain(&cap.reason)
        ));
        let known = [
            ("at", criterion.id.to_string()),
            ("cap", yaml(&cap.id)),
            ("applies", "false".to_owned()),
        ];
        push_item(&known, &TERMS, text);
    }
}

fn push_absence(text: &mut String) {
    let known = [("at", "C9".to_owned())];
    push_item(&known, &["summary", "reason", "evidence"], text);
}

fn push_sentence(at: &str, says: &str, text: &mut String) {
    let known = [("at", at.to_owned()), ("says", yaml(says))];
    push_item(&known, &["text", "reason", "evidence"], text);
}

fn push_acceptance(gap: &CriticalFinding, text: &mut String) {
    let known = [
        ("at", gap.criterion.to_string()),
        ("says", yaml(&gap.summary)),
    ];
    push_item(&known, &["reason"], text);
}
