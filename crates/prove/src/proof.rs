//! One proof from beginning to end: the operation is recorded and lifted, and its proof found and checked.

use checkmem::{Step, Trace};
use moduli_kernel::KernelChoice;
use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use super::{
    arm::{self, program::Program},
    checker, doubles,
    failure::{Failure, Reason, Result},
    inversion::{self, Lifting, Update},
    lanes,
    lift::{Lifted, LongCall},
    prover, reduction, rows,
    shipped::Code,
    specification::{Operation, Statement},
    subject::{Recorded, Subject},
    two,
};

/// An operation of a kernel at one length.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The kernel.
    pub kernel: KernelChoice,
    /// The operation.
    pub operation: Operation,
    /// Bits of the modulus.
    pub bits: usize,
}

/// The figures of a proof.
#[derive(Clone, Debug, Default)]
pub struct Proved {
    /// Executed instructions.
    pub executed: usize,
    /// Executed instructions that symbols reached.
    pub symbolic: usize,
    /// Integers with an equation, over all certificates.
    pub integers: usize,
    /// Functions that were proved separately.
    pub functions: usize,
    /// Seconds until certificates were found, and seconds to check them.
    pub seconds: [f64; 2],
    /// Lemmas of the certificates.
    pub lemmas: usize,
    /// Bytes of the certificates.
    pub bytes: usize,
    /// The names of the instructions that needed a rule, and how often each occurred.
    pub rules: BTreeMap<String, usize>,
    /// The instructions, by their addresses.
    pub code: Code,
    /// The functions of the system that were called.
    pub calls: BTreeMap<&'static str, usize>,
}

impl Job {
    /// The job's name: kernel, operation, and the length in bits.
    pub fn name(&self) -> String {
        format!("{} {} at {} bits", self.kernel.name(), self.operation, self.bits)
    }

    /// An estimate of the memory that the proof takes, in MiB.
    pub fn memory(&self) -> u64 {
        let words = self.bits.div_ceil(64) as u64;
        match self.operation {
            Operation::SquareAndSelect(_) => 4 + words * words / 8,
            // All jumps are recorded.
            Operation::Invert => 10 + words * words / 13,
            Operation::LookUpRows(_) => 4 + 2 * words,
            operation if operation.is_product() => 4 + words * words / 10,
            _ => 4 + words / 8,
        }
    }

    /// Proves the operation and checks the proof.
    ///
    /// # Errors
    /// The first property that does not hold.
    pub fn prove(&self) -> Result<Proved> {
        if self.bits < 2 {
            return Err(Failure::new(Reason::NoTrace, "a modulus above 1 has two bits at least"));
        }
        let Self { kernel, operation, bits } = *self;
        match operation {
            Operation::MulTwo | Operation::SquareTwo => {
                Proved::of_two(&two::record(kernel, bits, operation, 1)?)
            }
            _ if operation.multiplies_rows() && kernel != KernelChoice::FMA50 => {
                Proved::of_rows(&rows::record(kernel, bits, operation, 1)?)
            }
            _ if operation.moves_rows() => Proved::of_lanes(&lanes::record(kernel, bits, operation, 1)?),
            Operation::Reduce => Proved::of_reduction(&reduction::record(bits, 1)?),
            Operation::Jump | Operation::UpdateFg | Operation::UpdateDe | Operation::Invert => {
                let is_whole = matches!(operation, Operation::Jump | Operation::Invert);
                Proved::of_inversion(&inversion::record(bits.div_ceil(64), is_whole, 1)?, operation)
            }
            _ if kernel == KernelChoice::FMA50 && doubles::is_of_numbers(operation) => {
                Proved::of_doubles(&doubles::record(kernel, bits, operation, 1)?)
            }
            _ => Proved::of(&Subject::new(kernel, bits)?.record(operation, 1)?),
        }
    }

    /// Proves an operation of a program for 64-bit ARM processors.
    ///
    /// # Errors
    /// The first property that does not hold.
    pub fn prove_in(&self, program: &Program) -> Result<Proved> {
        Proved::of(&arm::subject::Subject::new(program, self.bits)?.record(self.operation, 1)?)
    }
}

