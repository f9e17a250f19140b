//! Arithmetic modulo one word.

use zeroize::Zeroizing;

use moduli_kernel::mask;

/// A word with its top bit set, and its reciprocal. Wiped on drop.
#[derive(Clone)]
pub(super) struct Word {
    divisor: Zeroizing<u64>,
    /// ⌊(2^128 − 1)/divisor⌋ − 2^64.
    reciprocal: Zeroizing<u64>,
}

impl Word {
    /// Variable-time in the divisor.
    pub(super) fn new(divisor: u64) -> Self {
        let reciprocal = u128::MAX.checked_div(u128::from(divisor)).unwrap_or(0) as u64;
        Self { divisor: Zeroizing::new(divisor), reciprocal: Zeroizing::new(reciprocal) }
    }

    /// high·2^64 + low modulo the word, for `high` below it. Constant-time. Two products (Möller
    /// and Granlund, "Improved division by invariant integers", 2011, Algorithm 4).
    fn rest(&self, high: u64, low: u64) -> u64 {
        let (divisor, reciprocal) = (*self.divisor, *self.reciprocal);
        let quotient = u128::from(reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
        let digit = ((quotient >> 64) as u64).wrapping_add(1);
        let rest = low.wrapping_sub(digit.wrapping_mul(divisor));
        let rest = rest.wrapping_add(divisor & mask::less(quotient as u64, rest));
        rest.wrapping_sub(divisor & !mask::less(rest, divisor))
    }

    /// A number in little-endian limbs, modulo the word. Constant-time.
    pub(super) fn of(&self, limbs: &[u64]) -> u64 {
        limbs.iter().rev().fold(0, |high, &low| self.rest(high, low))
    }

    /// x·y for x and y below the word. Constant-time.
    pub(super) fn mul(&self, x: u64, y: u64) -> u64 {
        let product = u128::from(x) * u128::from(y);
        self.rest((product >> 64) as u64, product as u64)
    }

    /// x + y for x and y below the word. Constant-time.
    pub(super) fn add(&self, x: u64, y: u64) -> u64 {
        let sum = u128::from(x) + u128::from(y);
        self.rest((sum >> 64) as u64, sum as u64)
    }

    /// x^e for x below the word; 0^0 = 1. Constant-time; cost: 128 products.
    pub(super) fn pow(&self, x: u64, e: u64) -> u64 {
        (0..64).rev().fold(1, |power, i| {
            let square = self.mul(power, power);
            mask::choose(mask::of(e >> i & 1 == 1), self.mul(square, x), square)
        })
    }

    /// The constants that a test classifies.
    #[cfg(test)]
    pub(super) fn constants(&mut self) -> [&mut u64; 2] {
        [&mut self.divisor, &mut self.reciprocal]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use testing::Random;

    #[test]
    fn against_the_operators() {
        let mut random = Random(1);
        let divisors = [1 << 63, (1 << 63) + 1, u64::MAX, u64::MAX - 1, random.word() | 1 << 63];
        for divisor in divisors {
            let word = Word::new(divisor);
            let edges = [0, 1, 2, divisor - 1, divisor, divisor.wrapping_add(1), u64::MAX - 1, u64::MAX];
            let numbers: Vec<u64> = edges.into_iter().chain((0..60).map(|_| random.word())).collect();
            for &high in &numbers {
                for &low in &numbers {
                    let number = u128::from(high) << 64 | u128::from(low);
                    assert_eq!(u128::from(word.of(&[low, high])), number % u128::from(divisor));
                    let [x, y] = [high % divisor, low % divisor];
                    let [wide_x, wide_y, modulus] = [x, y, divisor].map(u128::from);
                    assert_eq!(
                        u128::from(word.mul(x, y)),
                        wide_x * wide_y % modulus,
                        "{x}·{y} modulo {divisor}"
                    );
                    assert_eq!(
                        u128::from(word.add(x, y)),
                        (wide_x + wide_y) % modulus,
                        "{x} + {y} modulo {divisor}"
                    );
                }
            }
            for e in [0u64, 1, 2, 3, 10, 37] {
                let x = random.word() % divisor;
                let expected = (0..e).fold(1, |power, _| word.mul(power, x));
                assert_eq!(word.pow(x, e), expected);
            }
            assert_eq!([word.pow(0, 0), word.pow(0, 5)], [1, 0]);
            // x^(2^63) · x^(2^63 − 1) = x^(2^64 − 1).
            let x = random.word() % divisor;
            assert_eq!(word.mul(word.pow(x, 1 << 63), word.pow(x, u64::MAX >> 1)), word.pow(x, u64::MAX));
        }
    }
}
