//! The inversion for secret values. The number of steps depends only on the length of the modulus.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{
    digits::{self, Digits},
    inverter::Inverter,
    transition, update,
};

/// The initial ζ: δ = −ζ − 1/2 is 1/2.
pub(super) const ZETA: i64 = -1;

impl Inverter {
    /// value^(−1) for a value with as many limbs as the modulus, and all ones. If there is no inverse, a
    /// meaningless number and zero. Constant-time.
    pub fn invert(&self, value: &[u64]) -> (Zeroizing<Vec<u64>>, u64) {
        let ([mut f, mut g, mut d, mut e], mut zeta) = (self.begin(value), ZETA);
        for _ in 0..self.batches() {
            zeta = self.jump(zeta, [&mut f, &mut g, &mut d, &mut e]);
            crate::fault!("an inversion that ends when it is done", "moduli checkmem::residues", {
                if g.iter().all(|&digit| digit == 0) {
                    break;
                }
            });
        }
        self.finish(&mut f, &mut d)
    }

    /// Returns f, g, d and e before the first jump, where f is the modulus m and g the value. Before and
    /// after every jump:
    ///
    /// - f is odd, and f and g are below 2^(64·limbs) in absolute value;
    /// - d·value ≡ f and e·value ≡ g modulo m, and d and e lie in ]−2m, m[.
    #[inline(always)]
    pub(super) fn begin(&self, value: &[u64]) -> [Digits; 4] {
        let count = self.modulus.len();
        let (f, g) = (self.modulus.clone(), digits::of_limbs(value, count));
        let (d, mut e) = (digits::zero(count), digits::zero(count));
        e[0] = 1;
        [f, g, d, e]
    }

    /// Performs 62 division steps, and returns the new ζ.
    #[inline(always)]
    pub(super) fn jump(&self, zeta: i64, [f, g, d, e]: [&mut Digits; 4]) -> i64 {
        let (zeta, matrix) = transition::constant_time(zeta, f[0], g[0]);
        update::modular(d, e, &matrix, &self.modulus, self.inverse);
        update::exact(f, g, &matrix);
        zeta
    }

    /// Returns the result after the last jump, where d·value ≡ f = ±gcd, with d in ]−2m, m[.
    #[inline(always)]
    pub(super) fn finish(&self, f: &mut Digits, d: &mut Digits) -> (Zeroizing<Vec<u64>>, u64) {
        let sign = digits::sign(f);
        digits::negate_and_add(f, sign, &self.modulus, 0);
        let difference = f[1..].iter().fold(f[0] ^ 1, |difference, digit| difference | digit);
        let negative = digits::sign(d);
        digits::negate_and_add(d, 0, &self.modulus, negative);
        digits::negate_and_add(d, sign, &self.modulus, 0);
        let negative = digits::sign(d);
        digits::negate_and_add(d, 0, &self.modulus, negative);
        (digits::to_limbs(d, self.limbs), crate::mask::equal(difference as u64, 0))
    }
}