impl Proved {
    /// Proves a recorded operation and checks the proof.
    ///
    /// # Errors
    /// The first property that does not hold.
    pub fn of<T: Recorded>(recording: &T) -> Result<Self> {
        let mut proved = Self { executed: recording.executed(), ..Self::default() };
        proved.code = recording.code();
        let mut start = Instant::now();
        let (lifted, statements) = recording.lift_all()?;
        let mut waiting = proved.add(lifted, &statements, start)?;
        // Functions that were not followed are proved once for each length. Each other call has to take the
        // same instructions.
        let mut known: Vec<LongCall<T::Registers>> = Vec::new();
        while let Some(call) = waiting.pop() {
            let same = |other: &&LongCall<T::Registers>| other.is_like(&call);
            match known.iter().find(same) {
                Some(other) if recording.are_same(other, &call) => {}
                Some(_) => {
                    let what = "a product of the same length by other instructions";
                    return Err(Failure::new(Reason::Unproven, what));
                }
                None => {
                    start = Instant::now();
                    let (lifted, statement) = recording.lift_product(&call)?;
                    let of = |failure: Failure| Failure {
                        what: format!("{}, in a product of {} words", failure.what, call.words()),
                        ..failure
                    };
                    waiting.extend(proved.add(lifted, &[statement], start).map_err(of)?);
                    known.push(call);
                }
            }
        }
        proved.functions = known.len();
        Ok(proved)
    }

