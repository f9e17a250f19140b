//! Programs over resident residues: the programs of a core, and their words in its memory.

use std::path::{Path, PathBuf};

use clap::Args;
use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_rns::{
    channels::Residues,
    curves::Curve,
    montgomery::RnsMontgomery,
    program::{
        Addend, Assembled, Constant, Control, Entry, Factor, Instruction, Issue, Left, Program, Right,
        Scalar, Schedule, Setting, Timing, Word,
    },
};

use super::bits::Bits;
use crate::{
    failure::Failure,
    io::{input, number},
};

/// The longest program that is accepted, in bytes.
const LONGEST: u64 = 1 << 20;

/// The most bits for blinding a scalar.
const MOST_BLINDING: u32 = 1 << 12;

/// The number of bits that count the instructions of a program, and so its checks and results.
pub const CHECKS_BITS: u32 = 10;

/// The number of bits that count the cycles of a program, and the cycles added to twice its own to
/// get its time limit.
pub const CYCLES_BITS: u32 = 32;
const SPARE_CYCLES: u64 = 1 << 10;

/// The addend for the way out: the third group.
const LEAVE: usize = 2;

/// Programs and their parameters.
#[derive(Args)]
pub struct Programs {
    /// A program over resident residues, for the top moduli_rns_resident; may be given several times.
    #[arg(long = "program", value_name = "FILE")]
    programs: Vec<PathBuf>,

    /// A curve over the integers modulo P: its a and 3·b become the constants a and b3, and its order
    /// becomes the order of programs. For secp256k1, β of its endomorphism becomes the constant beta.
    #[arg(long, value_name = "NAME", requires = "programs")]
    curve: Option<String>,

    /// A constant that programs name; reduced modulo P.
    #[arg(long = "constant", value_name = "NAME=HEX", requires = "programs")]
    constants: Vec<String>,

    /// The order for `scalar = load + order`; scalars have as many bits as the order.
    #[arg(long, value_name = "HEX", requires = "programs", conflicts_with = "curve")]
    order: Option<String>,

    /// The bits that blind scalars: operands of `scalar = load` and `scalar = load + order` have this many
    /// more bits, because a random multiple of the order is added to them outside the core.
    #[arg(long, value_name = "BITS", requires = "programs", default_value_t = 0)]
    blinding: u32,
}

impl Programs {
    /// Whether there are no programs.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// Assembles all programs, or returns an error that names the wrong line.
    pub fn assemble(&self, field: &RnsMontgomery, checks: bool) -> Result<Vec<Assembled>, Failure> {
        let mut constants: Vec<(String, BoxedUint)> = Vec::new();
        let mut order = match &self.order {
            Some(text) => Some(number::argument("--order", text)?),
            None => None,
        };
        if let Some(name) = &self.curve {
            let curve = Curve::named(name)?;
            let prime = curve.prime()?;
            if prime != *field.modulus() {
                let reason = format!("{} is over the integers modulo {prime:x}, not modulo P", curve.name);
                return Err(Error::parameter("curve", reason).into());
            }
            constants.push(("a".to_owned(), curve.a()?));
            constants.push(("b3".to_owned(), curve.triple_b()));
            if let Some((beta, _)) = curve.endomorphism()? {
                constants.push(("beta".to_owned(), beta));
            }
            order = Some(curve.order());
        }
        for given in &self.constants {
            let wrong = || Failure::Usage(format!("--constant {given}: must be NAME=HEX"));
            let (name, value) =
                given.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
            if constants.iter().any(|(known, _)| known == name) {
                let reason = format!("--constant {given}: {name} has a value already");
                return Err(Failure::Usage(reason));
            }
            constants.push((name.to_owned(), number::argument(&format!("--constant {name}"), value)?));
        }
        if let Some(order) = &order {
            // With fewer bits, prefixes of a scalar would be multiples of the order too early. By
            // Hasse's theorem, a curve has hardly more points than P.
            let most = field.modulus().bits_vartime() + 1;
            if !(4..=most).contains(&order.bits_vartime()) || !order.bit_vartime(0) {
                let reason = format!("must be odd, with 4 to {most} bits (one more than P)");
                return Err(Error::parameter("order", reason).into());
            }
        }
        if self.blinding > MOST_BLINDING {
            return Err(Error::out_of_range("blinding", self.blinding, [0, MOST_BLINDING]).into());
        }
        let setting =
            Setting { field, constants: &constants, order: order.as_ref(), blinding: self.blinding };
        self.programs.iter().map(|path| assemble(path, &setting, checks)).collect()
    }
}

