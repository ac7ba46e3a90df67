//! A badge with the total and its band: as the JSON of a shields.io endpoint, and as an SVG.

use minijinja::HtmlEscape;
use serde::Serialize;

use super::escape::plain;
use crate::scorecard::ScoredCard;

const LABEL: &str = "defense in depth";

/// What a shields.io endpoint answers, for [`to_json`](crate::scorecard::to_json).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BadgeEndpoint {
    schema_version: u8,
    label: &'static str,
    message: String,
    color: &'static str,
}

impl BadgeEndpoint {
    /// The badge of a scored card.
    pub fn new(scored: &ScoredCard<'_>) -> Self {
        Self {
            schema_version: 1,
            label: LABEL,
            message: message(scored),
            color: colour(&scored.band.color),
        }
    }
}

/// The badge as an SVG that loads nothing; its title tells a screen reader what it shows and of which project.
pub fn badge_svg(scored: &ScoredCard<'_>) -> String {
    let message = message(scored);
    let (left, right) = (width(LABEL), width(&message));
    let title = format!("{}: {LABEL} {message}", xml_safe(&scored.card.name));
    format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{title}">"#,
            "\n  <title>{title}</title>\n",
            "  <rect width=\"{left}\" height=\"20\" fill=\"#444\"/>\n",
            "  <rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n",
            "  <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" ",
            "aria-hidden=\"true\">\n",
            "    <text x=\"{left_middle}\" y=\"14\" textLength=\"{left_text}\">{label}</text>\n",
            "    <text x=\"{right_middle}\" y=\"14\" textLength=\"{right_text}\">{message}</text>\n",
            "  </g>\n</svg>\n",
        ),
        whole = left + right,
        title = HtmlEscape(&title),
        left = left,
        right = right,
        colour = colour(&scored.band.color),
        left_middle = left / 2,
        left_text = left - PADDING,
        label = HtmlEscape(LABEL),
        right_middle = left + right / 2,
        right_text = right - PADDING,
        message = HtmlEscape(&message),
    )
}

/// `3.0/10 Minimal`.
fn message(scored: &ScoredCard<'_>) -> String {
    format!(
        "{}/10 {}",
        scored.total.one_decimal(),
        xml_safe(&scored.band.label)
    )
}

/// White text on each has a contrast of at least 4.5 (WCAG 2.2, AA). A band of another method is grey.
fn colour(band: &str) -> &'static str {
    match band {
        "green" => "#2e7d32",
        "amber" => "#a15c00",
        "red" => "#c62828",
        _ => "#595959",
    }
}

/// Space to the left and right of a text, in pixels.
const PADDING: usize = 12;
/// Average width of a character at 11 pixels; `textLength` makes up for what it is off.
const CHARACTER: usize = 7;

fn width(text: &str) -> usize {
    text.chars().count() * CHARACTER + PADDING
}

/// [`plain`], without the two characters that XML 1.0 forbids beside the control characters.
fn xml_safe(text: &str) -> String {
    plain(text).replace(['\u{FFFE}', '\u{FFFF}'], "")
}
