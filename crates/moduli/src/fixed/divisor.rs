//! Division by a public constant without a division instruction. The dividend may be secret.

use moduli_kernel::mask;

/// A public divisor, 1 ≤ d < 2^32, and its reciprocal.
#[derive(Clone, Copy)]
pub(crate) struct Divisor {
    divisor: u64,
    /// ⌊(2^64 − 1)/d⌋: the estimate ⌊n·reciprocal/2^64⌋ is the quotient or one less.
    reciprocal: u64,
}

impl Divisor {
    pub(crate) fn new(divisor: u32) -> Self {
        let divisor = u64::from(divisor.max(1));
        Self { divisor, reciprocal: u64::MAX / divisor }
    }

    /// `(⌊n/d⌋, n mod d)`. Constant-time in `n`.
    #[inline(always)]
    pub(crate) fn divide(self, n: u64) -> (u64, u64) {
        moduli_kernel::fault!(
            "divisions in the recoding of radix digits",
            "moduli checkmem::powers::powers_of_fixed_bases",
            {
                return (n / self.divisor, n % self.divisor);
            }
        );
        let quotient = ((u128::from(n) * u128::from(self.reciprocal)) >> 64) as u64;
        let remainder = n - quotient * self.divisor;
        let short = !mask::less(remainder, self.divisor);
        (quotient.wrapping_sub(short), remainder - (self.divisor & short))
    }

    /// `n mod d`. Constant-time in `n`.
    #[inline(always)]
    pub(crate) fn remainder(self, n: u64) -> u64 {
        self.divide(n).1
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;

    #[test]
    fn divides_like_the_hardware() {
        let edges = [0, 1, 2, 3, 87, 88, (1 << 32) - 1, 1 << 32, u64::MAX - 1, u64::MAX];
        for d in (1..400).chain([1 << 16, (1 << 31) - 1, u32::MAX - 1, u32::MAX]) {
            let divisor = Divisor::new(d);
            let d = u64::from(d);
            let near = (0..50).flat_map(|k| {
                let multiple = d.wrapping_mul(u64::MAX / d / 49 * k);
                [multiple, multiple.wrapping_sub(1), multiple.wrapping_add(1)]
            });
            for n in (0..500).chain(edges).chain(near) {
                assert_eq!(divisor.divide(n), (n / d, n % d), "{n} / {d}");
            }
        }
    }
}
