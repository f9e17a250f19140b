//! DSA domain parameters: generation from a seed, verification of the seed, and validation of other
//! parameters.
//!
//! FIPS 186-4, A.1.1.2 (probable primes p and q from a seed) and A.2.3 (verifiable canonical
//! generator, index 1), with SHA-512 for every size, so that moduli can be longer than in FIPS.
//! Everything here is public and variable-time.

use alloc::{borrow::Cow, format, vec::Vec};
use crypto_bigint::BoxedUint;
use sha2::{Digest, Sha512};

use crate::{
    error::{Error, KeyError},
    groups::Group,
    modulus::{MAX_MODULUS_BITS, Modulus},
    primality::{SmallPrimes, is_probable_prime_vartime, recommended_rounds},
};
use moduli_kernel::limbs;

/// The length of a SHA-512 value in bits and bytes.
const HASH_BITS: u32 = 512;
const HASH_BYTES: usize = 64;
/// The supported lengths of the order. A hash value must be at least as long as the order.
const ORDER_BITS: core::ops::RangeInclusive<u32> = 160..=HASH_BITS;
/// The `index` of A.2.3 for all generators.
const GENERATOR_INDEX: u8 = 1;

/// DSA domain parameters with the seed from which they were generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DsaParameters {
    /// The modulus, prime.
    pub p: BoxedUint,
    /// The order of the group, a prime that divides p − 1.
    pub q: BoxedUint,
    /// A generator of the group of order q.
    pub g: BoxedUint,
    /// The domain parameter seed (`domain_parameter_seed`), of 64 bytes if [`generate`] computed
    /// it.
    pub seed: Vec<u8>,
    /// How many candidates for p failed before this one.
    pub counter: u32,
}

/// Generates parameters with a modulus of `modulus_bits` bits and an order of `order_bits` bits.
///
/// `seed` is any text. The domain parameter seed of FIPS is SHA-512(seed ‖ a), where a is a
/// big-endian 32-bit number: the least one for which q is prime, and one of the first
/// 4·`modulus_bits` candidates for p is, too. The result depends only on the arguments, not on the
/// number of threads.
///
/// Cost: about 0.035·`modulus_bits` exponentiations of that length, on all cores with the `rayon`
/// feature (seconds for 3072 bits, half an hour on one core for 15360), then the rounds of
/// [`recommended_rounds`] for p.
///
/// # Errors
/// [`Error::Parameter`] for an order outside 160..=512 bits or a modulus whose length is not a multiple of 64
/// bits, is above [`MAX_MODULUS_BITS`] or not at least 64 bits longer than the order.
pub fn generate(modulus_bits: u32, order_bits: u32, seed: &[u8]) -> Result<DsaParameters, Error> {
    check_sizes(modulus_bits, order_bits)?;
    let small = SmallPrimes::new();
    for attempt in 0u32..=u32::MAX {
        let seed = Sha512::new().chain_update(seed).chain_update(attempt.to_be_bytes()).finalize().to_vec();
        let q = derive_order(order_bits, &seed);
        if !small.is_probable_prime(&q, recommended_rounds(order_bits)) {
            continue;
        }
        if let Some((counter, p)) = first_prime(&small, modulus_bits, &q, &seed, 4 * modulus_bits) {
            let g = canonical_generator(&p, &q, &seed, GENERATOR_INDEX)?;
            return Ok(DsaParameters { p, q, g, seed, counter });
        }
    }
    Err(Error::parameter("seed", "no parameters with any of 2^32 suffixes"))
}

impl DsaParameters {
    /// The parameters of a named group that comes from a seed (`dsa-…`).
    pub fn of_group(group: &Group) -> Option<Self> {
        let (seed, counter) = group.seed()?;
        let (p, q, g) = (group.modulus().clone(), group.order().clone(), group.generator().clone());
        Some(Self { p, q, g, seed: seed.to_vec(), counter })
    }

    /// Verifies everything: [`verify_primes`], and g as in
    /// [`verify_derivation`](Self::verify_derivation). Cost: that of [`generate`].
    ///
    /// # Errors
    /// [`Error::Key`] with the first error found.
    pub fn verify(&self) -> Result<(), Error> {
        self.verify_derivation()?;
        verify_primes(&self.p, &self.q, &self.seed, self.counter)
    }

    /// Verifies that q comes from the seed, p from the seed and the counter, g from the seed, and
    /// that g^q = 1 ≠ g. Does not test primality, which [`verify`](Self::verify) and [`validate`]
    /// do. Cost: two exponentiations.
    ///
    /// # Errors
    /// [`Error::Key`] with the first error found.
    pub fn verify_derivation(&self) -> Result<(), Error> {
        check_derivation(&self.p, &self.q, &self.seed, self.counter)?;
        if self.g != canonical_generator(&self.p, &self.q, &self.seed, GENERATOR_INDEX)? {
            return Err(key("g does not come from the seed"));
        }
        check_generator(&self.p, &self.q, &self.g)
    }
}

