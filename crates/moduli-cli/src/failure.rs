//! The failures of a run, and the exit status for each.

use std::{
    fmt::{self, Display},
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use moduli::Error;

/// The reason why a run failed.
#[derive(Debug)]
pub enum Failure {
    /// An invalid input: one line on standard error, status 1.
    Error(Error),
    /// The same for errors outside the library: a file, a malformed number, or a wrong result of
    /// the command.
    Wrong(String),
    /// A failure at a known line of a stream.
    AtLine(usize, Box<Self>),
    /// A failure at a known row of a stream of byte rows.
    AtRow(usize, Box<Self>),
    /// Options that exclude each other: one line on standard error, status 2.
    Usage(String),
    /// The answer is no and was printed: status 1.
    Answered,
    /// The reader of standard output has closed it: the run ends silently.
    Closed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl Failure {
    /// A failure at a line of a stream.
    pub fn at_line(line: usize, failure: impl Into<Self>) -> Self {
        Self::AtLine(line, Box::new(failure.into()))
    }

    /// An error of the operating system, with the path of the file.
    pub fn file(path: impl AsRef<Path>, error: &io::Error) -> Self {
        Self::about(path, error)
    }

    /// An error about a file.
    pub fn about(path: impl AsRef<Path>, reason: impl Display) -> Self {
        Self::Wrong(format!("{}: {reason}", path.as_ref().display()))
    }

    /// An error while writing to standard output. A closed pipe is not an error.
    pub fn output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::about("standard output", error.to_string()),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{error}"),
            Self::AtLine(line, error) => write!(f, "line {line}: {error}"),
            Self::AtRow(row, error) => write!(f, "row {row}: {error}"),
            Self::Wrong(reason) | Self::Usage(reason) => f.write_str(reason),
            Self::Answered => f.write_str("the answer is no"),
            Self::Closed => f.write_str("standard output is closed"),
        }
    }
}

/// The exit status of a run. Prints the error message, if there is one.
pub fn exit_for(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Answered) => ExitCode::FAILURE,
        Err(failure @ (Failure::Error(_) | Failure::AtLine(..) | Failure::AtRow(..) | Failure::Wrong(_))) => {
            say(failure);
            ExitCode::FAILURE
        }
        Err(failure @ Failure::Usage(_)) => {
            say(failure);
            ExitCode::from(2)
        }
    }
}

/// The exit status for an invalid command line (2), or for help or the version (0).
pub fn exit_for_usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    match error.kind() {
        DisplayHelp | DisplayVersion => {
            let written = write!(io::stdout(), "{}", error.render()).and_then(|()| io::stdout().flush());
            exit_for(written.map_err(|error| Failure::output(&error)))
        }
        DisplayHelpOnMissingArgumentOrSubcommand => {
            let help = error.render().to_string();
            let usage =
                help.lines().find(|line| line.starts_with("Usage:")).unwrap_or("Usage: moduli <COMMAND>");
            say(format_args!("a command is missing. {usage} (moduli --help lists them)"));
            ExitCode::from(2)
        }
        _ => {
            // The first paragraph states the error; the rest repeats the help.
            let text = error.render().to_string();
            let paragraph: Vec<&str> =
                text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let reason = paragraph.join(" ");
            say(format_args!("{} (see --help)", reason.strip_prefix("error: ").unwrap_or(&reason)));
            ExitCode::from(2)
        }
    }
}

/// Prints one line on standard error. If that fails, only the status reports the failure.
pub fn say(message: impl Display) {
    let _ = writeln!(io::stderr(), "moduli: {message}");
}
