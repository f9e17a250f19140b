//! A machine that issues the words of a schedule: register files, a ring, quotients, and results that come
//! late. It knows the constants of products, and nothing of the program.

use std::collections::HashMap;

use moduli_rns::{
    base::Base,
    channels::Residues,
    program::{Addend, Assembled, Constant, Control, Entry, Factor, Issue, Left, Right, Scalar, Schedule},
};
use num_bigint::BigUint;
use testing::{big, boxed};

type Vector = Vec<u64>;

/// What an issue makes, when it is there.
struct Late {
    time: u64,
    value: Vector,
    to: Option<usize>,
    quotient: Option<(usize, u64)>,
    to_ring: bool,
}

pub struct Machine<'a> {
    program: &'a Assembled,
    chunks: usize,
    read: u64,
    files: HashMap<usize, Vector>,
    quotients: HashMap<usize, u64>,
    ring: Vector,
    ring_comes: Option<(u64, Vector)>,
    sums: Vec<u128>,
    late: Vec<Late>,
    scalar: (BigUint, u64),
    /// Places of pairs are the other way round.
    places: bool,
    paired: usize,
    loaded: Vec<u64>,
    time: u64,
}

fn modulo(value: u128, m: u64) -> u64 {
    (value % u128::from(m)) as u64
}

impl<'a> Machine<'a> {
    /// Results, none if a check fails, and cycles; all random numbers are `random`, whose lowest bit says
    /// where pairs stand.
    pub fn run(
        program: &'a Assembled,
        schedule: &Schedule,
        operands: &[BigUint],
        random: &BigUint,
    ) -> (Vec<BigUint>, u64) {
        let timing = schedule.timing();
        let mut this = Self {
            program,
            chunks: timing.chunks,
            read: timing.read as u64,
            files: HashMap::new(),
            quotients: HashMap::new(),
            ring: Vec::new(),
            ring_comes: None,
            sums: vec![0; timing.channels],
            late: Vec::new(),
            scalar: (BigUint::ZERO, 1),
            places: false,
            paired: schedule.paired(),
            loaded: Vec::new(),
            time: 0,
        };
        let (mut operands, mut results) = (operands.iter(), Vec::new());
        let (mut at, mut again, mut branch) = (0usize, 0, None);
        loop {
            let word = schedule.words()[at];
            this.arrive();
            if let Some(issue) = word.issue {
                this.issue(&issue, schedule);
            }
            if word.next_digit {
                this.loaded.pop();
            }
            if word.next_bit {
                this.scalar.1 = this.scalar.1.saturating_sub(1);
            }
            let next = Option::take(&mut branch).unwrap_or(at + 1);
            match word.control {
                Control::Count(count) => again = count,
                Control::Repeat(target) if again > 0 => (again, branch) = (again - 1, Some(target)),
                Control::TakeOperand => this.load(operands.next().unwrap(), timing.frames()),
                Control::TakePlaces => this.places = random.bit(0),
                Control::TakeRandom => this.load(random, timing.frames()),
                Control::TakeScalar(source) => this.take_scalar(source, &mut operands),
                Control::Unload => results.push(this.unload()),
                Control::Judge if this.unload() != BigUint::ZERO => return (Vec::new(), this.time),
                Control::Finish => break,
                _ => {}
            }
            (at, this.time) = (next, this.time + 1);
        }
        (results, this.time + 1)
    }