fn assemble(path: &Path, setting: &Setting<'_>, checks: bool) -> Result<Assembled, Failure> {
    let text = input::read(path, LONGEST)?;
    let text = std::str::from_utf8(&text).map_err(|_| Failure::about(path, "not text"))?;
    let fault = |fault: moduli_rns::program::Fault| Failure::about(path, fault.to_string());
    let parse = if checks { Program::parse_with_checks } else { Program::parse };
    let program = parse(text).map_err(fault)?;
    if !program.lines().iter().any(|(_, each)| matches!(each, Instruction::Store(_))) {
        return Err(Failure::about(path, "a program without a result: none of its lines is `store`"));
    }
    Assembled::new(program, setting).map_err(fault)
}

/// The addresses and words of programs, in addition to those of every core.
pub struct Resident {
    schedules: Vec<Schedule>,
    checks: Vec<usize>,
    results: Vec<usize>,
    /// Whether each word has a parity bit.
    guard: bool,
    /// Constants for the memory of extensions: each is a word in every channel of one of the bases.
    pub extensions: Vec<(bool, Residues)>,
    /// The index of the first constant of each program.
    first_constant: Vec<usize>,
    /// Addends of differences, in the order of their addresses.
    addends: Vec<Addend>,
    /// The number added to a scalar, or 0, and the length of scalars in bits by source: operand,
    /// completed, inverse.
    addend: BoxedUint,
    scalar_bits: [u32; 3],
    prime: BoxedUint,
    width: u32,
}

/// The widths of a word's fields, and the addresses of constants.
pub struct Widths {
    pub extension: u32,
    pub addend: u32,
    /// The first address of the programs' constants in the memory of extensions, and of their
    /// addends in the memory of addends.
    pub first_extension: usize,
    pub first_addend: usize,
    /// The address of the addend of each group.
    pub groups: Vec<usize>,
    pub chunks: u32,
    pub channels: usize,
}

fn bits(values: usize) -> u32 {
    values.next_power_of_two().ilog2().max(1)
}

impl Resident {
    /// Schedules the programs for a core.
    pub fn new(programs: &[Assembled], timing: Timing, guard: bool) -> Option<Self> {
        let first = programs.first()?;
        let field = first.field();
        let schedules: Vec<Schedule> =
            programs.iter().map(|program| Schedule::new(program, timing)).collect();
        let [in_first, _] = field.bases();
        let mut extensions = vec![(false, in_first.word_to_residues(2))];
        let mut first_constant = Vec::new();
        for program in programs {
            first_constant.push(extensions.len());
            for constant in program.constants() {
                extensions.push((false, Residues::new(constant.first().to_vec())));
                extensions.push((true, Residues::new(constant.second().to_vec())));
            }
        }
        let mut addends = Vec::new();
        let issues = schedules.iter().flat_map(Schedule::words).filter_map(|word| word.issue);
        for issue in issues.filter(|issue| matches!(issue.addend, Addend::Difference { .. })) {
            if !addends.contains(&issue.addend) {
                addends.push(issue.addend);
            }
        }
        let sources = [Scalar::Operand, Scalar::Completed, Scalar::Inverse];
        Some(Self {
            scalar_bits: sources.map(|source| first.scalar_bits(source).unwrap_or(0)),
            addend: first.addend().cloned().unwrap_or_else(BoxedUint::zero),
            prime: field.modulus().clone(),
            width: in_first.width(),
            schedules,
            checks: programs.iter().map(Assembled::checks).collect(),
            results: programs.iter().map(Assembled::results).collect(),
            guard,
            extensions,
            first_constant,
            addends,
        })
    }

