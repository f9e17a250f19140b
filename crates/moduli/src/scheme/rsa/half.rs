//! One prime and the exponentiation modulo it.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::{Zeroize, Zeroizing};

#[cfg(feature = "rayon")]
use crate::power;
use crate::{
    crt::Factor,
    error::Error,
    exponent::{Exponent, Magnitude},
    modulus::Modulus,
    power::pow_rows,
};
use moduli_kernel::{LaneSession, Session, Words};

/// Bits of the random multiple that exponent blinding adds. Known attacks that average it out fail
/// even against half as many.
pub(super) const BLINDING_BITS: u32 = 64;

/// A prime of the key with its precomputed constants.
pub(super) struct Half {
    pub(super) factor: Factor,
    /// d modulo prime − 1, at the precision of the prime.
    pub(super) exponent: Zeroizing<BoxedUint>,
    /// prime − 1, at a precision that suffices for the blinded exponent.
    pub(super) group_order: Zeroizing<BoxedUint>,
}

impl Half {
    /// `exponent` is d modulo prime − 1. `longest` bounds the bits of the values that will be
    /// reduced.
    pub(super) fn new(prime: Modulus, exponent: &BoxedUint, longest: u32) -> Self {
        let value = prime.value().as_ref();
        let precision = value.bits_precision();
        let minus_one = Zeroizing::new(value.wrapping_sub(BoxedUint::one()));
        let group_order = Zeroizing::new((&*minus_one).resize_unchecked(precision + 64));
        let exponent = Zeroizing::new(exponent.resize_unchecked(precision));
        Self { exponent, group_order, factor: Factor::new(prime, longest) }
    }

    /// The exponent with `bits` public bits. With blinding, a random multiple of prime − 1 is
    /// added: 64 bits times prime − 1.
    pub(super) fn exponent(&self, blinding: Option<u64>, bits: u32) -> Result<Magnitude, Error> {
        let Some(random) = blinding else { return Exponent::from(&*self.exponent).below(bits) };
        let factor = Zeroizing::new(BoxedUint::from(random));
        let mut multiple = Zeroizing::new(self.group_order.wrapping_mul(&*factor));
        multiple.wrapping_add_assign(&*self.exponent);
        Exponent::from(&*multiple).below(bits)
    }

    /// The public length of that exponent in bits.
    fn exponent_bits(&self, blinded: bool) -> u32 {
        self.factor.modulus.bits() + if blinded { BLINDING_BITS } else { 0 }
    }

    /// Raises a value of `value_bits` public bits to [`exponent`](Self::exponent). Constant-time.
    #[cfg(feature = "rayon")]
    pub(super) fn pow(&self, value: &[u64], value_bits: u32, blinding: Option<u64>) -> Result<Words, Error> {
        let bits = self.exponent_bits(blinding.is_some());
        let exponent = self.exponent(blinding, bits)?;
        let mut session = self.factor.modulus.session();
        let mut power = self.factor.reduce(&mut session, value, value_bits);
        power::pow(&mut session, &mut power, &exponent);
        Ok(power)
    }
}

/// Raises at most as many values as there are lanes to the prime's exponents with their blinding,
/// side by side. The values have the same number of public bits. Constant-time.
pub(super) fn pow_side_by_side(
    half: &Half,
    (session, lanes): (&mut Session<'_>, &mut LaneSession<'_>),
    values: &[Words],
    value_bits: u32,
    blinding: &[Option<u64>],
) -> Result<Vec<Words>, Error> {
    let bits = half.exponent_bits(blinding.iter().any(Option::is_some));
    let exponents =
        blinding.iter().map(|&random| half.exponent(random, bits)).collect::<Result<Vec<_>, _>>()?;
    let bases: Vec<Words> =
        values.iter().map(|value| half.factor.reduce(session, value, value_bits)).collect();
    pow_rows(lanes, session.one(), bases.iter().map(|base| &**base), &exponents)
}

/// A public length in bits that suffices for the exponents of both halves.
pub(super) fn exponent_bits([p, q]: &[Half; 2], blinding: [Option<u64>; 2]) -> u32 {
    p.exponent_bits(blinding[0].is_some()).max(q.exponent_bits(blinding[1].is_some()))
}

/// d modulo prime − 1. Constant-time except for the precisions.
pub(super) fn reduced_exponent(d: &BoxedUint, prime: &BoxedUint) -> Option<Zeroizing<BoxedUint>> {
    let mut order: NonZero<BoxedUint> = Option::from(prime.wrapping_sub(BoxedUint::one()).into_nz())?;
    let reduced = moduli_kernel::limbs::remainder(d, &order);
    order.zeroize();
    Some(reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blinded_exponent_is_the_same_modulo_the_order() {
        let prime = Modulus::new(&BoxedUint::from(1_000_003u64)).unwrap();
        let half = Half::new(prime, &BoxedUint::from(77_777u64), 64);
        assert_eq!(half.exponent(None, 84).unwrap().limbs(), [77_777, 0]);
        for random in [0, 1, 5, u64::MAX] {
            let expected = u128::from(random) * 1_000_002 + 77_777;
            assert_eq!(
                half.exponent(Some(random), 84).unwrap().limbs(),
                [expected as u64, (expected >> 64) as u64]
            );
        }
    }
}