/// Verifies that p and q are primes that come from the domain parameter seed `seed`, and that no
/// counter below `counter` gives a prime (FIPS 186-4, A.1.1.3, with SHA-512). Cost: that of
/// [`generate`].
///
/// # Errors
/// [`Error::Key`] with the first error found.
pub fn verify_primes(p: &BoxedUint, q: &BoxedUint, seed: &[u8], counter: u32) -> Result<(), Error> {
    check_derivation(p, q, seed, counter)?;
    let small = SmallPrimes::new();
    if !small.is_probable_prime(q, recommended_rounds(limbs::bits_vartime(q))) {
        return Err(key("q is not prime"));
    }
    match first_prime(&small, limbs::bits_vartime(p), q, seed, counter + 1) {
        Some((first, _)) if first == counter => Ok(()),
        Some(_) => Err(key("an earlier counter gives a prime")),
        None => Err(key("p is not prime")),
    }
}

/// Checks that the counter and the lengths are in range, that q comes from the seed, and p from the
/// seed and the counter.
fn check_derivation(p: &BoxedUint, q: &BoxedUint, seed: &[u8], counter: u32) -> Result<(), Error> {
    let [modulus_bits, order_bits] = [p, q].map(|x| limbs::bit_length_vartime(x.as_words()));
    check_sizes(modulus_bits, order_bits).map_err(|error| key(format!("{error}")))?;
    if seed.len() < order_bits.div_ceil(8) as usize {
        return Err(key("the domain parameter seed is shorter than q"));
    }
    if counter >= 4 * modulus_bits {
        return Err(key("the counter is not below four times the bits of p"));
    }
    if *q != derive_order(order_bits, seed) {
        return Err(key("q does not come from the seed"));
    }
    if Some(p) != candidate(modulus_bits, q, seed, counter).as_ref() {
        return Err(key("p does not come from the seed at this counter"));
    }
    Ok(())
}

/// A generator of the group of order q modulo p from the domain parameter seed: W^((p−1)/q) mod p with
/// W = SHA-512(seed ‖ "ggen" ‖ index ‖ count) for the least count that gives no 0 or 1 (FIPS 186-4, A.2.3).
/// Different indices give independent generators. Cost: one exponentiation as long as p.
///
/// # Errors
/// [`Error::Key`] if q is 0 or no count works; those of [`Modulus::new`] for p.
pub fn canonical_generator(p: &BoxedUint, q: &BoxedUint, seed: &[u8], index: u8) -> Result<BoxedUint, Error> {
    let modulus = Modulus::new(p)?;
    let divisor = q.as_nz_vartime().ok_or_else(|| key("q is 0"))?;
    let (cofactor, _) = less_one(p).div_rem_vartime(divisor);
    for count in 1u16..=u16::MAX {
        let hash = Sha512::new()
            .chain_update(seed)
            .chain_update(b"ggen")
            .chain_update([index])
            .chain_update(count.to_be_bytes())
            .finalize();
        let g = modulus.pow_vartime(&BoxedUint::from_be_slice_vartime(&hash), &cofactor)?;
        if g > BoxedUint::one() {
            return Ok(g);
        }
    }
    Err(key("the seed gives no generator"))
}

/// Validates domain parameters of any origin: p is odd and has at least 512 bits, q has at least
/// 160, both are probable primes, q | p − 1, 1 < g < p and g^q = 1.
///
/// Cost: [`recommended_rounds`] exponentiations of the length of p.
///
/// # Errors
/// [`Error::Key`] with the first error found. Cheap checks come first.
pub fn validate(p: &BoxedUint, q: &BoxedUint, g: &BoxedUint) -> Result<(), Error> {
    let [modulus_bits, order_bits] = [p, q].map(|x| limbs::bit_length_vartime(x.as_words()));
    if !(512..=MAX_MODULUS_BITS).contains(&modulus_bits) {
        return Err(key(format!("p has {modulus_bits} bits; 512 to {MAX_MODULUS_BITS} are supported")));
    }
    if p.as_odd_vartime().is_none() {
        return Err(key("p is even"));
    }
    if order_bits < *ORDER_BITS.start() || order_bits >= modulus_bits {
        return Err(key(format!(
            "q has {order_bits} bits; it needs {} or more, and fewer than p",
            ORDER_BITS.start()
        )));
    }
    if !is_zero(&remainder(&less_one(p), q)?) {
        return Err(key("q does not divide p - 1"));
    }
    check_generator(p, q, g)?;
    if !is_probable_prime_vartime(q, recommended_rounds(order_bits)) {
        return Err(key("q is not prime"));
    }
    if !is_probable_prime_vartime(p, recommended_rounds(modulus_bits)) {
        return Err(key("p is not prime"));
    }
    Ok(())
}

fn key(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::Key(KeyError::Invalid(reason.into()))
}