    /// The cycles of every program, without those in which it waits.
    pub fn cycles(&self) -> Vec<u64> {
        self.schedules.iter().map(Schedule::cycles).collect()
    }

    fn most(&self, of: impl Fn(&Schedule) -> usize) -> usize {
        self.schedules.iter().map(of).max().unwrap_or(0)
    }

    fn quotient_bits(&self) -> u32 {
        bits(self.most(Schedule::quotients))
    }

    fn entry_bits(&self) -> u32 {
        bits(self.most(Schedule::entries))
    }

    fn words(&self) -> usize {
        self.schedules.iter().map(|schedule| schedule.words().len()).sum()
    }

    fn argument_bits(&self) -> u32 {
        let counts = self.scalar_bits.iter().copied().max().unwrap_or(0) as usize;
        bits(self.words().max(counts + 1))
    }

    /// The parameters of the core.
    pub fn scalars(&self) -> Vec<(String, u64)> {
        let digits = self.scalar_bits.iter().max().unwrap_or(&0).div_ceil(self.width);
        [
            ("RESIDENT", self.schedules.len()),
            ("PROGRAM_W", bits(self.schedules.len()) as usize),
            ("RESIDENT_A", self.most(Schedule::entries)),
            ("RESIDENT_B", self.most(Schedule::registers)),
            ("RESIDENT_EW", self.entry_bits() as usize),
            ("QUOTIENTS", self.most(Schedule::quotients).max(1)),
            ("QUOTIENT_AW", self.quotient_bits() as usize),
            ("ARGUMENT_W", self.argument_bits() as usize),
            ("SCALAR_DIGITS", digits.max(1) as usize),
            ("SCALAR_BITS", self.scalar_bits[0] as usize),
            ("ORDER_BITS", self.scalar_bits[1].saturating_sub(1) as usize),
            ("OPERAND_W", self.scalar_bits[0].max(self.prime.bits_vartime()) as usize),
        ]
        .map(|(name, value)| (name.to_owned(), value as u64))
        .to_vec()
    }

