//! What a file is there for.

use serde::{Deserialize, Serialize};

/// What a file is there for; decides what may establish a default (method.md, "What kind of project").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What the product does when it runs.
    Source,
    /// Tests and what only they need, evaluations, benchmarks.
    Test,
    /// Shows others how to use the product.
    Example,
    /// Describes the product.
    Documentation,
    /// Installs, configures and starts the product: images, compose files, charts, env templates, workflows.
    Deployment,
    /// Makes, checks and publishes the product.
    Tooling,
    /// Copied from another project.
    Vendored,
    /// Written by a program.
    Generated,
}

impl Role {
    /// The name that rubric files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Test => "test",
            Self::Example => "example",
            Self::Documentation => "documentation",
            Self::Deployment => "deployment",
            Self::Tooling => "tooling",
            Self::Vendored => "vendored",
            Self::Generated => "generated",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
