//! `moduli plan --front`: the plans for all budgets up to a limit.

use std::io::{self, Write};

use moduli::fixed::{Front, Step};
use serde::Serialize;

use super::described::Described;

/// All plans, and those of each method.
#[derive(Serialize)]
pub struct FrontReport {
    #[serde(flatten)]
    request: Request,
    front: Vec<StepReport>,
    methods: Vec<MethodReport>,
}

#[derive(Serialize)]
struct StepReport {
    from_bytes: u64,
    #[serde(flatten)]
    plan: Described,
}

#[derive(Serialize)]
struct MethodReport {
    method: String,
    front: Vec<StepReport>,
}

/// The parameters of a front.
#[derive(Serialize)]
pub struct Request {
    /// Bits of the modulus.
    pub modulus_bits: u32,
    /// t, where exponents are below 2^t.
    pub exponent_bits: u32,
    /// The greatest budget.
    pub budget_bytes: u64,
    /// `secret` or `public`.
    pub secrecy: &'static str,
    /// The kernel whose costs are used.
    pub kernel: &'static str,
    /// The maker whose built-in costs are used; null if they are not built in.
    pub maker: Option<&'static str>,
}

impl FrontReport {
    /// The report for a request.
    pub fn new(request: Request, front: &Front) -> Self {
        let steps = |steps: &[Step]| steps.iter().map(StepReport::new).collect::<Vec<_>>();
        let methods = front.of_methods.iter().map(|alone| {
            let front = steps(alone);
            let first = front.first().map(|step| step.plan.method.as_str()).unwrap_or_default();
            let method = first.split(':').next().unwrap_or_default().to_owned();
            MethodReport { method, front }
        });
        Self { request, methods: methods.collect(), front: steps(&front.chosen) }
    }

    /// Writes a line for each plan that is optimal for some budget.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Request { modulus_bits, exponent_bits, secrecy, kernel, maker, .. } = &self.request;
        writeln!(
            out,
            "{secrecy} exponents of {exponent_bits} bits, modulus of {modulus_bits} bits, kernel {kernel}{}",
            by(*maker)
        )?;
        writeln!(
            out,
            "{:>14} {:<28} {:>14} {:>16} {:>12} {:>12}",
            "from a budget", "method", "bytes", "µs", "build ms", "break-even"
        )?;
        for StepReport { from_bytes, plan } in &self.front {
            let break_even = plan.break_even.map_or_else(|| "never".to_owned(), |count| count.to_string());
            writeln!(
                out,
                "{from_bytes:>14} {:<28} {:>14} {:>16} {:>12.1} {break_even:>12}",
                plan.name(),
                plan.bytes,
                plan.range(),
                plan.build_milliseconds
            )?;
        }
        Ok(())
    }
}

impl StepReport {
    fn new(step: &Step) -> Self {
        Self { from_bytes: step.from.0, plan: Described::new(&step.plan) }
    }
}

/// Whose built-in costs a plan is by.
pub fn by(maker: Option<&str>) -> String {
    maker.map_or_else(String::new, |maker| format!(", costs of {maker}"))
}