    /// The parameters of a core without programs, for a P of `bits` bits and moduli of `width`
    /// bits.
    pub fn none(bits: u32, width: u32) -> Vec<(String, u64)> {
        let zeros = ["RESIDENT", "RESIDENT_A", "RESIDENT_B", "ORDER_BITS"].map(|name| (name, 0));
        let ones =
            ["PROGRAM_W", "RESIDENT_EW", "QUOTIENTS", "QUOTIENT_AW", "ARGUMENT_W"].map(|name| (name, 1));
        let others = [("SCALAR_DIGITS", bits.div_ceil(width)), ("SCALAR_BITS", bits), ("OPERAND_W", bits)];
        let all = zeros.into_iter().chain(ones).chain(others);
        all.map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// The number added to a scalar, with as many bits as the scalar's digits.
    pub fn order(&self) -> Bits {
        let digits = self.scalar_bits.iter().max().unwrap_or(&1).div_ceil(self.width).max(1);
        Bits::long(&self.addend, digits * self.width)
    }

    /// The start address of each program.
    pub fn starts(&self, width: u32) -> Vec<Bits> {
        let mut next = 0;
        let start = |schedule: &Schedule| {
            next += schedule.words().len();
            Bits::of((next - schedule.words().len()) as u64, width)
        };
        self.schedules.iter().map(start).collect()
    }

    /// The number of checks in each program, in [`CHECKS_BITS`] bits.
    pub fn checks(&self) -> Vec<Bits> {
        self.checks.iter().map(|&count| Bits::of(count as u64, CHECKS_BITS)).collect()
    }

    /// The number of results of each program, in as many bits.
    pub fn results(&self) -> Vec<Bits> {
        self.results.iter().map(|&count| Bits::of(count as u64, CHECKS_BITS)).collect()
    }

    /// The time limit of each program in cycles: it waits for the loader and the unloader for less
    /// time than it computes.
    pub fn patience(&self) -> Vec<Bits> {
        let limit = |cycles| 2 * cycles + SPARE_CYCLES;
        self.cycles().into_iter().map(|cycles| Bits::of(limit(cycles), CYCLES_BITS)).collect()
    }

    /// The addends' words in every channel: k·P, minus 2^w or twice that.
    pub fn addend_words(&self, field: &RnsMontgomery) -> Vec<Residues> {
        let word = |addend: &Addend| {
            let Addend::Difference { multiple, twice, second } = *addend else { return Residues::default() };
            let base = field.bases()[usize::from(second)];
            let wide = (&self.prime).resize(self.prime.bits_vartime() + 64);
            let multiple = wide.wrapping_mul(BoxedUint::from(multiple));
            let mut word =
                if second { base.to_scaled_residues(&multiple) } else { base.to_residues(&multiple) };
            for _ in 0..=u32::from(twice) {
                base.channels().subtract(&mut word, base.channels().complements(), &mut ());
            }
            word
        };
        self.addends.iter().map(word).collect()
    }

    /// The words of the program memory.
    pub fn memory(&self, widths: &Widths) -> Vec<Bits> {
        let mut start = 0;
        let mut memory = Vec::with_capacity(self.words());
        for (program, schedule) in self.schedules.iter().enumerate() {
            memory.extend(schedule.words().iter().map(|word| {
                let bits = self.word(word, program, start, widths);
                let odd = self.guard && bits.odd();
                if self.guard { bits.and(odd.into(), 1) } else { bits }
            }));
            start += schedule.words().len();
        }
        memory
    }

    /// The fields of a word, lowest first. `moduli_rns_resident_pkg.sv` lists them in reverse
    /// order.
    fn word(&self, word: &Word, program: usize, start: usize, widths: &Widths) -> Bits {
        let nothing = Issue::of_constant(false, Constant::One);
        let issue = word.issue.unwrap_or(nothing);
        let (left, fetch) = match issue.left {
            Left::Entry(entry) => (Some(entry), false),
            Left::Fetch(entry) => (Some(entry), true),
            Left::Nothing | Left::Ring => (None, false),
        };
        let (right, from) = match issue.right {
            Right::Entry(entry) => (Some(entry), 0),
            Right::Digit => (None, 1),
            Right::Quotient(_) => (None, 2),
            Right::One => (None, 3),
            Right::Nothing => (None, 0),
        };
        let quotient = match issue.right {
            Right::Quotient(number) => Some(number),
            _ => issue.quotient,
        };
        let (by_b, chunk, inner, constant) = match issue.factor {
            Factor::Chunk(chunk) => (true, chunk, false, None),
            Factor::Inner => (false, 0, true, None),
            Factor::Constant(constant) => (false, 0, false, Some(constant)),
        };
        // A word that only fetches digits does not change the sums.
        let works = word.issue.is_some() && !(fetch && issue.right == Right::Nothing && issue.to.is_none());
        let (control, argument) = control(word.control, start);
        let paired = self.schedules.get(program).map_or(0, Schedule::paired);
        let entry = |bits: Bits, entry: Option<Entry>| {
            let (number, unless) = entry.map_or((0, None), |entry| (entry.number, entry.unless));
            // The register of a pair that no bit selects.
            let placed = entry.is_some() && number < paired;
            bits.and(number as u64, self.entry_bits())
                .and(u64::from(unless.unwrap_or(placed)), 1)
                .and(unless.is_some().into(), 1)
        };
        let flag = |bits: Bits, flag: bool| bits.and(flag.into(), 1);
        let mut bits = Bits::of(argument as u64, self.argument_bits()).and(control, 4);
        bits = flag(bits, word.next_bit);
        bits = flag(bits, word.next_digit);
        bits = bits.and(quotient.unwrap_or(0) as u64, self.quotient_bits());
        bits = flag(bits, issue.quotient.is_some());
        bits = flag(bits, issue.short);
        bits = flag(bits, issue.to_ring);
        bits = flag(bits, fetch);
        bits = flag(bits, issue.to.is_some());
        bits = flag(bits, inner);
        bits = flag(bits, issue.second);
        bits = flag(bits, issue.accumulate);
        bits = bits.and(chunk as u64, bits_of_chunk(widths.chunks));
        bits = flag(bits, by_b);
        bits = flag(bits, issue.minus);
        bits = bits.and(from, 2);
        bits = flag(bits, right.is_some());
        bits = flag(bits, issue.left == Left::Ring);
        bits = flag(bits, left.is_some() && !fetch);
        bits = flag(bits, works);
        bits = bits.and(self.addend(issue.addend, widths) as u64, widths.addend);
        let address = constant.map_or(0, |constant| self.extension(constant, program, widths));
        bits = bits.and(address as u64, widths.extension);
        bits = entry(bits, issue.to);
        bits = entry(bits, right);
        entry(bits, left)
    }

    fn addend(&self, addend: Addend, widths: &Widths) -> usize {
        match addend {
            Addend::Zero => widths.groups[0],
            Addend::Leave => widths.groups[LEAVE],
            Addend::Difference { .. } => {
                widths.first_addend + self.addends.iter().position(|each| *each == addend).unwrap_or(0)
            }
        }
    }

    /// The address of a constant: see `hdl/doc/constants.md`.
    fn extension(&self, constant: Constant, program: usize, widths: &Widths) -> usize {
        let chunks = widths.chunks as usize;
        let (reduce, forth) = (10, 10 + 2 * chunks);
        let own = |number: usize, second: bool| widths.first_extension + number + usize::from(second);
        match constant {
            Constant::Radix { second } => 2 * usize::from(second),
            Constant::Last { second } => 1 + 2 * usize::from(second),
            // 1 has the same expansion in both bases, and so has 2.
            Constant::One => 1,
            Constant::Two => own(0, false),
            Constant::Enter { second } => 4 + usize::from(second),
            Constant::Leave { second } => 6 + usize::from(second),
            Constant::Given { number, second } => own(self.first_constant[program] + 2 * number, second),
            Constant::Reduce { second, chunk } => reduce + chunk + chunks * usize::from(second),
            Constant::Forth(k) => forth + k,
            Constant::Back(k) => forth + widths.channels + 1 + k,
        }
    }
}

/// The bits for the number of a chunk, plus one.
fn bits_of_chunk(chunks: u32) -> u32 {
    (chunks + 1).next_power_of_two().ilog2()
}

/// The code of a control and its argument. Addresses are relative to `start`.
fn control(control: Control, start: usize) -> (u64, usize) {
    match control {
        Control::Nothing => (0, 0),
        Control::Count(count) => (1, count as usize),
        Control::Repeat(at) => (2, start + at),
        Control::TakeOperand => (3, 0),
        Control::AwaitOperand(at) => (4, start + at),
        Control::TakeScalar(Scalar::Operand) => (5, 0),
        Control::TakeScalar(Scalar::Completed) => (6, 0),
        Control::TakeScalar(Scalar::Inverse) => (7, 0),
        Control::AwaitScalar(at) => (8, start + at),
        Control::AwaitUnloader(at) => (9, start + at),
        Control::Unload => (10, 0),
        Control::Judge => (10, 1),
        Control::AwaitResult(at) => (11, start + at),
        Control::Finish => (12, 0),
        Control::TakeRandom => (13, 0),
        Control::TakePlaces => (14, 0),
        Control::AwaitPlaces(at) => (15, start + at),
    }
}

/// The length of a word in bits.
pub fn word_width(resident: &Resident, widths: &Widths) -> u32 {
    resident.word(&Word::default(), 0, 0, widths).len() as u32 + u32::from(resident.guard)
}
