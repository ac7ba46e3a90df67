//! What every override needs: a reason, evidence, the commit that was looked at, and a last day.

use jiff::civil::Date;
use serde_saphyr::Spanned;

use super::overlay::{Change, OverlayError, Override};
use crate::scorecard::{Evidence, LineRange};

/// What every override has.
pub(super) struct Terms {
    pub(super) reason: String,
    pub(super) evidence: Vec<Evidence>,
    pub(super) commit: Option<String>,
    pub(super) until: Option<String>,
}

/// What stands at the top of the file, for overrides that do not say.
pub(super) struct Defaults<'f> {
    pub(super) commit: Option<&'f Spanned<String>>,
    pub(super) until: Option<&'f Spanned<String>>,
}

impl Defaults<'_> {
    /// Wrong ones are told where they stand, not at the overrides that use them.
    pub(super) fn check(&self) -> Result<(), OverlayError> {
        let at = |line| move |message| OverlayError { line, message };
        if let Some(commit) = self.commit {
            check_commit(&commit.value).map_err(at(commit.referenced.line()))?;
        }
        if let Some(until) = self.until {
            date(&until.value).map_err(at(until.referenced.line()))?;
        }
        Ok(())
    }

    /// The whole override.
    ///
    /// # Errors
    /// What it lacks, or what of it is wrong.
    pub(super) fn complete(
        &self,
        line: u64,
        change: Change,
        terms: Terms,
    ) -> Result<Override, String> {
        check_texts(&change)?;
        let reason = one_line(&terms.reason);
        if reason.is_empty() {
            return Err(format!("{change}: a reason is needed"));
        }
        check_evidence(&change, &terms.evidence)?;
        let commit = terms
            .commit
            .or_else(|| self.commit.map(|c| c.value.clone()));
        let commit = commit.ok_or_else(|| {
            format!(
                "{change}: `commit` is needed, here or at the top: the commit that you looked at"
            )
        })?;
        check_commit(&commit)?;
        let until = terms.until.or_else(|| self.until.map(|u| u.value.clone()));
        let until = until.ok_or_else(|| {
            format!(
                "{change}: `until` is needed, here or at the top: the last day on which it holds"
            )
        })?;
        Ok(Override {
            line,
            change,
            reason,
            evidence: terms.evidence,
            commit,
            until: date(&until)?,
        })
    }
}

fn check_commit(text: &str) -> Result<(), String> {
    let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    match text.len() == 40 && text.bytes().all(is_hex) {
        true => Ok(()),
        false => Err(format!(
            "commit: {text:?} is not a whole commit, 40 lower-case hexadecimal digits"
        )),
    }
}

/// jiff reads more forms than this one, so the date has to print as it was written.
fn date(text: &str) -> Result<Date, String> {
    let date = text.parse::<Date>().ok();
    date.filter(|date| date.to_string() == text)
        .ok_or_else(|| format!("until: {text:?} is not a date as YYYY-MM-DD"))
}

/// Sentences of a card are lines of its file and of its Markdown.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check_texts(change: &Change) -> Result<(), String> {
    let (key, text) = match change {
        Change::Level { finding, .. } => ("finding", finding),
        Change::Absence { summary, .. } => ("summary", summary),
        Change::Sentence { text, .. } => ("text", text),
        Change::Cap { id, .. } => ("cap", id),
        Change::Acceptance { says, .. } => ("says", says),
    };
    match text.trim().is_empty() {
        true => Err(format!("{change}: `{key}` is empty")),
        false => Ok(()),
    }
}

/// An override has to be looked at again at other commits, so that a citation needs a quote.
fn check_evidence(change: &Change, evidence: &[Evidence]) -> Result<(), String> {
    let may_have_none = matches!(change, Change::Acceptance { .. });
    if evidence.is_empty() && !may_have_none {
        return Err(format!(
            "{change}: evidence is needed, a citation or a search"
        ));
    }
    let is_absence = matches!(change, Change::Absence { .. });
    if is_absence && !evidence.iter().any(Evidence::is_search) {
        return Err(format!("{change}: an absence needs a search"));
    }
    for item in evidence {
        let Evidence::Citation {
            file,
            lines,
            contains,
            ..
        } = item
        else {
            continue;
        };
        if LineRange::parse(lines).is_none() {
            return Err(format!("{change}: lines: {lines:?} is not N or N-M"));
        }
        if contains
            .as_deref()
            .is_none_or(|quote| quote.trim().is_empty())
        {
            return Err(format!(
                "{change}: {file}:{lines} needs `contains`, a literal text of those lines, to be found at other commits"
            ));
        }
    }
    Ok(())
}
