//! `moduli plan`: the best table within a budget.

mod described;
mod front;

use std::io::{self, Write};

use clap::{ArgGroup, Args};
use crypto_bigint::BoxedUint;
use moduli::{KernelChoice, MemorySize, Modulus, Planner, Secrecy, error::ModulusError, groups::Group};
use serde::Serialize;

use self::{
    described::Described,
    front::{FrontReport, Request, by},
};
use crate::{
    failure::Failure,
    io::{costs::CostOptions, number, output::Output},
};

/// Choose the fastest table within a memory budget.
#[derive(Args)]
#[command(group = ArgGroup::new("size").args(["group", "bits"]).required(true))]
pub struct Plan {
    /// The modulus of this group (see `moduli groups`).
    #[arg(long, value_name = "NAME")]
    group: Option<String>,

    /// Any modulus of this length, with a base that has an inverse.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    bits: Option<u32>,

    /// Exponents are below 2^N [default: as the group needs, or the length of the modulus].
    #[arg(long, value_name = "N")]
    exponent_bits: Option<u32>,

    /// The most bytes that the table may take, such as 64KiB, 1MiB or 2GiB.
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    budget: String,

    /// Exponents are public: plan for the variable-time calls.
    #[arg(long)]
    public: bool,

    /// The number of exponentiations for which the table will be used: includes the time to build it in the
    /// plan.
    #[arg(long, value_name = "N")]
    count: Option<u64>,

    /// The number of exponents given at once: if they fill the lanes of the kernel on all cores, the table
    /// is the best for such batches.
    #[arg(long, value_name = "N", default_value_t = 1)]
    batch: u64,

    #[arg(long, value_name = "NAME", conflicts_with_all = ["measure", "costs"], help = kernel_help())]
    kernel: Option<String>,

    /// Print every plan that is optimal for some budget up to this one, with the budget from which it is
    /// chosen; in JSON also those of each method.
    #[arg(long)]
    front: bool,

    #[command(flatten)]
    costs: CostOptions,
}

fn kernel_help() -> String {
    let names: Vec<_> = KernelChoice::ALL.iter().map(|kernel| kernel.name()).collect();
    format!(
        "Plan for a machine that uses this kernel, even if this machine cannot: {} [default: the kernel of this machine]",
        names.join(", ")
    )
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    plan: Described,
    modulus_bits: u32,
    exponent_bits: u32,
    budget_bytes: u64,
    secrecy: &'static str,
    kernel: &'static str,
    /// Null if the costs are not built in.
    maker: Option<&'static str>,
    runners_up: Vec<Described>,
}

impl Plan {
    /// Plans and prints the result.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let budget = number::budget_argument(&self.budget)?;
        let (modulus, usual_bits) = self.modulus()?;
        let exponent_bits = self.exponent_bits.unwrap_or(usual_bits);
        let (secrecy, secrecy_name) =
            if self.public { (Secrecy::Public, "public") } else { (Secrecy::Secret, "secret") };
        let mut planner = Planner::new(&modulus)
            .exponent_bits(exponent_bits)
            .budget(budget)
            .secrecy(secrecy)
            .maker(self.costs.maker())
            .batch(self.batch);
        if let Some(count) = self.count {
            planner = planner.count(count);
        }
        let mut kernel = modulus.kernel_name();
        if let Some(name) = &self.kernel {
            let choice = KernelChoice::named(name).map_err(moduli::Error::from)?;
            planner = planner.kernel(choice);
            if choice != KernelChoice::DETECT {
                kernel = choice.name();
            }
        }
        let costs = self.costs.read(&modulus)?;
        if let Some(costs) = &costs {
            planner = planner.costs(costs);
        }
        let (modulus_bits, budget_bytes) = (modulus.bits(), budget.0);
        let maker = self.costs.maker_name();
        if self.front {
            let request =
                Request { modulus_bits, exponent_bits, budget_bytes, secrecy: secrecy_name, kernel, maker };
            let report = FrontReport::new(request, &planner.front()?);
            return output.print(&report, |out| report.write(out));
        }
        let plan = planner.plan()?;
        let report = Report {
            plan: Described::new(&plan),
            modulus_bits,
            exponent_bits,
            budget_bytes,
            secrecy: secrecy_name,
            kernel,
            maker,
            runners_up: plan.runners_up.iter().map(Described::new).collect(),
        };
        output.print(&report, |out| {
            writeln!(out, "{}", plan.shape)?;
            report.write(out)
        })
    }

    /// The modulus, and the usual length of exponents with it.
    fn modulus(&self) -> Result<(Modulus, u32), Failure> {
        if let Some(name) = &self.group {
            let group = Group::named(name)?;
            return Ok((Modulus::new(group.modulus())?, group.exponent_bits()));
        }
        let bits = self.bits.unwrap_or_default();
        // Rejected before the digits are written.
        if bits > moduli::MAX_MODULUS_BITS {
            return Err(moduli::Error::Modulus(ModulusError::TooLarge {
                bits,
                max: moduli::MAX_MODULUS_BITS,
            })
            .into());
        }
        Ok((Modulus::new(&all_ones(bits)?)?, bits))
    }
}

/// The number of `bits` bits that are all ones. A plan depends only on the length.
fn all_ones(bits: u32) -> Result<BoxedUint, Failure> {
    let top = ["", "1", "3", "7"][bits as usize % 4];
    let digits = top.to_owned() + &"f".repeat(bits as usize / 4);
    number::argument("--bits", &digits)
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let plan = &self.plan;
        writeln!(
            out,
            "table           {} bytes ({}) of {}",
            plan.bytes,
            MemorySize(plan.bytes),
            MemorySize(self.budget_bytes)
        )?;
        writeln!(out, "scratch         {} bytes", plan.scratch_bytes)?;
        writeln!(
            out,
            "predicted time  {} µs an exponentiation, one core, kernel {}{}{}",
            plan.range(),
            self.kernel,
            by(self.maker),
            if plan.has_range() { "; neighbours: alone to crowded" } else { "" }
        )?;
        writeln!(out, "build time      {:.1} ms", plan.build_milliseconds)?;
        match plan.break_even {
            Some(count) => writeln!(out, "break-even      {count} exponentiations")?,
            None => writeln!(out, "break-even      never")?,
        }
        writeln!(
            out,
            "counts          {:.1} products, {:.1} by prepared operands, {:.1} squarings, {:.0} bytes under masks",
            plan.products, plan.prepared_products, plan.squarings, plan.masked_bytes
        )?;
        writeln!(
            out,
            "for             {} exponents of {} bits, modulus of {} bits",
            self.secrecy, self.exponent_bits, self.modulus_bits
        )?;
        writeln!(out, "runners-up")?;
        for plan in &self.runners_up {
            writeln!(out, "  {:<28} {:>12} bytes {:>16} µs", plan.name(), plan.bytes, plan.range())?;
        }
        Ok(())
    }
}
