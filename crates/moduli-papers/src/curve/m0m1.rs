//! The published m0m1 method.

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
use crate::complexity::hamming_sum;

/// m0m1 as published (Plantard and Robert, WAIFI 2016, Algorithms 4 and 5, with errata corrected),
/// except that inverses are negations here: ℓ·m0 + 1 points, R = m0·m1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct M0m1(Residues);

impl M0m1 {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 2 ≤ m1 ≤ 64, m0 ≤ 2^20 and every u ≤ m1 is invertible modulo m0, and for
    /// an order that [`Group::order`] does not allow.
    pub fn new(m0: u32, m1: u32, order: [u64; 4]) -> Result<Self, Error> {
        Residues::new(m0, m1, order).map(Self)
    }

    /// ⌊log2 (m1 − 1)⌋.
    fn top_bit(&self) -> u64 {
        u64::from((self.0.m1 - 1).ilog2())
    }

    /// H, the sum of the Hamming weights of 1 … m1 − 1.
    fn weights(&self) -> u64 {
        hamming_sum(self.0.m1 as u32).into()
    }
}

impl fmt::Display for M0m1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m0m1:{},{}", self.0.m0, self.0.m1)
    }
}

impl Method for M0m1 {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        Ok(Residues::shapes(order, most)?.into_iter().map(Self).collect())
    }

    fn entries(&self) -> usize {
        self.0.entries()
    }

    fn secret_operations(&self) -> Operations {
        let (digits, m0, m1) = (self.0.digits.count() as u64, self.0.m0, self.0.m1);
        // The digits and the carry are added to their buckets, with a −1 or the identity for each
        // digit; then Algorithm 5 follows.
        let additions = digits + (digits - 1) + (self.weights() - 1) + 2;
        let selections = digits * (m0 - 1) + Buckets::<()>::selections(digits + 1, m1) + digits + 1;
        Operations { additions, doublings: self.top_bit(), negations: 1, selections }
    }

    fn public_operations(&self) -> (f64, f64) {
        let (digits, m0, m1) = (self.0.digits.count() as f64, self.0.m0 as f64, self.0.m1 as f64);
        // The total of the paper's Table 2, minus the digits that are exactly 0.
        let look_ups = digits * (1.0 + 1.0 / m1 - 2.0 / (m0 * m1));
        (look_ups - m1 + self.weights() as f64, self.top_bit() as f64)
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        self.0.build(group, base)
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = Buckets::new(group, self.0.m1 as usize);
        let (mut rows, last) = self.0.rows(table);
        let mut ones = Sum::default();
        let carry = self.0.published(k, |digit| {
            let row = rows.next().unwrap_or_default();
            buckets.add(group, digit.bucket, &select_one(group, row, digit.entry));
            // R^i·P, which must be subtracted if the bucket is 0.
            ones.add(group, &group.select(&group.identity(), &row[0], digit.bucket.ct_eq(&0)));
        });
        buckets.add(group, carry, &group.select(last, &group.identity(), carry.ct_eq(&0)));

        let points = buckets.points();
        let mut sum = Sum::default();
        for bit in (0..=self.top_bit()).rev() {
            sum.double(group);
            for (_, point) in points.iter().enumerate().rev().filter(|(j, _)| j >> bit & 1 == 1) {
                sum.add(group, point);
            }
        }
        sum.add(group, &points[0]);
        sum.add(group, &group.negate(&ones.finish(group)));
        sum.finish(group)
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = [Sum::default(); 64];
        let (mut rows, last) = self.0.rows(table);
        let carry = self.0.published(k, |digit| {
            let row = rows.next().unwrap_or_default();
            // A digit that is exactly 0 has bucket 0 and entry 0, so R^i·P and its inverse cancel:
            // it is skipped.
            if digit.bucket != 0 || digit.entry != 0 {
                buckets[digit.bucket as usize].add(group, &row[digit.entry as usize]);
                if digit.bucket == 0 {
                    buckets[0].add_signed(group, &row[0], true);
                }
            }
        });
        if carry != 0 {
            buckets[carry as usize].add(group, last);
        }
        let mut sum = Sum::default();
        for bit in (0..=self.top_bit()).rev() {
            sum.double(group);
            for j in (1..self.0.m1).rev().filter(|j| j >> bit & 1 == 1) {
                sum.add_sum(group, &buckets[j as usize]);
            }
        }
        sum.add_sum(group, &buckets[0]);
        sum.finish(group)
    }

    fn order(&self) -> [u64; 4] {
        self.0.scalars.order()
    }
}
