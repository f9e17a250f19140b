//! Computes intervals of sums, at once or step by step.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::Functional;
use crate::{
    certificate::Case,
    integers::Integers,
    system::{Id, Value},
};

/// Adds the contribution of a coefficient to an interval, or removes it.
fn widen(range: &mut (BigInt, BigInt), c: &BigInt, (low, high): &(BigInt, BigInt), takes: bool) {
    let (from, to) = if *c < BigInt::ZERO { (high, low) } else { (low, high) };
    if takes {
        range.0 -= c * from;
        range.1 -= c * to;
    } else {
        range.0 += c * from;
        range.1 += c * to;
    }
}

impl<'a> Functional<'a> {
    /// A sum that is zero, with its interval.
    pub fn with_range(integers: &'a Integers, zeros: &'a HashSet<Id>, case: &'a Case) -> Self {
        Self { range: Some((BigInt::ZERO, BigInt::ZERO)), ..Self::new(integers, zeros, case) }
    }

    pub(super) fn interval(&self, id: Id) -> (BigInt, BigInt) {
        let (low, high) = self.integers.bounds(Value::Variable(id));
        (low.into(), high.into())
    }

    pub(super) fn product_interval(&self, x: Id, y: Id) -> (BigInt, BigInt) {
        let ((a, b), (d, e)) = (self.interval(x), self.interval(y));
        let corners = [&a * &d, &a * &e, &b * &d, &b * &e];
        let least = corners.iter().min().cloned().unwrap_or_default();
        (least, corners.into_iter().max().unwrap_or_default())
    }

    /// Replaces the contribution of one coefficient to the interval by that of another.
    pub(super) fn follow(
        &mut self,
        old: Option<&BigInt>,
        new: Option<&BigInt>,
        interval: impl Fn(&Self) -> (BigInt, BigInt),
    ) {
        if self.range.is_none() {
            return;
        }
        let interval = interval(self);
        if let Some(range) = &mut self.range {
            old.into_iter().for_each(|c| widen(range, c, &interval, true));
            new.into_iter().for_each(|c| widen(range, c, &interval, false));
        }
    }

    /// An interval of the sum, computed from those of the integers.
    pub fn bounds(&self) -> (BigInt, BigInt) {
        if let Some(range) = &self.range {
            return range.clone();
        }
        let mut range = (self.constant.clone(), self.constant.clone());
        for (&id, c) in self.open.iter().chain(&self.left) {
            widen(&mut range, c, &self.interval(id), false);
        }
        for (&(x, y), c) in &self.products {
            widen(&mut range, c, &self.product_interval(x, y), false);
        }
        for (number, c) in self.factors.iter().flatten() {
            let product = &self.integers.system.products[*number as usize];
            let highest = [&product.first, &product.second].map(|words| {
                let words = words.iter().enumerate();
                words.map(|(i, &id)| self.interval(id).1 << (64 * i)).sum::<BigInt>()
            });
            widen(&mut range, c, &(BigInt::ZERO, &highest[0] * &highest[1]), false);
        }
        range
    }

    /// Whether the interval allows only the multiple 0 of the unit, for an integer within these bounds.
    pub fn allows_zero_alone(&self, unit: &BigInt, (low, high): (i128, i128)) -> bool {
        let is_short =
            |(from, to): &(BigInt, BigInt)| (high <= 0 || to < unit) && (low >= 0 || *from > -unit);
        self.range.as_ref().map_or_else(|| is_short(&self.bounds()), is_short)
    }
}
