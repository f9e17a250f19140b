//! The results of the two residue recodings for random exponents: averages for the variable-time
//! forms.
//!
//! All digits but the last are uniform and independent, up to a relative error of one in the range
//! of the last. Then the residues modulo m1 are uniform and independent, too, and the carry after a
//! residue u is uniform in 0..u. The last digit is not uniform if the radix is greater than
//! necessary. If its range is small, the probabilities of this digit and of the carry after it are
//! computed case by case.

use alloc::{vec, vec::Vec};

use super::radices::ratio;
use crate::fixed::euclid::inverse_vartime;

/// The most cases to compute one by one for the carry into the last digit.
const CASES: u64 = 1 << 8;

/// The last digit counts as uniform if its range exceeds this many times m1.
const UNIFORM: f64 = 8.0;

/// One of the two recodings, with its moduli.
#[derive(Clone, Copy)]
pub(super) struct Recoding {
    pub(super) m0: u64,
    pub(super) m1: u64,
    /// Whether this is the repaired recoding, with buckets 1..=m1, or the published one, with
    /// buckets 0..m1.
    pub(super) repaired: bool,
}

/// Probabilities for the last digit.
pub(super) struct LastDigit {
    /// The probability of each bucket. Skipped digits are in no bucket.
    pub(super) bucket: Vec<f64>,
    /// The probability of each carry.
    pub(super) carry: Vec<f64>,
}

impl Recoding {
    fn radix(self) -> u64 {
        self.m0 * self.m1
    }

    /// The range of buckets that collect entries.
    pub(super) fn buckets(self) -> core::ops::Range<u64> {
        if self.repaired { 1..self.m1 + 1 } else { 0..self.m1 }
    }

    /// The inverse of m0 modulo u for each u.
    fn inverses(self) -> Vec<u64> {
        (0..=self.m1).map(|u| if u == 0 { 0 } else { inverse_vartime(self.m0, u) }).collect()
    }

    /// The bucket of the digit `k`, whether it is used, and the next carry. `k` is negative if the
    /// carry exceeded the digit.
    fn digit(self, k: i64, inverses: &[u64]) -> (u64, bool, u64) {
        // u·place = q + carry'·m0 with 0 ≤ place < m0, so the next carry is −q/m0 modulo u.
        let carry = |q: u64, u: u64| (u - q % u * inverses[u as usize] % u) % u;
        if self.repaired {
            let shifted = k.saturating_add_unsigned(self.m1) as u64;
            let u = (shifted - 1) % self.m1 + 1;
            // q = (shifted − u)/m1 − 1 ≥ −1. For q = −1 the carry is in 1..=u.
            return match ((shifted - u) / self.m1).checked_sub(1) {
                Some(q) => (u, true, carry(q, u)),
                None => (u, true, inverses[u as usize].max(1)),
            };
        }
        let negative = k < 0;
        let k = if negative { k.saturating_add_unsigned(self.radix()) } else { k } as u64;
        match k % self.m1 {
            0 => (0, k > 0, u64::from(negative)),
            u => (u, true, u64::from(negative) + carry((k - u) / self.m1, u)),
        }
    }

    /// The probabilities for a digit that is uniform in 0..range, after a carry with the given
    /// distribution.
    fn step(self, range: f64, carries: &[f64], inverses: &[u64]) -> LastDigit {
        let mut next = LastDigit { bucket: vec![0.0; carries.len()], carry: vec![0.0; carries.len()] };
        let mut below = vec![0.0; carries.len() + 1];
        for (i, probability) in carries.iter().enumerate() {
            below[i + 1] = below[i] + probability;
        }
        // Digits 0..whole are equally likely; `whole` has the remaining probability.
        let whole = range as i64;
        for k in 1 - carries.len() as i64..=whole {
            let last = (whole - k) as usize;
            let probability = below[last.min(carries.len())] - below[0.max(-k) as usize]
                + carries.get(last).map_or(0.0, |probability| probability * (range - whole as f64));
            if probability > 0.0 {
                let (bucket, used, carry) = self.digit(k, inverses);
                if used {
                    next.bucket[bucket as usize] += probability / range;
                }
                next.carry[carry as usize] += probability / range;
            }
        }
        next
    }

    /// The distribution of carries after uniform digits with a large range: uniform in 0..u for
    /// each residue u. If the quotient has only `quotients` values and these are fewer than u, 0 is
    /// more likely.
    fn carries(self, quotients: f64) -> Vec<f64> {
        let mut carry = vec![0.0; self.m1 as usize + 1];
        let share = 1.0 / self.m1 as f64;
        let most = quotients as u64;
        // The probability that each carry below u gets from greater residues.
        let mut each = 0.0;
        for u in self.buckets().rev() {
            if u > 0 {
                carry[u as usize] = each;
            }
            if u < 2 {
                carry[0] += share;
                continue;
            }
            let zero = (most.div_ceil(u) as f64 / most as f64).min(1.0);
            carry[0] += share * zero;
            each += share * (1.0 - zero) / (u - 1) as f64;
        }
        carry
    }

    /// The last of `digits` digits of a uniform exponent of `bits` bits.
    pub(super) fn last_digit(self, digits: u32, bits: u32) -> LastDigit {
        let (radix, m1) = (self.radix(), self.m1 as f64);
        let range = ratio(bits, radix, digits - 1).min(radix as f64);
        let small = radix * self.m1 <= CASES;
        if !small && range > UNIFORM * m1 {
            let mut bucket = vec![0.0; self.m1 as usize + 1];
            for u in self.buckets() {
                bucket[u as usize] = 1.0 / m1;
            }
            if !self.repaired {
                bucket[0] -= 1.0 / range;
            }
            return LastDigit { bucket, carry: self.carries(range / m1) };
        }
        let inverses = self.inverses();
        let mut carries = vec![0.0; self.m1 as usize + 1];
        carries[0] = 1.0;
        if !small && digits > 1 {
            carries = self.carries(self.m0 as f64);
        } else {
            // After a few digits, the carry hardly depends on the first one.
            for _ in 1..digits.min(8) {
                carries = self.step(radix as f64, &carries, &inverses).carry;
            }
        }
        self.step(range, &carries, &inverses)
    }
}
