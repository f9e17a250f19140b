//! The inversion for secret values: a number of steps that the length of the modulus fixes.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{digits, inverter::Inverter, transition, update};

impl Inverter {
    /// value^(−1), for a value of as many limbs as the modulus, and all ones; or a number of no meaning, and zero, if
    /// there is none. Constant-time.
    pub fn invert(&self, value: &[u64]) -> (Zeroizing<Vec<u64>>, u64) {
        let count = self.modulus.len();
        let (mut f, mut g) = (self.modulus.clone(), digits::of_limbs(value, count));
        let (mut d, mut e) = (digits::zero(count), digits::zero(count));
        e[0] = 1;
        // δ = 1/2.
        let mut zeta = -1;
        for _ in 0..self.batches() {
            let matrix;
            (zeta, matrix) = transition::constant_time(zeta, f[0], g[0]);
            update::modular(&mut d, &mut e, &matrix, &self.modulus, self.inverse);
            update::exact(&mut f, &mut g, &matrix);
            crate::fault!("an inversion that ends when it is done", "moduli checkmem::residues", {
                if g.iter().all(|&digit| digit == 0) {
                    break;
                }
            });
        }
        // d·value ≡ f = ±gcd, with d in ]−2m, m[.
        let sign = digits::sign(&f);
        digits::negate_and_add(&mut f, sign, &self.modulus, 0);
        let difference = f[1..].iter().fold(f[0] ^ 1, |difference, digit| difference | digit);
        let negative = digits::sign(&d);
        digits::negate_and_add(&mut d, 0, &self.modulus, negative);
        digits::negate_and_add(&mut d, sign, &self.modulus, 0);
        let negative = digits::sign(&d);
        digits::negate_and_add(&mut d, 0, &self.modulus, negative);
        (digits::to_limbs(&d, self.limbs), crate::mask::equal(difference as u64, 0))
    }
}
