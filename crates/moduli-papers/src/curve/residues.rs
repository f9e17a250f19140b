//! The parameters common to m0m1 and its repaired form: radix R = m0·m1, and rows of m0 entries.

use alloc::{format, vec::Vec};

use moduli::Error;

use super::{
    group::Group,
    radix::least_radices,
    rows::times_vartime,
    scalar::{Digits, Divisor, Scalars, equal, less},
};

/// A digit as residues: `bucket` is the factor that is applied at the end, `entry` the index in the
/// row.
#[derive(Clone, Copy)]
pub(super) struct ResidueDigit {
    pub(super) bucket: u64,
    pub(super) entry: u64,
}

/// m0, m1, and constants for the recodings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Residues {
    pub(super) m0: u64,
    pub(super) m1: u64,
    pub(super) scalars: Scalars,
    pub(super) digits: Digits,
    by_m0: Divisor,
    by_m1: Divisor,
    /// The inverse modulo m0 of each u from 1 to m1. Entry 0 is 0.
    inverses: Vec<u64>,
}

impl Residues {
    pub(super) fn new(m0: u32, m1: u32, order: [u64; 4]) -> Result<Self, Error> {
        let scalars = Scalars::new(order)?;
        let invertible = (2..=m1.min(64)).all(|u| inverse(u.into(), m0.into()).is_some());
        if m0 == 0 || !(2..=64).contains(&m1) || m0 > 1 << 20 || !invertible {
            return Err(Error::parameter(
                "m0, m1",
                format!("m0 from 1 to 2^20, m1 from 2 to 64, u ≤ m1 invertible: not {m0}, {m1}"),
            ));
        }
        let (wide_m0, wide_m1) = (u64::from(m0), u64::from(m1));
        Ok(Self {
            m0: wide_m0,
            m1: wide_m1,
            scalars,
            digits: Digits::new(m0 * m1, &scalars),
            by_m0: Divisor::new(m0),
            by_m1: Divisor::new(m1),
            inverses: (0..=wide_m1).map(|u| inverse(u, wide_m0).unwrap_or(0)).collect(),
        })
    }

    /// The least m0 for every number of digits and every m1 ≤ 64, if the table stores at most
    /// `most` points.
    pub(super) fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        let scalars = Scalars::new(order)?;
        let mut shapes = Vec::new();
        for radix in least_radices(scalars, 1 << 20) {
            for m1 in 2..=radix.min(64) {
                let m0 = (radix.div_ceil(m1)..)
                    .find(|&m0| (2..=m1).all(|u| inverse(u.into(), m0.into()).is_some()));
                let Some(shape) = m0.map(|m0| Self::new(m0, m1, order)).transpose()? else { continue };
                if shape.entries() <= most {
                    shapes.push(shape);
                }
            }
        }
        Ok(shapes)
    }

    /// ℓ rows of m0 entries, and one for the last carry.
    pub(super) fn entries(&self) -> usize {
        self.digits.count() * self.m0 as usize + 1
    }

    /// R^i·(1 + m1·j)·P for j from 0 to m0 − 1 in row i, and −R^ℓ·P.
    pub(super) fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let (mut table, mut base) = (Vec::with_capacity(self.entries()), *base);
        for _ in 0..self.digits.count() {
            let step = times_vartime(group, &base, self.m1);
            let row = core::iter::successors(Some(base), |last| Some(group.add(last, &step)));
            table.extend(row.take(self.m0 as usize));
            base = times_vartime(group, &base, self.m0 * self.m1);
        }
        table.push(group.negate(&base));
        table
    }

    /// The rows, and the entry for the carry.
    pub(super) fn rows<'a, P>(&self, table: &'a [P]) -> (impl Iterator<Item = &'a [P]>, &'a P) {
        let rows = self.digits.count() * self.m0 as usize;
        (table[..rows].chunks(self.m0 as usize), &table[rows])
    }

    /// The repaired recoding: digit − carry = u·(1 + m1·j) − carry'·R with 1 ≤ u ≤ m1, low digit
    /// first. Returns the last carry, 0 ≤ carry < m1.
    pub(super) fn repaired(&self, k: [u64; 4], mut emit: impl FnMut(ResidueDigit)) -> u64 {
        let mut carry = 0;
        for digit in self.digits.cut(k) {
            // ⌊(digit − carry)/m1⌋ + 1. The addition makes the dividend nonnegative.
            let (shifted, remainder) = self.by_m1.divide(digit + self.m1 - carry);
            let exact = equal(remainder, 0);
            let bucket = remainder | (self.m1 & exact);
            // The quotient is shifted − 1 − [exact] ≥ −2. Adding 2·m0 makes it positive and
            // preserves it modulo m0.
            let lifted = shifted + 2 * self.m0 - 1 - (exact & 1);
            let entry = self.by_m0.remainder(self.by_m0.remainder(lifted) * self.inverse(bucket));
            carry = self.by_m0.divide(bucket * entry + 2 * self.m0 - lifted).0;
            emit(ResidueDigit { bucket, entry });
        }
        carry
    }

    /// The paper's Algorithm 4 with its errata: digit − carry = u·B − carry'·R with u < m1, or B −
    /// 1 if u = 0, for B = 1 + m1·entry. Returns the last carry, 0 ≤ carry ≤ m1 − 2.
    pub(super) fn published(&self, k: [u64; 4], mut emit: impl FnMut(ResidueDigit)) -> u64 {
        let radix = self.m0 * self.m1;
        let mut carry = 0;
        for digit in self.digits.cut(k) {
            let negative = less(digit, carry);
            let k = digit.wrapping_sub(carry).wrapping_add(radix & negative);
            let (k0, bucket) = (self.by_m0.remainder(k), self.by_m1.remainder(k));
            // B modulo m0: k0/u, or k0 + 1.
            let residue = k0 * self.inverse(bucket) + ((k0 + 1) & equal(bucket, 0));
            let residue = self.by_m0.remainder(residue);
            // From B ≡ 1 modulo m1: entry = (B − 1)/m1 modulo m0.
            let entry =
                self.by_m0.remainder((residue + self.m0 - self.by_m0.remainder(1)) * self.inverse(self.m1));
            let multiple = bucket * (1 + self.m1 * entry);
            carry = (negative & 1) + self.by_m0.divide(self.by_m1.divide(multiple).0).0;
            emit(ResidueDigit { bucket, entry });
        }
        carry
    }

    /// 1/u modulo m0. Reads all inverses.
    fn inverse(&self, u: u64) -> u64 {
        self.inverses.iter().zip(0..).fold(0, |word, (inverse, i)| word | (inverse & equal(i, u)))
    }
}

/// 1/x modulo m by Euclid's algorithm, if it exists; it is 0 modulo 1.
fn inverse(x: u64, m: u64) -> Option<u64> {
    let (mut r, mut s) = ((m as i64, x as i64 % m.max(1) as i64), (0, 1));
    while r.1 != 0 {
        let q = r.0 / r.1;
        (r, s) = ((r.1, r.0 - q * r.1), (s.1, s.0 - q * s.1));
    }
    (r.0 == 1).then(|| s.0.rem_euclid(m as i64) as u64)
}
