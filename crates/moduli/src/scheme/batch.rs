//! Verifies many equations at once, by random exponents.

use alloc::{vec, vec::Vec};
use crypto_bigint::{BoxedUint, rand_core::TryCryptoRng};

use crate::{element::Element, error::Error, modulus::Modulus, subgroup::are_members_vartime};

/// The claim g^s = R·y^c modulo p, in a group of prime order q: a Schnorr signature, or a proof of knowledge
/// of a logarithm.
///
/// DSA's claim g^a·y^b = R has this form with s = a and c = q − b, if R is known modulo p (a signature
/// contains it modulo q only). Exponents of any length are reduced modulo q.
#[derive(Debug, Clone, Copy)]
pub struct Equation<'a> {
    /// s, the response.
    pub response: &'a BoxedUint,
    /// R, the commitment, a member of the group.
    pub commitment: &'a BoxedUint,
    /// y, the public key, a member of the group.
    pub key: &'a BoxedUint,
    /// c, the challenge. The caller must check that it is right; usually it is the hash of R and the
    /// message.
    pub challenge: &'a BoxedUint,
}

/// Whether all equations hold modulo p, for the generator g of the subgroup of prime order q. If all hold,
/// and every R and y is a member of the subgroup, the result is always true; otherwise it is true with a
/// probability of at most 2^−`bits`. Variable-time: everything is public.
///
/// The *small exponents test* (Bellare, Garay and Rabin, *Fast Batch Verification for Modular
/// Exponentiation and Digital Signatures*, EUROCRYPT 1998): for random z_i below 2^`bits`, it
/// checks g^(Σ z_i·s_i) = Π R_i^(z_i)·Π y_i^(z_i·c_i) with a single [`Modulus::multi_pow_vartime`].
/// Consider one equation that does not hold, and fix the z of all others. Among members of a group
/// of prime order q > 2^`bits`, at most one choice of its z makes both sides equal, so the test
/// misses it with a probability of at most 2^−`bits`. This argument does not cover other elements:
/// one of small order, such as −1, has no effect for every second z. So the function first tests
/// the membership of every R and y, by [`are_members_vartime`] with `bits` rounds.
///
/// The test does *not* show which equations fail, that q is prime and g has order q (see
/// [`groups`](crate::groups) and [`primality`](crate::primality)), or anything about challenges.
/// The creator of the equations must not be able to predict the random bits.
///
/// Cost: for n equations, with `bits` = 128 and an order of 256 bits, the membership of n elements
/// and of the distinct keys, and one product of n powers by z, which takes about 16 products per
/// equation at n = 1000. Each further key adds a power of 256 bits to the same product.
///
/// # Errors
/// [`Error::Parameter`] if `bits` is 0 or at least the length of q, and if `rng` fails; as for
/// [`Modulus::new`] if q is even or 1.
pub fn all_hold_vartime<R: TryCryptoRng + ?Sized>(
    modulus: &Modulus,
    generator: &BoxedUint,
    order: &BoxedUint,
    equations: &[Equation<'_>],
    bits: u32,
    rng: &mut R,
) -> Result<bool, Error> {
    let q = Modulus::new(order)?;
    if bits == 0 || bits >= q.bits() {
        return Err(Error::out_of_range("bits", bits, [1, q.bits() - 1]));
    }
    // The sum of z·c for every key, and the sum of z·s for the generator.
    let mut equations = equations.to_vec();
    equations.sort_by(|a, b| a.key.cmp_vartime(b.key));
    let mut generator_sum = q.element(&BoxedUint::zero());
    let mut keys: Vec<(&BoxedUint, Element)> = Vec::new();
    let mut multipliers = Vec::with_capacity(equations.len());
    for Equation { response, key, challenge, .. } in &equations {
        let multiplier = multiplier(bits, rng)?;
        let z = q.element(&multiplier);
        generator_sum = generator_sum.try_add(&z.try_mul(&q.element(response))?)?;
        let part = z.try_mul(&q.element(challenge))?;
        match keys.last_mut() {
            Some((last, sum)) if last == key => *sum = sum.try_add(&part)?,
            _ => keys.push((key, part)),
        }
        multipliers.push(multiplier);
    }
    let commitments = equations.iter().map(|equation| equation.commitment);
    let members: Vec<BoxedUint> =
        commitments.clone().chain(keys.iter().map(|&(key, _)| key)).cloned().collect();
    if !are_members_vartime(modulus, order, &members, bits, rng)? {
        return Ok(false);
    }
    // Both sides; the generator is raised to −Σ z·s.
    let sums: Vec<BoxedUint> = keys.iter().map(|(_, sum)| sum.to_uint()).collect();
    let generator_sum = (-generator_sum).to_uint();
    let pairs = commitments.zip(&multipliers).chain(keys.iter().map(|&(key, _)| key).zip(&sums));
    let product = modulus.multi_pow_vartime(pairs.chain([(generator, &generator_sum)]))?;
    Ok(product == BoxedUint::one())
}

/// A random number below 2^bits.
fn multiplier<R: TryCryptoRng + ?Sized>(bits: u32, rng: &mut R) -> Result<BoxedUint, Error> {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    rng.try_fill_bytes(&mut bytes).map_err(Error::random)?;
    bytes[0] >>= bits.wrapping_neg() % 8;
    BoxedUint::from_be_slice(&bytes, bits.next_multiple_of(8)).map_err(Error::random)
}
