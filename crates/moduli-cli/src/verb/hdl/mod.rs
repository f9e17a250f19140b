//! `moduli hdl`: the constants of the Cox–Rower core in SystemVerilog, and its expected results.

mod affine;
mod bits;
mod chunks;
mod core;
mod division;
mod expect;
mod groups;
mod layout;
mod names;
mod redundant;
mod resident;
mod results;
mod rom;
mod sources;
mod text;

use std::{collections::BTreeMap, path::PathBuf};

use clap::{Args, ValueEnum};
use moduli::primality::is_probable_prime_vartime;
use moduli_rns::program::Assembled;
use serde::Serialize;

use crate::{
    failure::{self, Failure},
    io::{directory, number, output::Output},
};
use affine::Affine;
use chunks::Chunks;
use core::{Choice, Core, Moduli};
use layout::{Extras, Layout};
use names::Prefix;

/// Rounds of the primality test for P.
const ROUNDS: u32 = 40;

/// Write the parameters and memories of a Cox–Rower core, or its expected results.
///
/// The directory contains a SystemVerilog package, the memories for $readmemh and as tables, and a C header:
/// all that hdl/rtl needs. With --expect instead, the library's own inverter computes the results of
/// operands, one per line: result, error (0; 1 for not invertible; 2 if Fermat's method finds P composite)
/// and steps; with --trace, the state after every step comes before it.
#[derive(Args)]
pub struct Hdl {
    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    programs: resident::Programs,

    /// The number of inversions that the core interleaves: more than 1 only with a plus-minus method.
    #[arg(long, value_name = "K", default_value_t = 1)]
    contexts: u32,

    /// The core checks every inverse by a product; with programs, it makes their checks before results
    /// leave.
    #[arg(long)]
    check: bool,

    /// The core also inverts blinded operands, between two products by a random factor: with a plus-minus
    /// method or division steps.
    #[arg(long)]
    blind: bool,

    /// The core detects faults: a redundant channel checks every product and every result. Only with fermat
    /// and without programs.
    #[arg(long)]
    redundant: bool,

    /// Check the control, too: of a core with a redundant channel, and operands on their way in; or of
    /// programs that are built with --check, and their scalars.
    #[arg(long)]
    guard: bool,

    /// Put NAME_ before the names of all packages, modules and macros, so that one design can have several
    /// cores.
    #[arg(long, value_name = "NAME", requires = "rtl")]
    prefix: Option<Prefix>,

    /// Copy the core's own sources from this directory, hdl/rtl, and write a list of all files for
    /// compilers.
    #[arg(long, value_name = "DIR")]
    rtl: Option<PathBuf>,

    /// The directory to write.
    #[arg(short = 'o', long = "output", value_name = "DIR", required_unless_present = "expect")]
    output: Option<PathBuf>,

    /// Replace the directory if it exists.
    #[arg(long)]
    force: bool,

    /// Answer the operands of this file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "force", "contexts", "check", "blind", "redundant", "guard", "prefix", "rtl"])]
    expect: Option<PathBuf>,

    /// Print the state after every step.
    #[arg(long)]
    trace: bool,
}

/// A summary of the files written.
#[derive(Serialize)]
struct Summary<'a> {
    directory: String,
    prime: String,
    inversion: String,
    parameters: BTreeMap<&'a str, u64>,
    moduli: [Vec<u64>; 2],
    memories: Vec<rom::Size>,
    memory_bits: u64,
    /// Products of one exponentiation of Fermat's method.
    products: Option<usize>,
    /// The cycles of every program over resident residues, without those in which it waits.
    cycles: &'a [u64],
}

