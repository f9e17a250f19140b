//! The repaired m0m1 method.

use alloc::vec::Vec;
use core::fmt;

use moduli::Error;
use subtle::ConstantTimeEq;

use super::{
    group::{Group, Operations},
    method::Method,
    residues::Residues,
    rows::{Buckets, Sum, select_one},
};

/// m0m1 repaired: digits u·(1 + m1·j) with 1 ≤ u ≤ m1, combined by running sums. The radix is
/// R = m0·m1; there are ℓ·m0 + 1 points and no doublings.
///
/// m0 = 1 is the method of Brickell, Gordon, McCurley and Wilson (EUROCRYPT 1992) in radix m1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidueDigits(Residues);

impl ResidueDigits {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 2 ≤ m1 ≤ 64, m0 ≤ 2^20 and every u ≤ m1 is invertible modulo m0, and for
    /// an order that [`Group::order`] does not allow.
    pub fn new(m0: u32, m1: u32, order: [u64; 4]) -> Result<Self, Error> {
        Residues::new(m0, m1, order).map(Self)
    }
}

impl fmt::Display for ResidueDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "residue-digits:{},{}", self.0.m0, self.0.m1)
    }
}

impl Method for ResidueDigits {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        Ok(Residues::shapes(order, most)?.into_iter().map(Self).collect())
    }

    fn entries(&self) -> usize {
        self.0.entries()
    }

    fn secret_operations(&self) -> Operations {
        let (digits, m0, m1) = (self.0.digits.count() as u64, self.0.m0, self.0.m1);
        let selections = digits * (m0 - 1) + Buckets::<()>::selections(digits + 1, m1) + 1;
        Operations { additions: digits + 2 * (m1 - 1), doublings: 0, negations: 0, selections }
    }

    fn public_operations(&self) -> (f64, f64) {
        ((self.0.digits.count() as u64 + self.0.m1 - 1) as f64, 0.0)
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        self.0.build(group, base)
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = Buckets::new(group, self.0.m1 as usize);
        let (mut rows, last) = self.0.rows(table);
        let carry = self.0.repaired(k, |digit| {
            let row = rows.next().unwrap_or_default();
            buckets.add(group, digit.bucket - 1, &select_one(group, row, digit.entry));
        });
        // Without a carry, the identity is added to some bucket.
        let none = carry.ct_eq(&0);
        let bucket = carry.wrapping_sub(1).wrapping_add(u64::from(none.unwrap_u8()));
        buckets.add(group, bucket, &group.select(last, &group.identity(), none));

        let (mut running, mut sum) = (Sum::default(), Sum::default());
        for point in buckets.points().iter().rev() {
            running.add(group, point);
            sum.add_sum(group, &running);
        }
        sum.finish(group)
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = [Sum::default(); 64];
        let (mut rows, last) = self.0.rows(table);
        let carry = self.0.repaired(k, |digit| {
            let row = rows.next().unwrap_or_default();
            buckets[digit.bucket as usize - 1].add(group, &row[digit.entry as usize]);
        });
        if carry != 0 {
            buckets[carry as usize - 1].add(group, last);
        }
        let (mut running, mut sum) = (Sum::default(), Sum::default());
        for bucket in buckets[..self.0.m1 as usize].iter().rev() {
            running.add_sum(group, bucket);
            sum.add_sum(group, &running);
        }
        sum.finish(group)
    }

    fn order(&self) -> [u64; 4] {
        self.0.scalars.order()
    }
}
