//! Reduces numbers that are longer than a modulus, without a division.

use alloc::vec::Vec;

use crate::modulus::Modulus;
use moduli_kernel::{Session, Words};

/// A constant modulo a number, and its multiples by powers of two. Each chunk of a long number is
/// multiplied by one of them.
#[derive(Clone)]
pub(crate) struct Reduction {
    /// Bits of a chunk: the length of the modulus.
    chunk: u32,
    /// factor·2^(i·chunk), in Montgomery form.
    pub(super) factors: Vec<Words>,
}

impl Reduction {
    /// For numbers of at most `longest` bits. Gives the same residues as
    /// [`Session::to_montgomery`].
    pub(super) fn entering(modulus: &Modulus, longest: u32) -> Self {
        let mut session = modulus.session();
        // Loading v gives the residue of c·v, so loading c^(−1) gives that of 1.
        let (mut value, mut factor) = (session.value(), session.residue());
        session.store(&mut value, session.one());
        session.to_montgomery(&mut factor, &value);
        Self::new(modulus, factor, longest)
    }

    /// For numbers of at most `longest` bits and a factor in Montgomery form. Gives the same
    /// residues as [`Session::load`] of the product.
    pub(super) fn loading(modulus: &Modulus, factor: Words, longest: u32) -> Self {
        Self::new(modulus, factor, longest)
    }

    fn new(modulus: &Modulus, mut factor: Words, longest: u32) -> Self {
        let (mut session, chunk) = (modulus.session(), modulus.bits());
        let (mut value, mut power) = (session.value(), session.residue());
        // 2^chunk is twice the largest power of two below the modulus.
        value[(chunk as usize - 1) / 64] = 1 << ((chunk - 1) % 64);
        session.to_montgomery(&mut power, &value);
        let half = power.clone();
        session.add(&mut power, &half);
        let mut factors = Vec::new();
        for _ in 0..longest.div_ceil(chunk) {
            factors.push(factor.clone());
            session.mul(&mut factor, &power);
        }
        Self { chunk, factors }
    }

    /// The residue of a value with `bits` public bits, at most `longest`. Constant-time; cost: a
    /// product for each chunk.
    pub(super) fn residue(&self, session: &mut Session<'_>, value: &[u64], bits: u32) -> Words {
        let (mut part, mut residue, mut product) = (session.value(), session.residue(), session.residue());
        for (i, factor) in (0..bits.div_ceil(self.chunk)).zip(&self.factors) {
            bit_range(&mut part, value, i * self.chunk, self.chunk);
            session.load(&mut product, &part);
            session.mul(&mut product, factor);
            if i == 0 {
                residue.copy_from_slice(&product);
            } else {
                session.add(&mut residue, &product);
            }
        }
        residue
    }
}

/// Sets `out` to bits `start..start + count` of `value`, with zeros above. Bits past the end of
/// `value` are 0.
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
    use crypto_bigint::BoxedUint;

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
            assert_eq!(prime.bits(), bits);
            let entering = Reduction::entering(&prime, 128);
            let five = BoxedUint::from(5u64);
            let times_five = Reduction::loading(&prime, prime.to_montgomery(&five), 128);
            for value in [0, 1, 6, 1_000_002, 1_000_003, u128::MAX, u128::MAX / 3, 1 << 127] {
                let limbs = [value as u64, (value >> 64) as u64];
                let mut session = prime.session();
                let (value, found) = (BoxedUint::from(value), entering.residue(&mut session, &limbs, 128));
                assert_eq!(prime.from_montgomery(&found), prime.reduce(&value), "{value} modulo {prime:?}");
                let mut stored = session.value();
                let found = times_five.residue(&mut session, &limbs, 128);
                session.store(&mut stored, &found);
                assert_eq!(moduli_kernel::limbs::from_limbs(&stored), prime.mul(&value, &five), "{value}");
            }
        }
    }
}
