//! How a run ends other than well, and which status the shell gets.

use std::{
    fmt::{self, Display},
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use moduli::Error;

/// Why a run did not end well.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong with an input: one line on standard error, status 1.
    Error(Error),
    /// The same for what is no error of the library: a file, a number that is none, a wrong result of ours.
    Wrong(String),
    /// One of these, where the line of a stream is known.
    AtLine(usize, Box<Self>),
    /// The same, for a stream of rows of bytes.
    AtRow(usize, Box<Self>),
    /// Options that do not go together: one line on standard error, status 2.
    Usage(String),
    /// The answer is no and has been printed: status 1.
    Answered,
    /// Nobody reads standard output any more: nothing is left to do or to say.
    Closed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl Failure {
    /// The same, at a line of a stream.
    pub fn at_line(line: usize, failure: impl Into<Self>) -> Self {
        Self::AtLine(line, Box::new(failure.into()))
    }

    /// An error of the operating system, with the file it concerns.
    pub fn file(path: impl AsRef<Path>, error: &io::Error) -> Self {
        Self::about(path, error)
    }

    /// Something wrong with a file.
    pub fn about(path: impl AsRef<Path>, reason: impl Display) -> Self {
        Self::Wrong(format!("{}: {reason}", path.as_ref().display()))
    }

    /// An error while writing to standard output, where a reader that went away is none.
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

/// The status for the end of a run; says what is to be said.
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

/// The status for a command line that was not understood (2), or that asked for help or the version (0).
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
            // The first paragraph says what is wrong; the rest repeats the help.
            let text = error.render().to_string();
            let paragraph: Vec<&str> =
                text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            let reason = paragraph.join(" ");
            say(format_args!("{} (see --help)", reason.strip_prefix("error: ").unwrap_or(&reason)));
            ExitCode::from(2)
        }
    }
}

/// One line on standard error. Where that cannot be written either, the status must do.
pub fn say(message: impl Display) {
    let _ = writeln!(io::stderr(), "moduli: {message}");
}
