//! The precomputation of a plus-minus inversion, and the conditions on its modulus and base.

use alloc::{format, vec::Vec};
use crypto_bigint::{BoxedUint, Resize};

use super::{Offset, Options, PlusMinus, Rules};
use crate::{
    base::{Base, BaseShape, Family},
    channels::Instructions,
    cox::{Alpha, Cox, SmallResidue},
    inverse::constants::UpdateConstants,
    word,
};
use moduli::{Error, error::ModulusError};
use moduli_kernel::limbs;

impl<R: Rules> PlusMinus<R> {
    pub(in crate::inverse) fn build(
        rules: R,
        prime: &BoxedUint,
        shape: BaseShape,
        options: &Options,
        divisors: &[u64],
    ) -> Result<Self, Error> {
        check(prime, rules.modulus())?;
        let wide = prime.resize(prime.bits_vartime() + 8);
        let room = match options.offset {
            Offset::TwelveP => times(&wide, 26),
            Offset::Least => times(&wide, 4),
        };
        let base = Base::holding(shape, &Family::for_residues_modulo(rules.modulus()), &room)?;
        Self::build_on(base, rules, prime, 1, options, divisors)
    }

    /// Makes the inversion over a given base, for operands up to `reach`·P with reach ≤ 4.
    pub(in crate::inverse) fn build_on(
        base: Base,
        rules: R,
        prime: &BoxedUint,
        reach: u64,
        options: &Options,
        divisors: &[u64],
    ) -> Result<Self, Error> {
        let q = rules.modulus();
        let prime_small = check(prime, q)?;
        if let Some(m) = base.moduli().iter().find(|&&m| m <= q || word::gcd(m, q) != 1) {
            return Err(Error::parameter(
                "modulus",
                format!("{m} of the base is not above {q} and coprime to it"),
            ));
        }
        let bits = prime.bits_vartime();
        let prime = prime.resize(bits);
        let wide = prime.clone().resize(bits + 8);
        let most = times(&wide, reach);
        let offset = match options.offset {
            Offset::TwelveP => times(&wide, 12),
            Offset::Least => times(&most.wrapping_add(BoxedUint::from(11u64)).div_rem_limb(TWELVE).0, 12),
        };
        let (low, high) = (offset.wrapping_sub(&most), offset.wrapping_add(&most));
        let top_bits = match options.top_bits {
            Some(bits) => bits,
            None => Cox::least_bits(&base, Alpha::HALF, &low, &high).unwrap_or(base.width()),
        };
        let cox = Cox::exact(&base, top_bits, Alpha::HALF, &low, &high)?;
        let small = SmallResidue::modulo(&base, q, &offset)?;
        let channels = base.channels();
        let (shift, scaled) = (base.to_scaled_residues(&offset), base.to_scaled_residues(&prime));
        // The offset in the inner form of a value.
        let inner = if rules.affine() { shift.clone() } else { channels.zeros() };
        let unit = base.to_scaled_residues(&BoxedUint::one());
        let [mut one, mut minus_one, mut scaled_prime] = [inner.clone(), inner.clone(), inner.clone()];
        channels.add(&mut one, &unit, &mut ());
        channels.subtract(&mut minus_one, &unit, &mut ());
        channels.add(&mut scaled_prime, &scaled, &mut ());
        let constants = UpdateConstants::new(&base, q, divisors, &scaled, prime_small, &inner);
        Ok(Self {
            bits,
            limit: 2 * most.bits_vartime(),
            stop: options.stop,
            offset,
            cox,
            small,
            constants,
            prime_residues: base.to_residues(&prime),
            shift,
            zero: inner,
            one,
            minus_one,
            scaled_prime,
            prime_small,
            prime,
            base,
            rules,
        })
    }

    /// Returns the same inversion with this choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        let base = self.base.with_instructions(instructions);
        let (cox, small) = (self.cox.on(base.channels()), self.small.on(base.channels()));
        Self { base, cox, small, ..self }
    }
}

/// P modulo Q, if P can be a modulus for divisors of Q.
fn check(prime: &BoxedUint, q: u64) -> Result<u64, Error> {
    let limbs = limbs::to_limbs(prime, 1);
    if limbs[0] & 1 == 0 {
        return Err(Error::Modulus(ModulusError::Even));
    }
    if prime.bits_vartime() < 2 {
        return Err(Error::Modulus(ModulusError::TooSmall));
    }
    let residue = word::remainder(&limbs, q);
    match word::gcd(residue, q) {
        1 => Ok(residue),
        factor => Err(Error::parameter(
            "modulus",
            format!("it has the factor {factor} in common with {q}, by whose divisors the method divides"),
        )),
    }
}

const TWELVE: crypto_bigint::NonZero<crypto_bigint::Limb> =
    crypto_bigint::NonZero::<crypto_bigint::Limb>::new_unwrap(crypto_bigint::Limb(12));

/// A small multiple of a number. The result has enough limbs.
fn times(value: &BoxedUint, factor: u64) -> BoxedUint {
    let mut limbs: Vec<u64> = limbs::to_limbs(value, 1).to_vec();
    limbs::multiply_vartime(&mut limbs, factor);
    limbs::from_limbs(&limbs)
}
