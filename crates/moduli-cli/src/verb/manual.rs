//! `moduli completions` and `moduli manual`: output for shells and for `man`.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{
    failure::Failure,
    io::{
        atomic_file::{self, Access},
        input,
    },
    verb::force::Force,
};

/// Print a completion script for a shell.
///
/// bash: moduli completions bash > ~/.local/share/bash-completion/completions/moduli
#[derive(Args)]
pub struct Completions {
    /// Which shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages of the command and its verbs.
#[derive(Args)]
pub struct Manual {
    /// The folder for the pages, for example ~/.local/share/man/man1; created if it does not exist.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[command(flatten)]
    force: Force,
}

impl Completions {
    /// Prints the script for all arguments of the command.
    pub fn run(&self, mut command: Command) -> Result<(), Failure> {
        // Writes to memory first, because `generate` panics if writing fails.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "moduli", &mut text);
        let mut out = io::stdout().lock();
        out.write_all(&text).and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }
}

impl Manual {
    /// Writes a page for the command and each of its verbs.
    pub fn run(&self, mut command: Command) -> Result<(), Failure> {
        if input::is_standard(&self.output) {
            return Err(Failure::Usage("--output is a folder; standard output is not one".into()));
        }
        command.build();
        let mut pages = Vec::new();
        render(&command, &mut pages).map_err(|error| Failure::file(&self.output, &error))?;
        for (name, _) in &pages {
            self.force.check(&self.output.join(name))?;
        }
        fs::create_dir_all(&self.output).map_err(|error| Failure::file(&self.output, &error))?;
        for (name, page) in &pages {
            atomic_file::write(&self.output.join(name), page, Access::Usual, self.force.existing())?;
        }
        Ok(())
    }
}

/// The page of a command, and the pages of its verbs.
fn render(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name.clone()).render(&mut page)?;
    pages.push((format!("{name}.1"), page));
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
        render(verb, pages)?;
    }
    Ok(())
}
