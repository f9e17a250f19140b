//! The inversion for public values: as many steps as it takes, on numbers as long as they are.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{
    digits::{self, DIGIT},
    inverter::Inverter,
    transition, update,
};

impl Inverter {
    /// value^(−1) for a value of at most as many limbs as the modulus, or else their common factor. Variable-time.
    ///
    /// f and g shrink while the cofactors d and e, kept as integers scaled by 2^62 a batch, grow: together they stay
    /// about as long as the modulus. At the end the scale is divided out modulo the modulus.
    pub(crate) fn invert_vartime(&self, value: &[u64]) -> Result<Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>> {
        let count = self.modulus.len();
        let (mut f, mut g) = (self.modulus.clone(), digits::of_limbs(value, count));
        let (mut d, mut e) = (digits::zero(1), digits::zero(1));
        e[0] = 1;
        let (mut eta, mut batches) = (-1, 0);
        while g.iter().any(|&digit| digit != 0) {
            let matrix;
            (eta, matrix) = transition::vartime(eta, f[0], g[0]);
            update::exact(&mut f, &mut g, &matrix);
            drop_sign_digits(&mut f, &mut g);
            digits::extend(&mut d);
            digits::extend(&mut e);
            update::widening(&mut d, &mut e, &matrix);
            drop_sign_digits(&mut d, &mut e);
            batches += 1;
        }
        let sign = digits::sign(&f);
        let nothing = digits::zero(f.len().max(count));
        digits::negate_and_add(&mut f, sign, &nothing, 0);
        if f[0] != 1 || f[1..].iter().any(|&digit| digit != 0) {
            return Err(digits::to_limbs(&f, self.limbs));
        }
        while d.len() <= count {
            digits::extend(&mut d);
        }
        // d·value ≡ f·2^(62·batches) with |d| ≤ 2^(62·batches): divided, it is between −1 and m + 1.
        let negated_inverse = self.inverse.wrapping_neg() & DIGIT;
        for _ in 0..batches {
            update::divide(&mut d, &self.modulus, negated_inverse);
            while d.len() > count && digits::is_top_sign_vartime(&d) {
                digits::drop_top(&mut d);
            }
        }
        digits::negate_and_add(&mut d, sign, &nothing, 0);
        // Now between −(m + 1) and m + 1.
        for _ in 0..2 {
            let negative = digits::sign(&d);
            digits::negate_and_add(&mut d, 0, &self.modulus, negative);
        }
        if d.iter().rev().ge(self.modulus.iter().rev()) {
            digits::subtract(&mut d, &self.modulus);
        }
        Ok(digits::to_limbs(&d, self.limbs))
    }
}

fn drop_sign_digits(x: &mut digits::Digits, y: &mut digits::Digits) {
    while digits::is_top_sign_vartime(x) && digits::is_top_sign_vartime(y) {
        digits::drop_top(x);
        digits::drop_top(y);
    }
}
