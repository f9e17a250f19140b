//! The paper on inversion in residues: its Table I, observed, and its average costs, counted.
//!
//! Bigou and Tisserand, *Binary-Ternary Plus-Minus Modular Inversion in RNS*, IEEE Transactions on Computers
//! 2016.

use alloc::{collections::BTreeMap, format, vec::Vec};
use core::ops::Range;

use super::cell::{Compared, Precision, PrintedTable};
use crate::random;
use crypto_bigint::BoxedUint;
use moduli::Error;
use moduli_kernel::limbs;
use moduli_rns::{
    base::{Base, BaseShape},
    fields::Field,
    inverse::{Binary, BinaryTernary, Options, Stop},
    observe::{Action, ChannelCounts, ChannelObserver, Counter, InversionStep, Phase},
};

/// Table I: D, and f_D(X) for X = 0 … 5.
const TABLE_1: [(u64, [i64; 6]); 4] = [
    (2, [0, 1, 0, 1, 0, 1]),
    (3, [0, -1, 1, 0, -1, 1]),
    (4, [0, -1, 2, 1, 0, -1]),
    (6, [0, -1, -2, 3, 2, 1]),
];

/// A prime ≡ 1 modulo 12, as Table I assumes.
const PRIME: u64 = 1009;

/// Observes which multiple of P each division adds.
struct Divisions<'a> {
    base: &'a Base,
    shift: &'a [u64],
    previous: [i64; 2],
    /// f by the divisor and by the dividend modulo the divisor; `None` if two divisions disagree.
    factors: BTreeMap<(u64, i64), Option<i64>>,
}

impl Divisions<'_> {
    /// The signed value of an inner form.
    fn value(&self, inner: &[u64]) -> i64 {
        let channels = self.base.channels();
        let mut residues = inner.to_vec();
        channels.subtract(&mut residues, self.shift, &mut ());
        channels.multiply(&mut residues, self.base.cofactors(), &mut ());
        let word = |number: &BoxedUint| limbs::to_limbs(number, 1)[0] as i64;
        let value = self.base.from_residues(&residues).map_or(0, |value| word(&value));
        let product = word(self.base.product());
        if value > product / 2 { value - product } else { value }
    }
}

impl ChannelObserver for Divisions<'_> {
    fn step(&mut self, step: &InversionStep<'_>) {
        let [u1, v1] = [self.value(step.u1), self.value(step.v1)];
        let [old_u1, old_v1] = core::mem::replace(&mut self.previous, [u1, v1]);
        let (divided, divisor) = match step.action {
            Action::Load => return,
            Action::Divide { divisor } => (old_v1, divisor),
            Action::PlusMinus { minus, divisor, .. } => {
                (if minus { old_v1 - old_u1 } else { old_v1 + old_u1 }, divisor)
            }
        };
        let (long, prime) = (divisor as i64, PRIME as i64);
        let added = v1 * long - divided;
        let factor = (added % prime == 0).then_some(added / prime);
        let known = self.factors.entry((divisor, divided.rem_euclid(long))).or_insert(factor);
        if *known != factor {
            *known = None;
        }
    }
}

/// Table I, observed in the divisions of binary-ternary inversion modulo 1009: V1 becomes (V1 +
/// f_D(V1)·P)/D.
///
/// # Errors
/// None for this modulus.
pub fn division_factors() -> Result<PrintedTable, Error> {
    let inverter = BinaryTernary::new(&BoxedUint::from(PRIME), BaseShape::new(2, 17), &Options::default())?;
    let mut divisions = Divisions {
        base: inverter.base(),
        shift: inverter.shift(),
        previous: [0; 2],
        factors: BTreeMap::new(),
    };
    for a in 1..PRIME {
        inverter.invert_observed_vartime(&BoxedUint::from(a), &mut divisions)?;
    }
    let mut cells = Vec::new();
    for (divisor, printed) in TABLE_1 {
        for (x, printed) in (0i64..).zip(printed) {
            let seen = divisions.factors.get(&(divisor, x % divisor as i64)).copied().flatten();
            let (row, column) = (format!("f_{divisor}"), format!("{x}"));
            let computed = seen.map_or(f64::NAN, |factor| factor as f64);
            cells.push(Compared::new(row, column, printed as f64, Precision::Within(1e-9), computed));
        }
    }
    Ok(PrintedTable {
        name: "inversion, Table I",
        about: "f_D(X) for X = 0 … 5, read off every division of every inversion modulo 1009, which is 1 modulo 12. The row of \
                f_4 goes by X modulo 4, not modulo 6, and supposes that P is 1 modulo 12.",
        cells,
    })
}

/// Binary or binary-ternary plus-minus inversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InversionMethod {
    /// BMI.
    Binary,
    /// BTMI.
    BinaryTernary,
}

impl InversionMethod {
    /// Both.
    pub const ALL: [Self; 2] = [Self::BinaryTernary, Self::Binary];

    /// The paper's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "BMI",
            Self::BinaryTernary => "BTMI",
        }
    }

    /// The published averages: outer iterations per bit, inner iterations per outer one, EMM and
    /// EMA per channel and bit.
    pub fn published(self) -> [f64; 4] {
        match self {
            Self::Binary => [0.71, 2.0 / 3.0, 2.37, 3.79],
            Self::BinaryTernary => [0.46, 0.75, 1.61, 2.53],
        }
    }
}

/// The fields of the paper's statistics.
pub const FIELDS: [&str; 4] = ["P-192", "P-256", "P-384", "P-521"];

