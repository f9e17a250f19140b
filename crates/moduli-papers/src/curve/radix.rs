//! Radix R with signed digits.

use alloc::{format, vec::Vec};
use core::fmt;

use moduli::Error;
use subtle::Choice;

use super::{
    group::{Group, Operations},
    method::Method,
    rows::{Sum, multiples, negate_if, select, times_vartime},
    scalar::{BalancedDigits, Digits, Scalars},
};

/// Odd radix R, with digits from −(R − 1)/2 to (R − 1)/2: the paper's Algorithm 2 with half its
/// table, because −P is free.
///
/// Row i contains j·R^i·P for 1 ≤ j ≤ (R − 1)/2. The top row contains only as many entries as its
/// digits need. There are no doublings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedRadix {
    radix: u32,
    scalars: Scalars,
    digits: BalancedDigits,
}

impl SignedRadix {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a radix that is even, below 3 or above 2^20, and for an order that
    /// [`Group::order`] does not allow.
    pub fn new(radix: u32, order: [u64; 4]) -> Result<Self, Error> {
        let scalars = Scalars::new(order)?;
        if radix.is_multiple_of(2) || !(3..=1 << 20).contains(&radix) {
            return Err(Error::parameter("radix", format!("must be odd, from 3 to 2^20, not {radix}")));
        }
        Ok(Self { radix, scalars, digits: BalancedDigits::new(radix, &scalars) })
    }

    fn row(&self) -> usize {
        self.radix as usize / 2
    }
}

/// The least radix for each number of digits, fewest digits first, up to the radix `largest`.
pub(super) fn least_radices(scalars: Scalars, largest: u32) -> impl Iterator<Item = u32> {
    let enough = move |radix, count| Digits::new(radix, &scalars).count() <= count;
    let least = move |count| {
        let (mut low, mut high) = (1, largest.max(2));
        while high - low > 1 {
            let middle = u32::midpoint(low, high);
            if enough(middle, count) { high = middle } else { low = middle }
        }
        enough(high, count).then_some(high)
    };
    (1..256).filter_map(least)
}

impl fmt::Display for SignedRadix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signed-radix:{}", self.radix)
    }
}

impl Method for SignedRadix {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        let radices = least_radices(Scalars::new(order)?, 1 << 20).map(|radix| (radix | 1).max(3));
        let all = radices.map(|radix| Self::new(radix, order)).collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().filter(|shape| shape.entries() <= most).collect())
    }

    fn entries(&self) -> usize {
        (self.digits.count() - 1) * self.row() + self.digits.largest_top() as usize
    }

    fn secret_operations(&self) -> Operations {
        let digits = self.digits.count() as u64;
        let selections = self.entries() as u64 + digits;
        Operations { additions: digits - 1, doublings: 0, negations: digits, selections }
    }

    fn public_operations(&self) -> (f64, f64) {
        let (low, tops) = (self.digits.count() as f64 - 1.0, 2.0 * self.digits.largest_top() as f64);
        (low * (1.0 - 1.0 / f64::from(self.radix)) - 1.0 / tops, 0.0)
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let (mut table, mut base) = (Vec::with_capacity(self.entries()), *base);
        while table.len() < self.entries() {
            table.extend(multiples(group, &base, self.row().min(self.entries() - table.len())));
            base = times_vartime(group, &base, self.radix.into());
        }
        table
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut sum = Sum::default();
        for (digit, row) in self.digits.cut(&self.scalars, k).zip(table.chunks(self.row())) {
            let entry = select(group, group.identity(), row, digit.unsigned_abs());
            sum.add(group, &negate_if(group, &entry, sign(digit)));
        }
        sum.finish(group)
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut sum = Sum::default();
        for (digit, row) in self.digits.cut(&self.scalars, k).zip(table.chunks(self.row())) {
            if let Some(entry) = (digit.unsigned_abs() as usize).checked_sub(1).and_then(|j| row.get(j)) {
                sum.add_signed(group, entry, digit < 0);
            }
        }
        sum.finish(group)
    }

    fn order(&self) -> [u64; 4] {
        self.scalars.order()
    }
}

/// Whether a digit is negative.
pub(super) fn sign(digit: i64) -> Choice {
    Choice::from((digit >> 63) as u8 & 1)
}