    /// As [`Self::of`], for two moduli at a time.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_two(recording: &two::Recording) -> Result<Self> {
        let start = Instant::now();
        let (lifted, statements) = recording.lift()?;
        Self::of_all(&recording.trace, recording.steps(), lifted, &statements, start)
    }

    /// As [`Self::of`], for eight residues side by side.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_rows(recording: &rows::Recording) -> Result<Self> {
        let start = Instant::now();
        let (lifted, statements) = recording.lift()?;
        Self::of_all(&recording.trace, &recording.trace.steps, lifted, &statements, start)
    }

    /// As [`Self::of`], for a reduction.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_reduction(recording: &reduction::Recording) -> Result<Self> {
        let start = Instant::now();
        let (lifted, statements) = recording.lift()?;
        Self::of_all(&recording.trace, &recording.trace.steps, lifted, &statements, start)
    }

    /// As [`Self::of`], for an operation that moves words of rows.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_lanes(recording: &lanes::Recording) -> Result<Self> {
        let start = Instant::now();
        let (lifted, statements) = recording.lift()?;
        Self::of_all(&recording.trace, recording.steps(), lifted, &statements, start)
    }

    /// As [`Self::of`], for digits in doubles.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_doubles(recording: &doubles::Recording) -> Result<Self> {
        let start = Instant::now();
        let (lifted, statements) = recording.lift_all()?;
        let trace = recording.trace();
        Self::of_all(trace, &trace.steps, lifted, &statements, start)
    }

    /// As [`Self::of`], for a part of an inversion.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_inversion(recording: &inversion::Recording, operation: Operation) -> Result<Self> {
        let mut proved = Self::default();
        match operation {
            Operation::UpdateFg => proved.add_update(recording, Update::Exact)?,
            Operation::UpdateDe => proved.add_update(recording, Update::Modular)?,
            Operation::Jump => proved.add_jump(recording)?,
            _ => {
                // With the shortest moduli the second jump leads to zeros. So jumps are proved in another
                // inversion, which runs the same code.
                let other = inversion::record(inversion::LIMBS_OF_JUMPS, true, 1)?;
                proved.add_jump(&other)?;
                proved.add_update(recording, Update::Exact)?;
                proved.add_update(recording, Update::Modular)?;
                proved.add_whole(recording, &other)?;
            }
        }
        Ok(proved)
    }

    fn add_update(&mut self, recording: &inversion::Recording, update: Update) -> Result<()> {
        let start = Instant::now();
        let (lifting, rows) = recording.lift_update(update)?;
        let integers = &lifting.lifted.integers;
        let proofs =
            rows.iter().map(|row| inversion::prove_row(integers, row)).collect::<Result<Vec<_>>>()?;
        let found = start.elapsed();
        for (row, proof) in rows.iter().zip(&proofs) {
            checker::check_row(&integers.system, row, proof)?;
            self.bytes += proof.bytes();
        }
        self.note_lifting(recording, &lifting, [found, start.elapsed() - found]);
        Ok(())
    }

    fn add_jump(&mut self, recording: &inversion::Recording) -> Result<()> {
        let start = Instant::now();
        let (lifting, jump) = recording.lift_jump(&recording.find_jump()?)?;
        let found = start.elapsed();
        checker::check_jump(&lifting.lifted.integers.system, &jump)?;
        self.note_lifting(recording, &lifting, [found, start.elapsed() - found]);
        Ok(())
    }

    fn add_whole(&mut self, recording: &inversion::Recording, other: &inversion::Recording) -> Result<()> {
        let start = Instant::now();
        let (lifting, whole) = recording.lift_whole(other, &other.find_jump()?)?;
        let integers = &lifting.lifted.integers;
        let proof = inversion::prove_whole(integers, &whole)?;
        let found = start.elapsed();
        checker::check_whole(&integers.system, &whole, &proof)?;
        self.bytes += proof.bytes();
        self.note_lifting(recording, &lifting, [found, start.elapsed() - found]);
        Ok(())
    }

    /// Adds the figures of a part of an inversion.
    fn note_lifting(&mut self, recording: &inversion::Recording, lifting: &Lifting, times: [Duration; 2]) {
        let Lifting { lifted, steps } = lifting;
        self.executed = steps.len();
        self.code.extend(code(&recording.trace, &recording.trace.steps[steps.clone()]));
        self.note(lifted, times);
    }

    /// Adds the figures of what was lifted, and how long it took to find and to check a proof.
    fn note<R>(&mut self, lifted: &Lifted<R>, [found, checked]: [Duration; 2]) {
        self.symbolic += lifted.symbolic;
        self.integers += lifted.integers.system.definitions.len();
        self.seconds[0] += found.as_secs_f64();
        self.seconds[1] += checked.as_secs_f64();
        for (name, count) in &lifted.rules {
            *self.rules.entry(name.clone()).or_default() += count;
        }
        for (name, count) in &lifted.calls {
            *self.calls.entry(name).or_default() += count;
        }
    }

    /// Proves statements about a trace all of whose calls were followed.
    fn of_all<'a>(
        trace: &Trace,
        steps: impl IntoIterator<Item = &'a Step>,
        lifted: Lifted,
        statements: &[Statement],
        start: Instant,
    ) -> Result<Self> {
        let mut proved = Self { executed: trace.steps.len(), ..Self::default() };
        proved.code = code(trace, steps);
        if proved.add(lifted, statements, start)?.is_empty() {
            Ok(proved)
        } else {
            Err(Failure::new(Reason::Unproven, "a function's product"))
        }
    }

    /// Proves statements about the same integers, and checks the proofs; returns the calls that they rely on.
    fn add<R>(
        &mut self,
        lifted: Lifted<R>,
        statements: &[Statement],
        start: Instant,
    ) -> Result<Vec<LongCall<R>>> {
        let certificates = prover::prove_all(&lifted.integers, statements)?;
        let found = start.elapsed();
        checker::check_all(&lifted.integers.system, statements, &certificates)?;
        for certificate in &certificates {
            self.lemmas += certificate.lemmas();
            self.bytes += certificate.to_bytes().len();
        }
        self.note(&lifted, [found, start.elapsed() - found]);
        Ok(lifted.products)
    }
}

/// The code of these steps.
pub(crate) fn code<'a>(trace: &Trace, steps: impl IntoIterator<Item = &'a Step>) -> Code {
    let executed = steps.into_iter().map(|step| &trace.code[step.code as usize]);
    executed.map(|code| (code.instruction.ip(), code.bytes.clone())).collect()
}

/// The peak memory of this process and the memory that the system still has available, both in MiB.
pub fn memory() -> (u64, u64) {
    let line = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB"));
        value.and_then(|value| value.parse::<u64>().ok()).unwrap_or_default() / 1024
    };
    (line("/proc/self/status", "VmHWM:"), line("/proc/meminfo", "MemAvailable:"))
}
