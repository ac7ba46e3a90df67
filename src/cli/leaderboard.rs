//! `audit leaderboard`: the cards of a folder, ranked.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::{LeaderboardArguments, LeaderboardFormat};
use super::failure::Failure;
use super::{exit, output, render as cards};
use crate::batch::{EntryFailure, FAILURE};
use crate::leaderboard::Leaderboard;
use crate::render;
use crate::scorecard::{Method, Scorecard, ScoredCard, check, to_json};

/// The forms of a card, the authored one first.
const FORMS: [&str; 2] = ["scorecard.json", "entry.json"];

/// Largest record of a failure that is read, in bytes.
const LARGEST_FAILURE: u64 = 1 << 20;

pub(super) fn run(arguments: &LeaderboardArguments) -> Result<u8, Failure> {
    let method = Method::built_in().map_err(Failure::internal)?;
    let now = Found::in_folder(&arguments.folder, &method)?;
    let previous = arguments.previous.as_deref();
    let previous = previous
        .map(|folder| Found::in_folder(folder, &method))
        .transpose()?;
    if now.cards.is_empty() && now.without_card.is_empty() {
        return Err(Failure::input(format!(
            "{}: no card in its folders; a card lies in {}/NAME/scorecard.json",
            arguments.folder.display(),
            arguments.folder.display()
        )));
    }
    let scored = now.scored(&method);
    let before = previous.as_ref().map(|found| found.scored(&method));
    let board = Leaderboard::new(&scored, before.as_deref(), now.without_card.clone());
    let text = match arguments.format {
        LeaderboardFormat::Md => render::leaderboard_markdown(&board),
        LeaderboardFormat::Json => to_json(&board).map_err(Failure::internal)?,
        LeaderboardFormat::Html => render::leaderboard_html(&board).map_err(Failure::internal)?,
    };
    output::print(&text)?;
    let broken = [Some(&now), previous.as_ref()];
    let broken = broken.into_iter().flatten().flat_map(|found| &found.broken);
    Ok(match broken.map(|line| output::note(line)).count() {
        0 => exit::OK,
        _ => exit::PROBLEMS,
    })
}

/// What lies in a folder.
#[derive(Default)]
struct Found {
    cards: BTreeMap<String, Scorecard>,
    without_card: Vec<EntryFailure>,
    /// A line for each card that cannot be used.
    broken: Vec<String>,
}

impl Found {
    fn in_folder(folder: &Path, method: &Method) -> Result<Self, Failure> {
        let wrong = |error| Failure::io(folder, error);
        let mut places: Vec<PathBuf> = fs::read_dir(folder)
            .map_err(wrong)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(wrong)?;
        places.sort();
        let mut found = Self::default();
        for place in places.iter().filter(|place| place.is_dir()) {
            found.take(place, method);
        }
        Ok(found)
    }

    /// Takes the card or the failure that lies in `place`.
    fn take(&mut self, place: &Path, method: &Method) {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        if place.join(FAILURE).exists() {
            // A card beside it is of an earlier run.
            self.without_card.push(failure(place, &name));
            return;
        }
        let Some(file) = FORMS
            .map(|form| place.join(form))
            .into_iter()
            .find(|f| f.exists())
        else {
            return;
        };
        match self.load(&file, method) {
            Ok(card) => {
                self.cards.insert(card.id.clone(), card);
            }
            Err(message) => {
                let message = crate::rubric::inert(&message);
                self.broken.push(format!("audit: {message}"));
                self.without_card
                    .push(EntryFailure::new(&name, exit::INPUT, &message));
            }
        }
    }

    fn load(&self, file: &Path, method: &Method) -> Result<Scorecard, String> {
        let card = cards::load(file).map_err(|e| e.to_string())?;
        let wrong = |message: String| Err(format!("{}: {message}", file.display()));
        if let Some(problem) = check(&card, method).first() {
            return wrong(problem.to_string());
        }
        match self.cards.contains_key(&card.id) {
            true => wrong(format!("another folder has a card of the id `{}`", card.id)),
            false => Ok(card),
        }
    }

    fn scored<'a>(&'a self, method: &'a Method) -> Vec<ScoredCard<'a>> {
        let cards = self.cards.values();
        cards.map(|card| ScoredCard::new(card, method)).collect()
    }
}

/// The record in `place`; its words are somebody else's, and so may be anything.
fn failure(place: &Path, name: &str) -> EntryFailure {
    let text = output::read_text(&place.join(FAILURE), LARGEST_FAILURE).unwrap_or_default();
    match serde_json::from_str::<EntryFailure>(&text) {
        Ok(read) => EntryFailure::new(name, read.code, &read.reason),
        Err(_) => EntryFailure::new(
            name,
            exit::PROBLEMS,
            "failed; its failure.json cannot be read",
        ),
    }
}
