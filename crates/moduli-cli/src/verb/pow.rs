//! `moduli pow`: many exponentiations of one base.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    time::Instant,
};

use clap::Args;
use crypto_bigint::BoxedUint;
use moduli::FixedBase;
use serde::Serialize;

use crate::{
    failure::{self, Failure},
    io::{
        atomic_file::{self, Access, AtomicFile},
        format::{self, Format},
        input,
        number::Signed,
        opened::{self, Memory},
        output::Output,
        sink::Sink,
        stream::Stream,
    },
    threads,
    verb::{force::Force, target},
};

/// Raise the base of a table to many exponents.
///
/// Reads one exponent per line (a leading minus negates; --base-10 and --raw-width read other forms) and
/// writes one result per line, in the same order. The time may reveal how many digits a line has and whether
/// it begins with a minus, but not the digits, unless --public is given.
#[derive(Args)]
pub struct Pow {
    /// The table file, from `moduli table build`.
    #[arg(long, value_name = "FILE")]
    table: PathBuf,

    /// The checksum that the table must have, from a trusted source. Without it, all entries are verified,
    /// in the time that building the table takes. Without --digest, --group, or --modulus with --base,
    /// the modulus and the base of the file are trusted: a table that an attacker chose can reveal
    /// secret exponents.
    #[arg(long, value_name = "HEX")]
    digest: Option<String>,

    #[command(flatten)]
    expected: target::Expected,

    /// The file with the exponents; `-` is standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    input: PathBuf,

    /// The file for the results; `-` is standard output. The file appears when it is complete.
    #[arg(long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    #[command(flatten)]
    format: format::Options,

    #[command(flatten)]
    force: Force,

    /// The number of threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The exponents are public: faster, and variable-time.
    #[arg(long)]
    public: bool,

    /// Map the table instead of reading it: processes share one copy. Nobody may change the file meanwhile.
    /// If others can write to the file, it is read for secret exponents instead.
    #[arg(long)]
    mmap: bool,
}

/// The report on results that were written to a file.
#[derive(Serialize)]
struct Summary {
    count: usize,
    output: String,
    seconds: f64,
}

impl Pow {
    /// Computes block by block.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        self.format.check(output.is_json())?;
        let memory = Memory::asked_for(self.mmap, self.public);
        threads::with(self.threads.map(usize::from), || {
            if !input::is_standard(&self.output) {
                if atomic_file::identity(&self.table) == atomic_file::identity(&self.output) {
                    return Err(Failure::file(&self.output, &io::Error::other("it is the table itself")));
                }
                self.force.check(&self.output)?;
            }
            let table = self.open(memory)?;
            let format = self.format.format(table.modulus().bits());
            if input::is_standard(&self.output) {
                let mut sink = Sink::new(io::stdout(), output.is_json(), format);
                self.stream(&table, format, &mut sink, |error| Failure::output(&error))?;
                return Ok(());
            }
            let start = Instant::now();
            let mut file = AtomicFile::create(&self.output, Access::Usual)?;
            let failed = |error| Failure::file(&self.output, &error);
            let count = self.stream(&table, format, &mut Sink::new(&mut file, false, format), failed)?;
            file.finish(self.force.existing())?;
            if !output.is_json() {
                return Ok(());
            }
            let path = self.output.display().to_string();
            let summary = Summary { count, output: path, seconds: start.elapsed().as_secs_f64() };
            output.print(&summary, |_| Ok(()))
        })
    }

    fn open(&self, memory: Memory) -> Result<FixedBase, Failure> {
        if let Some(base) = self.expected.base()? {
            return opened::for_base(&self.table, memory, &base.modulus, &base.base);
        }
        if self.digest.is_none() && !self.public && io::stderr().is_terminal() {
            failure::say(format_args!(
                "note: {}: modulus and base come from the file; if an attacker chose them, results reveal exponents: \
                 name them (--group, or --modulus and --base), or the file (--digest)",
                self.table.display()
            ));
        }
        opened::on_trust(&self.table, memory, self.digest.as_deref())
    }

    fn stream<W: Write>(
        &self,
        table: &FixedBase,
        format: Format,
        sink: &mut Sink<W>,
        failed: impl Fn(io::Error) -> Failure,
    ) -> Result<usize, Failure> {
        Stream { input: &self.input, output: &self.output, verb: "pow", format }.run(
            sink,
            failed,
            |block, before| self.powers(table, block, before, format),
        )
    }

    fn powers(
        &self,
        table: &FixedBase,
        block: &[Signed],
        before: usize,
        format: Format,
    ) -> Vec<Result<Option<BoxedUint>, Failure>> {
        let exponents = block.iter().map(Signed::exponent);
        let powers =
            if self.public { table.pow_batch_vartime(exponents) } else { table.pow_batch(exponents) };
        let at_line = |(index, power): (usize, Result<_, _>)| {
            power.map(Some).map_err(|error| format.at(before + index + 1, error))
        };
        powers.into_iter().enumerate().map(at_line).collect()
    }
}
