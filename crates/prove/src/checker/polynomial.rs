//! Sparse sums and intervals.

use num_bigint::BigInt;
use std::collections::HashMap;

use crate::{
    certificate::Case,
    failure::{Failure, Reason, Result},
    system::Id,
};

/// All integers from the first to the second.
pub(super) type Interval = (BigInt, BigInt);

/// A number of several words, and the sum that it is equal to in a case.
pub(super) struct Number {
    pub(super) words: Vec<Id>,
    pub(super) bits: usize,
    pub(super) case: Case,
    pub(super) sum: Polynomial,
}

/// A sum of multiples of integers and of products of two.
#[derive(Default)]
pub(super) struct Polynomial {
    pub(super) constant: BigInt,
    pub(super) linear: HashMap<Id, BigInt>,
    pub(super) products: HashMap<(Id, Id), BigInt>,
}

impl Polynomial {
    pub(super) fn is_multiple_of(&self, unit: &BigInt) -> bool {
        let is_zero = |c: &BigInt| c % unit == BigInt::ZERO;
        is_zero(&self.constant) && self.linear.values().chain(self.products.values()).all(is_zero)
    }

    pub(super) fn is_zero(&self) -> bool {
        let is_zero = |c: &BigInt| *c == BigInt::ZERO;
        is_zero(&self.constant) && self.linear.values().chain(self.products.values()).all(is_zero)
    }
}

/// Adds c times an interval to another.
pub(super) fn widen(total: &mut Interval, c: &BigInt, interval: &Interval) {
    let (from, to) = if *c < BigInt::ZERO { (&interval.1, &interval.0) } else { (&interval.0, &interval.1) };
    total.0 += c * from;
    total.1 += c * to;
}

pub(super) fn product_interval(x: &Interval, y: &Interval) -> Interval {
    let corners = [&x.0 * &y.0, &x.0 * &y.1, &x.1 * &y.0, &x.1 * &y.1];
    let [mut low, mut high] = [&corners[0]; 2];
    for corner in &corners[1..] {
        low = low.min(corner);
        high = high.max(corner);
    }
    (low.clone(), high.clone())
}

pub(super) fn refuse<T>(what: impl Into<String>) -> Result<T> {
    Err(Failure::new(Reason::Refused, what))
}

pub(super) fn power(exponent: usize) -> BigInt {
    BigInt::from(1) << exponent
}
