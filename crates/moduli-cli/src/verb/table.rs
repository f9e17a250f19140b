//! `moduli table`: builds, shows and checks table files.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use clap::{Args, Subcommand};
use moduli::{
    FixedBase, MemorySize, Method, Secrecy,
    fixed::{Shape, TableInfo},
};
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{
        atomic_file::{Access, AtomicFile},
        costs::CostOptions,
        input, number,
        opened::{self, Memory},
        output::Output,
        progress,
    },
    verb::{force::Force, target::Target},
};

/// Build, show and check table files.
#[derive(Args)]
pub struct Table {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Build(Build),
    Info(Info),
    Verify(Verify),
}

/// Build the table of a base.
#[derive(Args)]
struct Build {
    #[command(flatten)]
    target: Target,

    /// Exponents are below 2^N [default: as the group needs, or the length of the modulus].
    #[arg(long, value_name = "N")]
    exponent_bits: Option<u32>,

    /// The most bytes that the table may take, such as 64KiB, 1MiB or 2GiB [default: 1MiB, or what the
    /// method needs].
    #[arg(long, value_name = "SIZE")]
    budget: Option<String>,

    #[arg(long, value_name = "METHOD", default_value = "auto", help = format!("The method: auto, {}", Method::FORMS))]
    method: String,

    /// The number of pieces in which entries are prepared [default: the planner's choice; 1 with --method].
    #[arg(long, value_name = "S")]
    split: Option<u32>,

    /// Exponents are public: plan for the variable-time calls.
    #[arg(long)]
    public: bool,

    /// The number of exponents given at once: if they fill the lanes of the kernel on all cores, the table
    /// is the best for such batches.
    #[arg(long, value_name = "N", default_value_t = 1)]
    batch: u64,

    #[command(flatten)]
    costs: CostOptions,

    /// The file to write; `-` is standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    force: Force,
}

/// Print the description in a table file.
#[derive(Args)]
struct Info {
    /// The table file.
    file: PathBuf,
}

/// Recompute the entries of a table file from its own base.
///
/// Compare the base and the modulus yourself: the maker of a table for another base learns the secret
/// exponents that are used with it. A table is rejected if its exponents are so long for its number of
/// entries that a short file would cause long work.
#[derive(Args)]
struct Verify {
    /// The table file.
    file: PathBuf,

    /// Check only N entries, chosen at random; all of them, if that takes no longer.
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
}

/// The description of a table in every answer.
#[derive(Serialize)]
struct Description {
    method: String,
    split: u32,
    exponent_bits: u32,
    entries: u64,
    table_bytes: u64,
    layout: String,
    modulus_bits: u32,
    modulus: String,
    base: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    digest: String,
}

#[derive(Serialize)]
struct Built {
    file: String,
    #[serde(flatten)]
    table: Description,
    scratch_bytes: u64,
    build_seconds: f64,
}

#[derive(Serialize)]
struct Verified {
    ok: bool,
    file: String,
    entries_checked: u64,
    #[serde(flatten)]
    table: Description,
    seconds: f64,
    trust: &'static str,
}

const TRUST: &str =
    "the entries are powers of this base; check for yourself that base and modulus are the ones you mean";

impl Table {
    /// Runs the chosen action.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        match &self.action {
            Action::Build(build) => build.run(output),
            Action::Info(info) => info.run(output),
            Action::Verify(verify) => verify.run(output),
        }
    }
}

impl Build {
    fn run(&self, output: &Output) -> Result<(), Failure> {
        let to_stdout = input::is_standard(&self.output);
        if to_stdout && output.is_json() {
            return Err(Failure::Usage(
                "the table goes to standard output, so --json is not possible".into(),
            ));
        }
        if !to_stdout {
            self.force.check(&self.output)?;
        }
        let (table, seconds) = self.build()?;
        if to_stdout {
            let mut out = io::BufWriter::new(io::stdout().lock());
            let written = table.write_to(&mut out).and_then(|()| out.flush());
            return written.map_err(|error| Failure::output(&error));
        }
        // Not `FixedBase::save`, which does not remove the file when the run is interrupted.
        let mut file = AtomicFile::create(&self.output, Access::Usual)?;
        table.write_to(&mut file).map_err(|error| Failure::file(&self.output, &error))?;
        file.finish(self.force.existing())?;
        let built = Built {
            file: self.output.display().to_string(),
            table: Description::new(&TableInfo::read(&self.output)?),
            scratch_bytes: table.scratch_bytes().0,
            build_seconds: seconds,
        };
        output.print(&built, |out| {
            writeln!(out, "{}", table.shape())?;
            writeln!(out, "file           {}", built.file)?;
            writeln!(
                out,
                "table          {}, {} entries",
                sized(built.table.table_bytes),
                built.table.entries
            )?;
            writeln!(out, "scratch        {}", sized(built.scratch_bytes))?;
            writeln!(out, "exponent bits  {}", built.table.exponent_bits)?;
            writeln!(out, "build time     {seconds:.3} s")?;
            writeln!(out, "digest         {}", built.table.digest)
        })
    }