    fn base(&self, second: bool) -> &'a Base {
        self.program.field().bases()[usize::from(second)]
    }

    fn bit(&self) -> bool {
        self.scalar.0.bit(self.scalar.1.wrapping_sub(1))
    }

    fn entry(&self, entry: Entry) -> usize {
        let other = match entry.unless {
            Some(unless) => (self.bit() == unless) != self.places,
            None => self.places && entry.number < self.paired,
        };
        entry.number ^ if other { 2 } else { 0 }
    }

    /// Results that are there now.
    fn arrive(&mut self) {
        let (now, later) = self.late.drain(..).partition::<Vec<_>, _>(|late| late.time <= self.time);
        self.late = later;
        for late in now {
            if let Some((number, quotient)) = late.quotient {
                self.quotients.insert(number, quotient);
            }
            if late.to_ring {
                self.ring = late.value.clone();
            }
            if let Some(to) = late.to {
                self.files.insert(to, late.value);
            }
        }
        if let Some((_, digits)) = self.ring_comes.take_if(|(time, _)| *time <= self.time) {
            self.ring = digits;
        }
    }

    fn load(&mut self, operand: &BigUint, frames: usize) {
        let reduced = operand % big(self.program.field().modulus());
        self.loaded = self.base(false).digits(&boxed(&reduced), frames);
    }

    fn take_scalar<'b>(&mut self, source: Scalar, operands: &mut impl Iterator<Item = &'b BigUint>) {
        let bits = self.program.scalar_bits(source).unwrap();
        let value = match source {
            Scalar::Inverse => big(self.program.field().modulus()) - 2u32,
            Scalar::Operand => operands.next().unwrap().clone(),
            Scalar::Completed => {
                let addend = big(self.program.addend().unwrap());
                let once = operands.next().unwrap() + &addend;
                if once.bits() < u64::from(bits) { once + addend } else { once }
            }
        };
        assert!(value.bits() <= u64::from(bits));
        self.scalar = (value, u64::from(bits));
    }

    /// The ring as residues, less P: it was made with the constant of the way out, which is left out here.
    fn unload(&mut self) -> BigUint {
        let value = self.base(false).from_residues(&Residues::new(self.ring.clone())).unwrap();
        big(&value) % big(self.program.field().modulus())
    }

    fn issue(&mut self, issue: &Issue, schedule: &Schedule) {
        let base = self.base(issue.second);
        let moduli = base.moduli();
        let n = moduli.len();
        let width = base.width();
        let zero = vec![0; n];
        let left = match issue.left {
            Left::Nothing => zero.clone(),
            Left::Entry(entry) => self.files[&self.entry(entry)].clone(),
            Left::Ring => self.ring.clone(),
            Left::Fetch(entry) => {
                // What comes now replaces what came before: nothing else may turn it meanwhile.
                self.ring_comes = Some((self.time + 2, self.files[&self.entry(entry)].clone()));
                zero.clone()
            }
        };
        if issue.left == Left::Ring {
            self.ring.rotate_left(1);
        }
        let right = match issue.right {
            Right::Nothing => zero.clone(),
            Right::Entry(entry) => self.files[&self.entry(entry)].clone(),
            Right::Digit => vec![*self.loaded.last().unwrap(); n],
            Right::Quotient(number) => vec![self.quotients[&number]; n],
            Right::One => vec![1; n],
        };
        let chunk = (width + 1).div_ceil(self.chunks as u32);
        let mut value = vec![0; n];
        for j in 0..n {
            let m = moduli[j];
            let (x, y) = (u128::from(left[j]), u128::from(right[j]));
            let product = match issue.factor {
                Factor::Chunk(k) => {
                    let piece = (x >> (chunk * k as u32)) & ((1 << chunk) - 1);
                    piece * y
                }
                Factor::Inner => x,
                Factor::Constant(constant) => {
                    let sum = if issue.minus { x + u128::from(m) - y % u128::from(m) } else { x + y };
                    u128::from(modulo(sum, m)) * u128::from(self.constant(constant, j, issue.second, chunk))
                }
            };
            let multiple = match issue.addend {
                Addend::Difference { multiple, second, .. } => {
                    assert_eq!(second, issue.second);
                    self.multiple_of_prime(multiple, j, second)
                }
                Addend::Zero | Addend::Leave => 0,
            };
            let before = if issue.accumulate { self.sums[j] } else { 0 };
            self.sums[j] = before + u128::from(modulo(product, m));
            value[j] = modulo(self.sums[j] + u128::from(multiple), m);
        }
        let field = self.program.field();
        let cox = if issue.short { field.short_cox() } else { field.exact_cox() };
        let quotient = issue.quotient.map(|number| (number, cox.quotient(&value, &mut ())));
        let to = issue.to.map(|entry| self.entry(entry));
        assert!(to.is_none_or(|to| to < schedule.entries()));
        self.late.push(Late { time: self.time + self.read, value, to, quotient, to_ring: issue.to_ring });
    }

    fn constant(&self, constant: Constant, j: usize, second: bool, chunk: u32) -> u64 {
        let field = self.program.field();
        let base = self.base(second);
        let (n, m) = (base.count(), base.moduli()[j]);
        let of = |element: &[u64]| element[j];
        let times = |a: u64, b: u64| modulo(u128::from(a) * u128::from(b), m);
        let reduce = if second { field.reduce_second() } else { field.reduce_first() };
        match constant {
            Constant::One => 1,
            Constant::Two => 2,
            Constant::Radix { .. } => base.channels().complements()[j],
            Constant::Last { .. } => {
                if second {
                    base.cofactor_inverses()[j]
                } else {
                    1
                }
            }
            Constant::Enter { .. } => {
                let square = field.square_of_product();
                times(of(if second { square.second() } else { square.first() }), of(reduce))
            }
            Constant::Leave { .. } => times(if second { base.cofactor_inverses()[j] } else { 1 }, of(reduce)),
            Constant::Given { number, .. } => {
                let element = &self.program.constants()[number];
                of(if second { element.second() } else { element.first() })
            }
            Constant::Reduce { chunk: k, .. } => {
                let power = boxed(&(BigUint::from(1u32) << (chunk * k as u32)));
                times(of(&base.to_residues(&power)), of(reduce))
            }
            Constant::Forth(k) if k < n => field.forth()[(j + k) % n][j],
            Constant::Forth(_) => field.forth_excess()[j],
            Constant::Back(k) if k < n => field.back()[(j + k) % n][j],
            Constant::Back(_) => field.back_excess()[j],
        }
    }

    /// k·P in a channel, as registers hold it.
    fn multiple_of_prime(&self, k: u64, j: usize, second: bool) -> u64 {
        let base = self.base(second);
        let multiple = boxed(&(big(self.program.field().modulus()) * k));
        if second { base.to_scaled_residues(&multiple)[j] } else { base.to_residues(&multiple)[j] }
    }
}
