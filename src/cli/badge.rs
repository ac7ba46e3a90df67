//! `audit badge`: the total of a card as a badge.

use super::args::{BadgeArguments, BadgeFormat};
use super::failure::Failure;
use super::render::load;
use super::{exit, output};
use crate::render::{BadgeEndpoint, badge_svg};
use crate::scorecard::{Method, ScoredCard, to_json};

pub(super) fn run(arguments: &BadgeArguments) -> Result<u8, Failure> {
    let card = load(&arguments.card)?;
    let method = Method::built_in().map_err(Failure::internal)?;
    let scored = ScoredCard::new(&card, &method);
    let text = match arguments.format {
        BadgeFormat::Json => to_json(&BadgeEndpoint::new(&scored)).map_err(Failure::internal)?,
        BadgeFormat::Svg => badge_svg(&scored),
    };
    output::print(&text)?;
    Ok(exit::OK)
}