fn check_sizes(modulus_bits: u32, order_bits: u32) -> Result<(), Error> {
    if !ORDER_BITS.contains(&order_bits) {
        let (least, most) = ORDER_BITS.into_inner();
        return Err(Error::out_of_range("order bits", order_bits, [least, most]));
    }
    if !modulus_bits.is_multiple_of(64) || !(order_bits + 64..=MAX_MODULUS_BITS).contains(&modulus_bits) {
        let least = order_bits + 64;
        return Err(Error::parameter(
            "modulus bits",
            format!("{modulus_bits} given; a multiple of 64 from {least} to {MAX_MODULUS_BITS} is needed"),
        ));
    }
    Ok(())
}

fn check_generator(p: &BoxedUint, q: &BoxedUint, g: &BoxedUint) -> Result<(), Error> {
    if *g <= BoxedUint::one() || g >= p {
        return Err(key("g is not in 2..p"));
    }
    match Modulus::new(p)?.pow_vartime(g, q)? == BoxedUint::one() {
        true => Ok(()),
        false => Err(key("g does not have order q")),
    }
}

/// q = 2^(N−1) + (U mod 2^(N−1)), made odd, with U = SHA-512(seed); steps 6 and 7.
fn derive_order(order_bits: u32, seed: &[u8]) -> BoxedUint {
    let mut bytes = Sha512::digest(seed).to_vec();
    set_length(&mut bytes, order_bits);
    if let Some(low) = bytes.last_mut() {
        *low |= 1; // U + 1 − (U mod 2): makes an even U odd and keeps an odd one
    }
    BoxedUint::from_be_slice_vartime(&bytes)
}

/// Truncates a big-endian number to `bits` bits and sets the topmost of them.
fn set_length(bytes: &mut Vec<u8>, bits: u32) {
    bytes.drain(..bytes.len().saturating_sub(bits.div_ceil(8) as usize));
    let top = 1u8 << ((bits - 1) % 8);
    if let Some(high) = bytes.first_mut() {
        *high = *high & (top - 1) | top;
    }
}

/// The candidate for p with this counter, steps 11.1 to 11.6. `None` if it is too short.
fn candidate(modulus_bits: u32, q: &BoxedUint, seed: &[u8], counter: u32) -> Option<BoxedUint> {
    let blocks = modulus_bits.div_ceil(HASH_BITS);
    let offset = 1 + u64::from(counter) * u64::from(blocks);
    let mut bytes = Vec::with_capacity(blocks as usize * HASH_BYTES);
    for block in (0..u64::from(blocks)).rev() {
        bytes.extend_from_slice(&Sha512::digest(add(seed, offset + block)));
    }
    set_length(&mut bytes, modulus_bits);
    let x = BoxedUint::from_be_slice_vartime(&bytes);
    let excess = remainder(&x, &q.concatenating_add(q)).ok()?;
    let p = x.wrapping_sub(&excess).wrapping_add(BoxedUint::one());
    (limbs::bits_vartime(&p) == modulus_bits).then_some(p)
}

/// `seed + number`, as a big-endian number of the length of the seed.
fn add(seed: &[u8], number: u64) -> Vec<u8> {
    let mut sum = seed.to_vec();
    let mut carry = number;
    for byte in sum.iter_mut().rev() {
        let digit = u64::from(*byte) + (carry & 0xff);
        *byte = digit as u8;
        carry = (carry >> 8) + (digit >> 8);
    }
    sum
}

/// The least counter below `counters` with a prime candidate, and this candidate.
fn first_prime(
    small: &SmallPrimes,
    modulus_bits: u32,
    q: &BoxedUint,
    seed: &[u8],
    counters: u32,
) -> Option<(u32, BoxedUint)> {
    let test = |counter: u32| {
        let p = candidate(modulus_bits, q, seed, counter)?;
        small.is_probable_prime(&p, recommended_rounds(modulus_bits)).then_some((counter, p))
    };
    #[cfg(feature = "rayon")]
    if crate::parallel::threads() > 1 {
        use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
        // One candidate in ten passes trial division. Blocks keep the threads near the least
        // counter.
        let block = 32 * crate::parallel::threads() as u32;
        return (0..counters).step_by(block as usize).find_map(|start| {
            let end = counters.min(start.saturating_add(block));
            (start..end).into_par_iter().with_max_len(1).find_map_first(test)
        });
    }
    (0..counters).find_map(test)
}

fn less_one(x: &BoxedUint) -> BoxedUint {
    x.wrapping_sub(BoxedUint::one())
}

fn remainder(x: &BoxedUint, divisor: &BoxedUint) -> Result<BoxedUint, Error> {
    let divisor = divisor.as_nz_vartime().ok_or_else(|| key("q is 0"))?;
    Ok(x.rem_vartime(divisor))
}

fn is_zero(x: &BoxedUint) -> bool {
    x.is_zero().to_bool()
}
