//! One proof from the beginning to the end: recorded, lifted, found and checked.

use moduli_kernel::KernelChoice;
use std::{collections::BTreeMap, fs, time::Instant};

use super::{
    checker,
    failure::{Failure, Reason, Result},
    prover,
    shipped::Code,
    specification::Operation,
    subject::Subject,
};

/// An operation of a kernel at one length.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Of which kernel.
    pub kernel: KernelChoice,
    /// Which.
    pub operation: Operation,
    /// Bits of the modulus.
    pub bits: usize,
}

/// What a proof came to.
#[derive(Clone, Debug)]
pub struct Proved {
    /// Instructions that were executed.
    pub executed: usize,
    /// Those among them that symbols reached.
    pub symbolic: usize,
    /// Integers with an equation.
    pub integers: usize,
    /// Seconds until a certificate was found, the record included, and seconds to check it.
    pub seconds: [f64; 2],
    /// Lemmas of the certificate.
    pub lemmas: usize,
    /// Its bytes.
    pub bytes: usize,
    /// The instructions for which a rule was taken, by their names, and how often.
    pub rules: BTreeMap<String, usize>,
    /// The instructions, by their addresses.
    pub code: Code,
    /// The functions of the system that were called.
    pub calls: BTreeMap<&'static str, usize>,
}

impl Job {
    /// Kernel, operation and length in words.
    pub fn name(&self) -> String {
        format!("{} {} at {} bits", self.kernel.name(), self.operation.name(), self.bits)
    }

    /// About how many MiB this takes.
    pub fn memory(&self) -> u64 {
        let words = self.bits.div_ceil(64) as u64;
        if self.operation.is_product() { 4 + words * words / 12 } else { 4 + words / 8 }
    }

    /// Proves it and checks the proof.
    ///
    /// # Errors
    /// With the first thing that does not hold.
    pub fn prove(&self) -> Result<Proved> {
        if self.bits < 2 {
            return Err(Failure::new(Reason::NoTrace, "a modulus above 1 has two bits at least"));
        }
        let start = Instant::now();
        let recording = Subject::new(self.kernel, self.bits)?.record(self.operation, 1)?;
        let (lifted, statement) = recording.lift()?;
        let trace = &recording.trace;
        let executed = trace.steps.iter().map(|step| &trace.code[step.code as usize]);
        let code = executed.map(|code| (code.instruction.ip(), code.bytes.clone())).collect();
        drop(recording);
        let certificate = prover::prove(&lifted.integers, &statement)?;
        let found = start.elapsed();
        checker::check(&lifted.integers.system, &statement, &certificate)?;
        let checked = start.elapsed() - found;
        Ok(Proved {
            executed: lifted.instructions,
            symbolic: lifted.symbolic,
            integers: lifted.integers.system.definitions.len(),
            seconds: [found, checked].map(|time| time.as_secs_f64()),
            lemmas: certificate.lemmas.len(),
            bytes: certificate.to_bytes().len(),
            rules: lifted.rules,
            code,
            calls: lifted.calls,
        })
    }
}

/// MiB of memory that this process has taken at most, and MiB that the system could still give.
pub fn memory() -> (u64, u64) {
    let line = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB"));
        value.and_then(|value| value.parse::<u64>().ok()).unwrap_or_default() / 1024
    };
    (line("/proc/self/status", "VmHWM:"), line("/proc/meminfo", "MemAvailable:"))
}
