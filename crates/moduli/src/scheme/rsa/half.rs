//! One prime and the exponentiation modulo it.

use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::{Zeroize, Zeroizing};

#[cfg(feature = "rayon")]
use crate::element::Element;
use crate::{
    error::Error,
    exponent::Exponent,
    kernel::{Kernel, Words},
    modulus::Modulus,
    power::pow_beside,
};

/// Bits of the random multiple that exponent blinding adds: half of them withstand what is known to average it out.
pub(super) const BLINDING_BITS: u32 = 64;

/// A prime of the key with everything precomputed for it.
pub(super) struct Half {
    pub(super) prime: Modulus,
    /// d modulo prime − 1, at the precision of the prime.
    pub(super) exponent: Zeroizing<BoxedUint>,
    /// prime − 1, with room for the blinded exponent.
    pub(super) group_order: Zeroizing<BoxedUint>,
    /// 2^chunk, entered; chunk is one bit less than the prime has, so that every chunk is below it.
    pub(super) shift: Words,
    chunk: u32,
}

impl Half {
    /// `exponent` is d modulo prime − 1.
    pub(super) fn new(prime: Modulus, exponent: &BoxedUint) -> Self {
        let value = prime.value().as_ref();
        let (bits, precision) = (prime.bits(), value.bits_precision());
        let minus_one = Zeroizing::new(value.wrapping_sub(BoxedUint::one()));
        let group_order = Zeroizing::new((&*minus_one).resize_unchecked(precision + 64));
        let chunk = bits - 1;
        let power = Zeroizing::new(BoxedUint::one_with_precision(precision).shl(chunk));
        let shift = prime.enter(&power);
        let exponent = Zeroizing::new(exponent.resize_unchecked(precision));
        Self { exponent, group_order, shift, chunk, prime }
    }

    /// The exponent, or with 64 random bits the exponent plus that multiple of prime − 1.
    pub(super) fn exponent(&self, blinding: Option<u64>) -> Zeroizing<BoxedUint> {
        let Some(random) = blinding else { return self.exponent.clone() };
        let factor = Zeroizing::new(BoxedUint::from(random));
        let mut multiple = Zeroizing::new(self.group_order.wrapping_mul(&*factor));
        multiple.wrapping_add_assign(&*self.exponent);
        multiple
    }

    /// Bits of that exponent, public.
    fn exponent_bits(&self, blinded: bool) -> u32 {
        self.prime.bits() + if blinded { BLINDING_BITS } else { 0 }
    }

    /// The residue of a value of `bits` public bits: chunk after chunk, so that no division is needed. Uniform; two
    /// products a chunk.
    pub(super) fn reduce(&self, kernel: &dyn Kernel, value: &[u64], bits: u32) -> Words {
        let mut scratch = Words::zero(kernel.scratch_words());
        let mut part = Words::zero(kernel.limbs());
        let mut entered = Words::zero(kernel.residue_words());
        let mut residue: Option<Words> = None;
        for i in (0..bits.div_ceil(self.chunk)).rev() {
            bit_range(&mut part, value, i * self.chunk, self.chunk);
            kernel.enter(&mut entered, &part, &mut scratch);
            match &mut residue {
                None => residue = Some(entered.clone()),
                Some(residue) => {
                    kernel.mul(residue, &self.shift, &mut scratch);
                    kernel.add(residue, &entered, &mut scratch);
                }
            }
        }
        residue.unwrap_or(entered)
    }

    /// The value of `bits` public bits, raised to [`exponent`](Self::exponent), alone. Uniform.
    #[cfg(feature = "rayon")]
    pub(super) fn pow(
        &self,
        kernel: &dyn Kernel,
        value: &[u64],
        bits: u32,
        blinding: Option<u64>,
    ) -> Result<Words, Error> {
        let exponent = self.exponent(blinding);
        let exponent = Exponent::from(&*exponent).with_bits(self.exponent_bits(blinding.is_some()))?;
        let base = Element::from_residue(&self.prime, self.reduce(kernel, value, bits));
        Ok(Words::copy_of(base.pow_on(kernel, &exponent)?.residue()))
    }
}

