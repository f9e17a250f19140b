//! Named groups: Diffie–Hellman groups over safe primes, ElectionGuard's, and DSA groups made by this
//! library.
//!
//! | names | source |
//! | --- | --- |
//! | `ffdhe2048` … `ffdhe8192` | RFC 7919, appendix A: safe primes from the digits of e, generator 2 |
//! | `modp1536` … `modp8192` | RFC 3526: safe primes from the digits of π, generator 2 |
//! | `electionguard-v2.1` | ElectionGuard 2.1: p of 4096 bits from the digits of ln 2, q = 2^256 − 189 |
//! | `dsa-1024-160` … `dsa-15360-512` | `moduli DSA 1024/160` … as seed of [`generate`](crate::scheme::parameters::generate) |
//!
//! In all of them the generator has order q. RFC 3526 does not promise this, but it follows: its primes are 7
//! modulo 8, so 2 is a square.

mod data;

use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;

use crate::{error::Error, modulus::Modulus, subgroup};
use data::{Data, GROUPS, Origin};

/// A group of prime order q modulo a prime p, with a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    name: &'static str,
    modulus: BoxedUint,
    order: BoxedUint,
    generator: BoxedUint,
    exponent_bits: u32,
    safe_prime: bool,
    seed: Option<(Vec<u8>, u32)>,
}

impl Group {
    /// Returns the group with this name.
    ///
    /// # Errors
    /// [`Error::Parameter`], which lists all names, if there is no such group.
    pub fn named(name: &str) -> Result<Self, Error> {
        let data = GROUPS
            .iter()
            .find(|data| data.name == name)
            .ok_or_else(|| Error::unknown("group", "group", name, Self::names()))?;
        Self::from_data(data)
    }

    /// The names, in the order of [`Group::all`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        GROUPS.iter().map(|data| data.name)
    }

    /// All groups.
    ///
    /// # Errors
    /// None with the data in this library.
    pub fn all() -> Result<Vec<Self>, Error> {
        GROUPS.iter().map(Self::from_data).collect()
    }

    fn from_data(data: &Data) -> Result<Self, Error> {
        let modulus = number(data.modulus)?;
        let half = modulus.unbounded_shr_vartime(1);
        let (order, generator, seed) = match data.origin {
            Origin::SafePrime => (half.clone(), BoxedUint::from(2u64), None),
            Origin::Subgroup { order, generator } => (number(order)?, number(generator)?, None),
            Origin::Seed { order, generator, seed, counter } => {
                (number(order)?, number(generator)?, Some((number(seed)?.to_be_bytes().to_vec(), counter)))
            }
        };
        Ok(Self {
            name: data.name,
            safe_prime: order == half,
            modulus,
            order,
            generator,
            exponent_bits: data.exponent_bits,
            seed,
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The modulus p, prime.
    pub fn modulus(&self) -> &BoxedUint {
        &self.modulus
    }

    /// The order q of the group, prime.
    pub fn order(&self) -> &BoxedUint {
        &self.order
    }

    /// The generator g, of order q.
    pub fn generator(&self) -> &BoxedUint {
        &self.generator
    }

    /// The bits that a secret exponent needs: the length of q for short orders; for safe primes the least
    /// lengths that RFC 7919 (appendix A) requires, twice the strength of the group; `modp1536` has that of
    /// 2048 bits.
    pub fn exponent_bits(&self) -> u32 {
        self.exponent_bits
    }

    /// Whether p = 2q + 1: the only small subgroup is then {1, p − 1}, and a Jacobi symbol decides
    /// membership.
    pub fn is_safe_prime(&self) -> bool {
        self.safe_prime
    }

    /// The domain parameter seed and the counter of FIPS 186-4, for the groups that come from one.
    pub fn seed(&self) -> Option<(&[u8], u32)> {
        self.seed.as_ref().map(|(seed, counter)| (seed.as_slice(), *counter))
    }

    /// Validates an untrusted public value:
    /// [`validate_public_value_vartime`](subgroup::validate_public_value_vartime) in this group.
    /// Variable-time.
    ///
    /// # Errors
    /// [`Error::NotInGroup`]; those of [`Modulus::new`].
    pub fn validate_public_value_vartime(&self, y: &BoxedUint) -> Result<(), Error> {
        subgroup::validate_public_value_vartime(&Modulus::new(&self.modulus)?, &self.order, y)
    }
}

fn number(hex: &str) -> Result<BoxedUint, Error> {
    BoxedUint::from_str_radix_vartime(hex, 16)
        .map_err(|error| Error::parameter("group data", format!("{error}")))
}
