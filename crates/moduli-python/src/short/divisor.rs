//! Division of long numbers by a modulus of two words or more, a word at a time (Möller and Granlund 2011).

use super::words::{MORE_WORDS, leading_zeros, multiply, resized, shifted_down, shifted_up, sum};

/// A modulus of at most eight words, times the power of two that sets its highest bit.
pub(super) struct Divisor<const N: usize> {
    modulus: [u64; N],
    shift: u32,
    /// ⌊(2^192 − 1)/d⌋ − 2^64, for the two highest words d.
    reciprocal: u64,
}

impl<const N: usize> Divisor<N> {
    /// Prepares a modulus that is not 0.
    pub(super) fn new(modulus: &[u64; N]) -> Self {
        let shift = leading_zeros(modulus);
        let modulus = shifted_up(modulus, shift);
        Self { modulus, shift, reciprocal: reciprocal(top(&modulus)) }
    }

    /// 2^(64·N) times a value below the modulus, modulo the modulus.
    pub(super) fn entered(&self, value: &[u64; N]) -> [u64; N] {
        let all = (0..N).fold(shifted_up(value, self.shift), |rest, _| self.next(&rest, 0));
        shifted_down(&all, self.shift)
    }

    /// A number of at most eight words modulo the modulus.
    pub(super) fn rest<const W: usize>(&self, number: &[u64; W]) -> [u64; N] {
        let number: [u64; 2 * MORE_WORDS] = shifted_up(&resized(number), self.shift);
        let words = number.iter().rev().skip_while(|&&word| word == 0);
        shifted_down(&words.fold([0; N], |rest, &word| self.next(&rest, word)), self.shift)
    }

    /// 2^64·rest + word, modulo the normalised modulus, for a rest below it.
    #[inline(always)]
    fn next(&self, rest: &[u64; N], word: u64) -> [u64; N] {
        let quotient = self.quotient(rest, if N > 2 { rest[N - 3] } else { word });
        let (mut carry, mut borrow) = (0, false);
        let mut below = word;
        let mut new: [u64; N] = std::array::from_fn(|i| {
            let product;
            (product, carry) = multiply(quotient, self.modulus[i], carry, 0);
            let (partial, first) = below.overflowing_sub(product);
            let (digit, second) = partial.overflowing_sub(u64::from(borrow));
            (borrow, below) = (first | second, rest[i]);
            digit
        });
        let (partial, first) = below.overflowing_sub(carry);
        if first | (partial < u64::from(borrow)) {
            // The quotient was one too large.
            new = sum(&new, &self.modulus).0;
        }
        new
    }

    /// ⌊(2^64·rest + the next word)/modulus⌋, or one more.
    #[inline(always)]
    fn quotient(&self, rest: &[u64; N], third: u64) -> u64 {
        let (high, divisor) = (top(rest), top(&self.modulus));
        if high >= divisor {
            // The highest words are equal.
            return u64::MAX;
        }
        let [d0, d1] = words(divisor);
        let [u1, u2] = words(high);
        let [q0, q1] = words((u128::from(self.reciprocal) * u128::from(u2)).wrapping_add(high));
        let r1 = u1.wrapping_sub(q1.wrapping_mul(d1));
        let r = (u128::from(r1) << 64 | u128::from(third))
            .wrapping_sub(u128::from(d0) * u128::from(q1))
            .wrapping_sub(divisor);
        let (less, r) = if (r >> 64) as u64 >= q0 { (0, r.wrapping_add(divisor)) } else { (1, r) };
        q1.wrapping_add(less).wrapping_add(u64::from(r >= divisor))
    }
}

/// The two highest words.
#[inline(always)]
fn top<const N: usize>(words: &[u64; N]) -> u128 {
    u128::from(words[N - 1]) << 64 | u128::from(words[N - 2])
}

/// The low word and the high one.
#[inline(always)]
fn words(both: u128) -> [u64; 2] {
    [both as u64, (both >> 64) as u64]
}

/// ⌊(2^192 − 1)/d⌋ − 2^64, for a d with its highest bit set.
fn reciprocal(d: u128) -> u64 {
    let [d0, d1] = words(d);
    let mut v = ((u128::MAX - (u128::from(d1) << 64)) / u128::from(d1)) as u64;
    let (mut p, over) = d1.wrapping_mul(v).overflowing_add(d0);
    if over {
        v -= 1;
        if p >= d1 {
            v -= 1;
            p = p.wrapping_sub(d1);
        }
        p = p.wrapping_sub(d1);
    }
    let [t0, t1] = words(u128::from(v) * u128::from(d0));
    let over;
    (p, over) = p.overflowing_add(t1);
    if over {
        v -= 1;
        v -= u64::from(u128::from(p) << 64 | u128::from(t0) >= d);
    }
    v
}