/// The value of `bits` public bits, raised to both exponents, the steps of one power beside those of the other. Uniform.
pub(super) fn pow_both(
    halves: &[Half; 2],
    kernels: [&dyn Kernel; 2],
    value: &[u64],
    bits: u32,
    blinding: [Option<u64>; 2],
) -> Result<[Words; 2], Error> {
    let [p, q] = halves;
    let longest = p.exponent_bits(blinding[0].is_some()).max(q.exponent_bits(blinding[1].is_some()));
    let exponents = [p.exponent(blinding[0]), q.exponent(blinding[1])];
    let [of_p, of_q] = [&exponents[0], &exponents[1]].map(|exponent| Exponent::from(&**exponent));
    let exponents = [of_p.limbs(longest)?, of_q.limbs(longest)?];
    let bases = [p.reduce(kernels[0], value, bits), q.reduce(kernels[1], value, bits)];
    pow_beside(kernels, [&bases[0], &bases[1]], [&exponents[0], &exponents[1]], longest)
}

/// d modulo prime − 1. Uniform but for the precisions.
pub(super) fn reduced_exponent(d: &BoxedUint, prime: &BoxedUint) -> Option<Zeroizing<BoxedUint>> {
    let mut order: NonZero<BoxedUint> = Option::from(prime.wrapping_sub(BoxedUint::one()).into_nz())?;
    let reduced = Zeroizing::new(d.rem(&order));
    order.zeroize();
    Some(reduced)
}

/// `out` ← bits `start..start + count` of `value`, zeros above; bits past the end of `value` are 0.
fn bit_range(out: &mut [u64], value: &[u64], start: u32, count: u32) {
    let (limb, shift) = (start as usize / 64, start % 64);
    for (j, out) in (0u32..).zip(out.iter_mut()) {
        let low = value.get(limb + j as usize).copied().unwrap_or(0);
        let high = value.get(limb + j as usize + 1).copied().unwrap_or(0);
        let wide = (u128::from(high) << 64 | u128::from(low)) >> shift;
        let kept = count.saturating_sub(64 * j).min(64);
        *out = wide as u64 & (((1u128 << kept) - 1) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn ranges_of_bits() {
        let value = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xff];
        for (start, count, expected) in [
            (0, 64, [0x0123_4567_89ab_cdef, 0]),
            (4, 64, [0x0012_3456_789a_bcde, 0]),
            (0, 128, [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]),
            (60, 68, [0xedcb_a987_6543_2100, 0xf]),
            (64, 63, [0x7edc_ba98_7654_3210, 0]),
            (128, 65, [0xff, 0]),
            (192, 65, [0, 0]),
        ] {
            let mut out = vec![u64::MAX; 2];
            bit_range(&mut out, &value, start, count);
            assert_eq!(out, expected, "{start} {count}");
        }
    }

    #[test]
    fn reduction_without_division() {
        for (prime, bits) in [(1_000_003u64, 20), (3, 2), (0xffff_ffff_ffff_ffc5, 64), (7, 3)] {
            let prime = Modulus::new(&BoxedUint::from(prime)).unwrap();
            let half = Half::new(prime.clone(), &BoxedUint::from(1u64));
            assert_eq!(prime.bits(), bits);
            for value in [0, 1, 6, 1_000_002, 1_000_003, u128::MAX, u128::MAX / 3, 1 << 127] {
                let limbs = [value as u64, (value >> 64) as u64];
                let found = prime.leave(&half.reduce(prime.kernel(), &limbs, 128));
                assert_eq!(found, prime.reduce(&BoxedUint::from(value)), "{value} modulo {prime:?}");
            }
        }
    }

    #[test]
    fn a_blinded_exponent_is_the_same_modulo_the_order() {
        let prime = Modulus::new(&BoxedUint::from(1_000_003u64)).unwrap();
        let half = Half::new(prime, &BoxedUint::from(77_777u64));
        assert_eq!(*half.exponent(None), BoxedUint::from(77_777u64));
        for random in [0, 1, 5, u64::MAX] {
            let expected = u128::from(random) * 1_000_002 + 77_777;
            assert_eq!(*half.exponent(Some(random)), BoxedUint::from(expected));
        }
    }
}
