//! One prime and the exponentiation modulo it.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::{Zeroize, Zeroizing};

#[cfg(feature = "rayon")]
use crate::power;
use crate::{
    error::Error,
    exponent::{Exponent, Magnitude},
    modulus::Modulus,
    power::{pow_rows, pow_x2},
};
use moduli_kernel::{LaneSession, Session, Words};

/// Bits of the random multiple that exponent blinding adds: half of them withstand what is known to average it out.
pub(super) const BLINDING_BITS: u32 = 64;

/// A prime of the key with everything precomputed for it.
pub(super) struct Half {
    pub(super) prime: Modulus,
    /// d modulo prime − 1, at the precision of the prime.
    pub(super) exponent: Zeroizing<BoxedUint>,
    /// prime − 1, with room for the blinded exponent.
    pub(super) group_order: Zeroizing<BoxedUint>,
    /// What each chunk of a long value is multiplied by, when it was loaded: 2^(i·bits), for as many bits as the prime
    /// has, that enters the product too.
    pub(super) shifts: Vec<Words>,
}

impl Half {
    /// `exponent` is d modulo prime − 1; values of at most `longest` bits will be reduced.
    pub(super) fn new(prime: Modulus, exponent: &BoxedUint, longest: u32) -> Self {
        let value = prime.value().as_ref();
        let (bits, precision) = (prime.bits(), value.bits_precision());
        let minus_one = Zeroizing::new(value.wrapping_sub(BoxedUint::one()));
        let group_order = Zeroizing::new((&*minus_one).resize_unchecked(precision + 64));
        let exponent = Zeroizing::new(exponent.resize_unchecked(precision));
        let shifts = shifts(&prime, longest.div_ceil(bits));
        Self { exponent, group_order, shifts, prime }
    }

    /// The exponent, or with 64 random bits the exponent plus that multiple of prime − 1, of `bits` public bits.
    pub(super) fn exponent(&self, blinding: Option<u64>, bits: u32) -> Result<Magnitude, Error> {
        let Some(random) = blinding else { return Exponent::from(&*self.exponent).below(bits) };
        let factor = Zeroizing::new(BoxedUint::from(random));
        let mut multiple = Zeroizing::new(self.group_order.wrapping_mul(&*factor));
        multiple.wrapping_add_assign(&*self.exponent);
        Exponent::from(&*multiple).below(bits)
    }

    /// Bits of that exponent, public.
    fn exponent_bits(&self, blinded: bool) -> u32 {
        self.prime.bits() + if blinded { BLINDING_BITS } else { 0 }
    }

    /// The residue of a value of `bits` public bits: chunk after chunk, so that no division is needed. Constant-time; a product a
    /// chunk.
    pub(super) fn reduce(&self, session: &mut Session<'_>, value: &[u64], bits: u32) -> Words {
        let chunk = self.prime.bits();
        let (mut part, mut residue, mut product) = (session.value(), session.residue(), session.residue());
        for (i, shift) in (0..bits.div_ceil(chunk)).zip(&self.shifts) {
            bit_range(&mut part, value, i * chunk, chunk);
            session.load(&mut product, &part);
            session.mul(&mut product, shift);
            if i == 0 {
                residue.copy_from_slice(&product);
            } else {
                session.add(&mut residue, &product);
            }
        }
        residue
    }

    /// The value of so many public bits, raised to [`exponent`](Self::exponent), alone. Constant-time.
    #[cfg(feature = "rayon")]
    pub(super) fn pow(&self, value: &[u64], value_bits: u32, blinding: Option<u64>) -> Result<Words, Error> {
        let bits = self.exponent_bits(blinding.is_some());
        let exponent = self.exponent(blinding, bits)?;
        let mut session = self.prime.session();
        let mut power = self.reduce(&mut session, value, value_bits);
        power::pow(&mut session, &mut power, &exponent)?;
        Ok(power)
    }
}

/// The values of so many public bits, for at most as many as there are lanes, raised to the prime's exponents with their blinding,
/// side by side. Constant-time.
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
    let bases: Vec<Words> = values.iter().map(|value| half.reduce(session, value, value_bits)).collect();
    pow_rows(lanes, session.one(), bases.iter().map(|base| &**base), &exponents)
}

/// The value of `bits` public bits, raised to both exponents, the steps of one power beside those of the other. Constant-time.
pub(super) fn pow_both(
    halves: &[Half; 2],
    [of_p, of_q]: [&mut Session<'_>; 2],
    value: &[u64],
    bits: u32,
    blinding: [Option<u64>; 2],
) -> Result<[Words; 2], Error> {
    let [p, q] = halves;
    let longest = p.exponent_bits(blinding[0].is_some()).max(q.exponent_bits(blinding[1].is_some()));
    let exponents = [p.exponent(blinding[0], longest)?, q.exponent(blinding[1], longest)?];
    let bases = [p.reduce(of_p, value, bits), q.reduce(of_q, value, bits)];
    pow_x2([of_p, of_q], [&bases[0], &bases[1]], [&exponents[0], &exponents[1]])
}

/// The residues of c^(−1)·2^(i·bits) for i below `count`, where a value v is loaded as the residue of c·v.
fn shifts(prime: &Modulus, count: u32) -> Vec<Words> {
    let (mut session, bits) = (prime.session(), prime.bits());
    let (mut value, mut residue) = (session.value(), session.residue());
    // 2^bits, twice the largest power of two below the prime.
    value[(bits as usize - 1) / 64] = 1 << ((bits - 1) % 64);
    session.enter(&mut residue, &value);
    let half = residue.clone();
    session.add(&mut residue, &half);
    let power = residue;
    // c^(−1) is loaded as 1.
    session.store(&mut value, session.one());
    let mut shift = session.residue();
    session.enter(&mut shift, &value);
    let mut shifts = Vec::new();
    for _ in 0..count {
        shifts.push(shift.clone());
        session.mul(&mut shift, &power);
    }
    shifts
}

/// d modulo prime − 1. Constant-time but for the precisions.
pub(super) fn reduced_exponent(d: &BoxedUint, prime: &BoxedUint) -> Option<Zeroizing<BoxedUint>> {
    let mut order: NonZero<BoxedUint> = Option::from(prime.wrapping_sub(BoxedUint::one()).into_nz())?;
    let reduced = moduli_kernel::limbs::remainder(d, &order);
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
            let half = Half::new(prime.clone(), &BoxedUint::from(1u64), 128);
            assert_eq!(prime.bits(), bits);
            for value in [0, 1, 6, 1_000_002, 1_000_003, u128::MAX, u128::MAX / 3, 1 << 127] {
                let limbs = [value as u64, (value >> 64) as u64];
                let found = prime.leave(&half.reduce(&mut prime.session(), &limbs, 128));
                assert_eq!(found, prime.reduce(&BoxedUint::from(value)), "{value} modulo {prime:?}");
            }
        }
    }

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