enum Inverter {
    Binary(Binary),
    BinaryTernary(BinaryTernary),
}

/// Inversions in a field, counted with the paper's stopping rule.
pub struct InversionSample {
    inverter: Inverter,
    bits: u32,
    channels: usize,
}

impl InversionSample {
    /// For one of [`FIELDS`].
    ///
    /// # Errors
    /// [`Error::Parameter`] for an unknown field.
    pub fn new(method: InversionMethod, field: &str) -> Result<Self, Error> {
        let prime = Field::named(field)?.prime();
        let bits = prime.bits_vartime();
        // Few wide channels suffice, because the counts are per channel.
        let shape = BaseShape::new((bits + 6).div_ceil(63) as usize, 64);
        let options = Options { stop: Stop::OuterLoop, ..Options::default() };
        let inverter = match method {
            InversionMethod::Binary => Inverter::Binary(Binary::new(&prime, shape, &options)?),
            InversionMethod::BinaryTernary => {
                Inverter::BinaryTernary(BinaryTernary::new(&prime, shape, &options)?)
            }
        };
        Ok(Self { inverter, bits, channels: shape.channels })
    }

    /// Counts of the loop, summed over random operands. The same number always gives the same
    /// operand.
    ///
    /// # Errors
    /// None: only one operand in 2^192 shares a factor with the prime.
    pub fn counted(&self, operands: Range<u32>) -> Result<ChannelCounts, Error> {
        let mut sum = ChannelCounts::default();
        for operand in operands {
            let seed = u64::from(operand) << 10 | u64::from(self.bits);
            let a = limbs::from_limbs(&random::words(u64::from(self.bits).div_ceil(64) + 1, seed));
            let mut counter = Counter::default();
            match &self.inverter {
                Inverter::Binary(inverter) => inverter.invert_observed_vartime(&a, &mut counter)?,
                Inverter::BinaryTernary(inverter) => inverter.invert_observed_vartime(&a, &mut counter)?,
            };
            sum += counter.of(Phase::Loop);
        }
        Ok(sum)
    }

    /// The averages of counts over `operands` operands.
    pub fn averages(&self, counts: &ChannelCounts, operands: u32) -> InversionAverages {
        let bits = f64::from(operands.max(1)) * f64::from(self.bits);
        InversionAverages {
            bits: self.bits,
            costs: [
                counts.outer as f64 / bits,
                counts.inner as f64 / counts.outer.max(1) as f64,
                counts.multiplications as f64 / bits / self.channels as f64,
                counts.additions as f64 / bits / self.channels as f64,
            ],
        }
    }
}

/// Average costs in a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InversionAverages {
    /// ℓ.
    pub bits: u32,
    /// Outer iterations per bit, inner iterations per outer one, EMM and EMA per channel and bit.
    pub costs: [f64; 4],
}

/// The published and the counted averages, of each method in each field.
pub fn inversion_statistics(found: &[(InversionMethod, &str, InversionAverages)]) -> PrintedTable {
    const COLUMNS: [&str; 4] = ["outer/ℓ", "inner/outer", "EMM/(nℓ)", "EMA/(nℓ)"];
    let mut cells = Vec::new();
    for (method, field, averages) in found {
        let row = format!("{}, {field}", method.name());
        let published = method.published();
        // Two divisions per iteration of either loop, and two sums or differences per iteration of
        // the outer one.
        let products = |[outer, inner, ..]: [f64; 4]| {
            let divisions = outer * (2.0 + 2.0 * inner);
            [outer, inner, divisions, divisions + 2.0 * outer]
        };
        let (products_gives, whole) = (products(published), products(averages.costs));
        for i in 0..4 {
            let precision = if (*method, i) == (InversionMethod::Binary, 1) {
                Precision::Within(0.005)
            } else {
                Precision::Unit(0.01)
            };
            let cell = Compared::new(&row, COLUMNS[i], published[i], precision, averages.costs[i]);
            cells.push(match i {
                0 => cell
                    .because("one figure is printed for four fields; it grows with the field", averages.costs[i])
                    .within(0.01),
                1 => cell
                    .because(
                        "one figure is printed for four fields: over the paper's 700,000 operands (`--long`) it is that of P-192, and \
                         falls slowly as the field grows",
                        averages.costs[i],
                    )
                    .within(0.01),
                // If the averages are not rounded, it is the product itself.
                _ if (averages.costs[i] - whole[i]).abs() < 0.005 => {
                    cell.because("the product of the printed averages, which are rounded", products_gives[i])
                }
                _ => cell,
            });
        }
    }
    let mean = |wanted: InversionMethod, i: usize| {
        let of: Vec<f64> =
            found.iter().filter(|(method, ..)| *method == wanted).map(|(.., found)| found.costs[i]).collect();
        of.iter().sum::<f64>() / of.len().max(1) as f64
    };
    for (i, what) in [(2, "EMM saved, %"), (3, "EMA saved, %")] {
        let saved = 1.0 - mean(InversionMethod::BinaryTernary, i) / mean(InversionMethod::Binary, i);
        cells.push(Compared::new("BTMI beside BMI", what, 30.0, Precision::Unit(10.0), 100.0 * saved));
    }
    PrintedTable {
        name: "inversion, average costs",
        about: "Word operations counted over random operands, for the loop alone, as published: U3 and V3 are \
                tested once per iteration of the outer loop.",
        cells,
    }
}
