//! What a card says of the project besides the ratings.

/// Names, commit and date of a card.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Slug.
    pub id: String,
    /// Display name.
    pub name: String,
    /// `https://…`.
    pub repo_url: String,
    /// Folder that is scored inside a monorepo.
    pub subpath: Option<String>,
    /// One line.
    pub description: String,
    /// Commit, 40 hexadecimal digits.
    pub commit: String,
    /// Tag at that commit.
    pub version: Option<String>,
    /// YYYY-MM-DD.
    pub date: String,
}
