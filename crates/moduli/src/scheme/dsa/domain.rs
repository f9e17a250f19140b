//! The group that keys share: p, q and g.

use alloc::format;
use core::fmt;
use crypto_bigint::BoxedUint;

use crate::{
    error::Error,
    modulus::Modulus,
    scheme::{
        encoding::{invalid, modulus},
        parameters,
    },
};

/// The shortest and longest p and q: the smallest pair of FIPS 186-4, and a bound on the work that
/// an untrusted key can cause.
const P_BITS: (u32, u32) = (1024, 16_384);
const Q_BITS: (u32, u32) = (160, 512);

/// DSA domain parameters: a prime p, a prime q that divides p − 1, and g of order q modulo p.
///
/// Public. Cloning is cheap except for g. The four pairs of lengths in FIPS 186-4 are 1024/160, 2048/224,
/// 2048/256 and 3072/256; other lengths are supported from 1024/160 to 16384/512 bits.
#[derive(Clone)]
pub struct DomainParameters {
    p: Modulus,
    q: Modulus,
    g: BoxedUint,
}

impl DomainParameters {
    /// Checks that the three are consistent: lengths, p and q odd, q | p − 1, q passes Fermat's
    /// test to base 2, 1 < g < p, g^q = 1 (so that g has order q).
    ///
    /// It trusts that p and q are prime, except for that test of q. For parameters from an untrusted source,
    /// [`validate`](Self::validate) tests both. Variable-time. Cost: an exponentiation with an exponent as
    /// long as q.
    ///
    /// # Errors
    /// [`Error::Key`], which says which condition fails.
    pub fn new(p: &BoxedUint, q: &BoxedUint, g: &BoxedUint) -> Result<Self, Error> {
        check_bits("p", p, P_BITS)?;
        check_bits("q", q, Q_BITS)?;
        Self::of_any_length(p, q, g)
    }

    /// [`new`](Self::new) without the bounds on lengths.
    pub(super) fn of_any_length(p: &BoxedUint, q: &BoxedUint, g: &BoxedUint) -> Result<Self, Error> {
        let (p, q) = (modulus("p", p)?, modulus("q", q)?);
        let (one, zero) = (BoxedUint::one(), BoxedUint::zero());
        let p_minus_one = p.value().as_ref().wrapping_sub(&one);
        let q_minus_one = q.value().as_ref().wrapping_sub(&one);
        if q.reduce(&p_minus_one) != zero {
            return Err(invalid("q does not divide p − 1"));
        }
        if q.pow_vartime(&BoxedUint::from(2u64), &q_minus_one)? != one {
            return Err(invalid("q is not prime"));
        }
        if *g <= one || *g >= *p.value().as_ref() {
            return Err(invalid("g is out of range; it must lie between 1 and p"));
        }
        let g = p.reduce(g);
        if p.pow_vartime(&g, q.value().as_ref())? != one {
            return Err(invalid("g does not have order q: g^q ≠ 1"));
        }
        Ok(Self { p, q, g })
    }

    /// Tests that p and q are prime, which [`new`](Self::new) does not, and repeats its checks: for
    /// parameters from an untrusted source. Variable-time. Cost: that of [`parameters::validate`], dozens of
    /// exponentiations as long as p.
    ///
    /// # Errors
    /// [`Error::Key`] with the first error found.
    pub fn validate(&self) -> Result<(), Error> {
        parameters::validate(self.p.value(), self.q.value(), &self.g)
    }

    /// The modulus p.
    pub fn p(&self) -> &Modulus {
        &self.p
    }

    /// The order q of g, as a modulus.
    pub fn q(&self) -> &Modulus {
        &self.q
    }

    /// The generator g.
    pub fn g(&self) -> &BoxedUint {
        &self.g
    }

    /// The number of bytes of a number below q.
    pub(super) fn q_bytes(&self) -> usize {
        self.q.bits().div_ceil(8) as usize
    }
}

impl PartialEq for DomainParameters {
    fn eq(&self, other: &Self) -> bool {
        self.p.value() == other.p.value() && self.q.value() == other.q.value() && self.g == other.g
    }
}

impl Eq for DomainParameters {}

impl fmt::Debug for DomainParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let g = self.g.to_string_radix_vartime(16);
        f.debug_struct("DomainParameters").field("p", &self.p).field("q", &self.q).field("g", &g).finish()
    }
}

fn check_bits(name: &str, value: &BoxedUint, (min, max): (u32, u32)) -> Result<(), Error> {
    let bits = moduli_kernel::limbs::bit_length_vartime(value.as_words());
    if (min..=max).contains(&bits) {
        return Ok(());
    }
    Err(invalid(format!("{name} has {bits} bits; {min} to {max} are supported")))
}
