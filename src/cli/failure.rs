//! What ends a command: a message and an exit code.

use std::error::Error;
use std::path::Path;
use std::{fmt, io};

use super::exit;
use crate::audit::{AuditError, RulebookError};
use crate::checkout::CheckoutError;
use crate::input;

/// One clear message for stderr and the exit code that belongs to it.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) code: u8,
    message: String,
}

impl Failure {
    /// Bad input: a flag, a file, a rubric.
    pub(super) fn input(message: impl fmt::Display) -> Self {
        Self {
            code: exit::INPUT,
            message: message.to_string(),
        }
    }

    /// The same failure, of what `flag` names.
    pub(super) fn of_flag(mut self, flag: &str) -> Self {
        self.message = format!("{flag} {}", self.message);
        self
    }

    /// The same failure, at one of two commits.
    pub(super) fn at(mut self, commit: &str) -> Self {
        self.message = format!("at {commit:.12}: {}", self.message);
        self
    }

    /// Reading or writing `place` failed; a full disk has a code of its own.
    pub(super) fn io(place: &Path, error: io::Error) -> Self {
        Self::told(&place.display().to_string(), &error)
    }

    /// Printing on stdout failed.
    pub(super) fn stdout(error: &io::Error) -> Self {
        Self::told("stdout", error)
    }

    fn told(place: &str, error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        let is_full = matches!(
            error.kind(),
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge
        );
        // An error about a temporary file is wrapped in that file's random name.
        let cause = error.source().and_then(|cause| cause.downcast_ref());
        Self {
            code: if is_full { exit::NO_SPACE } else { exit::INPUT },
            message: format!("{place}: {}", input::reason(cause.unwrap_or(error))),
        }
    }

    /// The user pressed ctrl-C.
    pub(super) fn interrupted() -> Self {
        Self {
            code: exit::INTERRUPTED,
            message: "interrupted; nothing was written".to_owned(),
        }
    }

    /// The program contradicts itself.
    pub(super) fn internal(message: impl fmt::Display) -> Self {
        Self {
            code: exit::INTERNAL,
            message: message.to_string(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<CheckoutError> for Failure {
    fn from(error: CheckoutError) -> Self {
        Self {
            code: error.exit_code(),
            message: error.to_string(),
        }
    }
}

impl From<RulebookError> for Failure {
    fn from(error: RulebookError) -> Self {
        Self::input(error)
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        let code = match error {
            AuditError::NoSubject(_) => exit::NO_SUBJECT,
            AuditError::Unreadable { .. } => exit::UNREADABLE,
            _ => exit::INPUT,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }
}