impl Hdl {
    /// Writes the directory, or the expected results.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        if self.trace && self.expect.is_none() {
            return Err(Failure::Usage("--trace requires --expect".to_owned()));
        }
        if self.redundant && (self.choice.inversion != core::Inversion::Fermat || !self.programs.is_empty()) {
            let reason =
                "--redundant requires --inversion fermat without --program: the channel checks products only";
            return Err(Failure::Usage(reason.to_owned()));
        }
        if self.guard && !self.redundant && (self.programs.is_empty() || !self.check) {
            let reason = "--guard requires --redundant, or --check with --program";
            return Err(Failure::Usage(reason.to_owned()));
        }
        let core = self.core()?;
        self.warn(&core);
        let programs = self.programs(&core)?;
        if let Some(operands) = &self.expect {
            return match programs.as_slice() {
                [] => expect::run(&core, operands, self.trace, output),
                [program] => results::run(program, operands, output),
                _ => Err(Failure::Usage("--expect answers for one --program".to_owned())),
            };
        }
        let Some(path) = &self.output else { return Ok(()) };
        let layout = self.layout(&core, &programs)?;
        let inversion = self.choice.inversion.to_possible_value();
        let inversion = inversion.as_ref().map_or("", |value| value.get_name()).to_owned();
        let title = format!(
            "Inversion {inversion} modulo {}, {} channels of {} bits",
            number::hex(&core.prime),
            core.shape.channels,
            core.shape.width
        );
        let prefix = self.prefix.clone().unwrap_or_default();
        let mut files = text::files(&layout, &title, &prefix);
        if let Some(rtl) = &self.rtl {
            files.extend(sources::files(rtl, &prefix, text::PACKAGE, text::CASE)?);
        }
        directory::write(path, &files, self.force, |name| text::is_ours(name, &prefix))?;
        output.print(&summary(&core, &layout, path.display().to_string(), inversion), |out| {
            writeln!(out, "{}", path.display())
        })
    }

    /// The core. Prefers moduli ≡ 1 modulo Q, unless others save a fold, which costs a cycle in
    /// every step.
    fn core(&self) -> Result<Core, Failure> {
        if self.redundant {
            return self.choice.redundant();
        }
        // If no number of folds suffices, a later step reports it.
        let folds =
            |core: &Core| Chunks::new(core, core.base()).map_or(u32::MAX, |chunks| chunks.extra_folds);
        let core = self.choice.core(Moduli::One)?;
        if folds(&core) == 0 || !matches!(core.inverter, core::Inverter::PlusMinus(_)) {
            return Ok(core);
        }
        let other = self.choice.core(Moduli::Coprime)?;
        Ok(if folds(&other) < folds(&core) { other } else { core })
    }

    /// Warns about options that are valid but probably not intended.
    fn warn(&self, core: &Core) {
        if self.contexts > 1 && self.check {
            failure::say(format_args!(
                "note: with --check every inversion has the core to itself: --contexts {} interleaves none",
                self.contexts
            ));
        }
        // The check at the end detects wrong inverses, which most operands give.
        if self.choice.inversion == core::Inversion::Fermat && !is_probable_prime_vartime(&core.prime, ROUNDS)
        {
            failure::say("note: P is composite: --inversion fermat fails for most operands, with error 2");
        }
    }

    /// The programs, which require a core with products over two bases.
    fn programs(&self, core: &Core) -> Result<Vec<Assembled>, Failure> {
        if self.programs.is_empty() {
            return Ok(Vec::new());
        }
        match &core.inverter {
            core::Inverter::Fermat(fermat) => self.programs.assemble(fermat.field(), self.check),
            core::Inverter::PlusMinus(_) | core::Inverter::DivisionSteps(_) => {
                let reason = "--program requires --inversion fermat: programs invert by Fermat's theorem";
                Err(Failure::Usage(reason.to_owned()))
            }
        }
    }

    /// The layout, or an error about the shape.
    fn layout(&self, core: &Core, programs: &[Assembled]) -> Result<Layout, Failure> {
        let extras = Extras {
            inversion: self.choice.inversion,
            contexts: self.contexts,
            check: self.check,
            blind: self.blind,
            guard: self.guard,
        };
        Ok(Layout::new(core, &Affine::of(core)?, &extras, programs)?)
    }
}

fn summary<'a>(core: &Core, layout: &'a Layout, directory: String, inversion: String) -> Summary<'a> {
    let memories: Vec<rom::Size> = layout.roms.iter().map(rom::Rom::size).collect();
    let second = core.products.as_ref().map(|products| products.bases()[1].moduli().to_vec());
    Summary {
        directory,
        prime: number::hex(&core.prime),
        inversion,
        parameters: layout.scalars.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
        moduli: [core.base().moduli().to_vec(), second.unwrap_or_default()],
        memory_bits: memories.iter().map(rom::Size::bits).sum(),
        memories,
        cycles: &layout.cycles,
        products: match &core.inverter {
            core::Inverter::Fermat(fermat) => Some(fermat.schedule().products()),
            core::Inverter::PlusMinus(_) | core::Inverter::DivisionSteps(_) => None,
        },
    }
}
