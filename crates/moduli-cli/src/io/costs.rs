//! The costs for plans: built in, from a file, or measured now.

use std::{collections::BTreeMap, path::PathBuf, str};

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use moduli::Modulus;
use moduli_kernel::{Costs, Maker};

use super::{
    atomic_file::{self, Access, Existing},
    input,
};
use crate::failure::Failure;

/// The first line of a file of costs. Each other line contains a kernel and its costs for one size.
const HEAD: &str = "moduli costs 1";

/// The most bytes of such a file.
const LIMIT: u64 = 1 << 24;

/// The costs for plans. Without these options, a plan is the same on all machines of one maker with the same
/// kernel.
#[derive(Args)]
pub struct CostOptions {
    /// Plan with costs measured on this machine now, not with the built-in costs.
    #[arg(long)]
    measure: bool,

    /// Plan with the costs in this file; with --measure, missing costs are measured and added to the file.
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,

    /// Plan with the built-in costs of this maker's processors. Default: the maker of this processor; intel
    /// for all makers but AMD.
    #[arg(long, value_parser = makers(), value_name = "NAME", conflicts_with_all = ["measure", "costs"])]
    maker: Option<Maker>,
}

/// Reads the name of a maker.
fn makers() -> impl TypedValueParser<Value = Maker> {
    PossibleValuesParser::new(Maker::ALL.map(Maker::name))
        .try_map(|name| Maker::ALL.into_iter().find(|maker| maker.name() == name).ok_or("unknown"))
}

impl CostOptions {
    /// The maker whose built-in costs are used, if they are.
    pub fn maker_name(&self) -> Option<&'static str> {
        (!self.measure && self.costs.is_none()).then(|| self.maker().name())
    }

    /// The maker for whose processors to plan.
    pub fn maker(&self) -> Maker {
        self.maker.unwrap_or_else(Maker::of_this_machine)
    }

    /// The requested costs; `None` for the built-in ones.
    pub fn read(&self, modulus: &Modulus) -> Result<Option<Costs>, Failure> {
        let kernel = modulus.kernel();
        let Some(path) = &self.costs else {
            return Ok(self.measure.then(|| modulus.measured_costs()));
        };
        let mut kept = BTreeMap::new();
        if !self.measure || path.try_exists().unwrap_or(true) {
            let bytes = input::read(path, LIMIT)?;
            kept = lines(&bytes).map_err(|reason| Failure::about(path, reason))?;
        }
        let name = (kernel.name().to_owned(), modulus.residue_words());
        if let Some(costs) = kept.get(&name) {
            modulus.check_costs(costs).map_err(|error| Failure::about(path, error.to_string()))?;
            return Ok(Some(costs.clone()));
        }
        if !self.measure {
            let size = format!("{} of moduli of {} bits", kernel.name(), modulus.bits());
            return Err(Failure::about(
                path,
                format!("has no costs of the kernel {size}; --measure adds them"),
            ));
        }
        let costs = modulus.measured_costs();
        kept.insert(name, costs.clone());
        let text = kept
            .iter()
            .fold(format!("{HEAD}\n"), |text, ((name, _), costs)| text + &format!("{name} {costs}\n"));
        atomic_file::write(path, text.as_bytes(), Access::Usual, Existing::Replace)?;
        Ok(Some(costs))
    }
}

/// The costs in a file, by kernel and words of a residue.
fn lines(bytes: &[u8]) -> Result<BTreeMap<(String, usize), Costs>, String> {
    let text = str::from_utf8(bytes).map_err(|_| "is not a file of costs".to_owned())?;
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("is not a file of costs: its first line is not {HEAD:?}"));
    }
    let mut kept = BTreeMap::new();
    for (number, line) in (2..).zip(lines) {
        let (name, costs) = line.split_once(' ').unwrap_or((line, ""));
        let costs: Costs = costs.parse().map_err(|error| format!("line {number}: {error}"))?;
        kept.insert((name.to_owned(), costs.words()), costs);
    }
    Ok(kept)
}