    fn build(&self) -> Result<(FixedBase, f64), Failure> {
        let method: Option<Method> = match self.method.as_str() {
            "auto" => None,
            named => Some(named.parse()?),
        };
        let target = self.target.base()?;
        let exponent_bits = self.exponent_bits.unwrap_or(target.exponent_bits);
        let mut builder = FixedBase::builder(&target.modulus, &target.base)
            .exponent_bits(exponent_bits)
            .batch(self.batch)
            .maker(self.costs.maker())
            .secrecy(if self.public { Secrecy::Public } else { Secrecy::Secret });
        if let Some(budget) = &self.budget {
            builder = builder.budget(number::budget_argument(budget)?);
        }
        if let Some(split) = self.split {
            builder = builder.split(split);
        }
        // If exponents are shorter than the order, there is nothing to reduce.
        if let Some(order) = target.order.as_ref().filter(|order| order.bits_vartime() <= exponent_bits) {
            builder = builder.order(order);
        }
        let costs = self.costs.read(&target.modulus)?;
        if let Some(costs) = &costs {
            builder = builder.costs(costs);
        }
        let shape = match method {
            Some(method) => Shape::new(method, self.split.unwrap_or(1), exponent_bits)?,
            None => builder.plan()?.shape,
        };
        let builder = builder.method(shape.method()).split(shape.split());
        let bar = progress::bar(Some(shape.entries()), "table");
        let tell = |done| bar.set_position(done);
        let start = Instant::now();
        let table = builder.progress(&tell).build()?;
        let seconds = start.elapsed().as_secs_f64();
        drop(bar);
        Ok((table, seconds))
    }
}

impl Info {
    fn run(&self, output: &Output) -> Result<(), Failure> {
        let info = TableInfo::read(&self.file)?;
        let description = Description::new(&info);
        output.print(&description, |out| {
            writeln!(out, "{}", info.shape())?;
            description.write(out)
        })
    }
}

impl Verify {
    fn run(&self, output: &Output) -> Result<(), Failure> {
        let start = Instant::now();
        let info = TableInfo::read(&self.file)?;
        let table = opened::unverified(&self.file, Memory::Own, &info)?;
        let bar = progress::bar(Some(self.sample.unwrap_or(u64::MAX).min(info.entries())), "verify");
        let checked = AtomicU64::new(0);
        let verified = table.verify(self.sample, &|done| {
            checked.fetch_max(done, Relaxed);
            bar.set_position(done);
        });
        drop(bar);
        let entries_checked = checked.into_inner();
        verified.map_err(|error| Failure::about(&self.file, error.to_string()))?;
        let verified = Verified {
            ok: true,
            file: self.file.display().to_string(),
            entries_checked,
            table: Description::new(&info),
            seconds: start.elapsed().as_secs_f64(),
            trust: TRUST,
        };
        output.print(&verified, |out| {
            writeln!(out, "OK")?;
            writeln!(
                out,
                "{entries_checked} of {} entries recomputed: {}",
                verified.table.entries,
                info.shape()
            )?;
            writeln!(out, "{TRUST}:")?;
            verified.table.write(out)
        })
    }
}

impl Description {
    fn new(info: &TableInfo) -> Self {
        let shape: &Shape = info.shape();
        Self {
            method: shape.method().to_string(),
            split: shape.split(),
            exponent_bits: shape.exponent_bits(),
            entries: info.entries(),
            table_bytes: info.table_bytes().0,
            layout: info.layout(),
            modulus_bits: info.modulus().bits_vartime(),
            modulus: number::hex(info.modulus()),
            base: number::hex(info.base()),
            order: info.order().map(number::hex),
            digest: number::hex_of_bytes(&info.digest()),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "table          {}, {} entries", sized(self.table_bytes), self.entries)?;
        writeln!(out, "layout         {}", self.layout)?;
        writeln!(out, "exponent bits  {}", self.exponent_bits)?;
        writeln!(out, "modulus        {} ({} bits)", self.modulus, self.modulus_bits)?;
        writeln!(out, "base           {}", self.base)?;
        if let Some(order) = &self.order {
            writeln!(out, "order          {order}")?;
        }
        writeln!(out, "digest         {}", self.digest)
    }
}

/// A number of bytes, exact and in a readable unit.
fn sized(bytes: u64) -> String {
    format!("{bytes} bytes ({})", MemorySize(bytes))
}
