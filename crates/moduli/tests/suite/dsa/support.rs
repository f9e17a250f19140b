//! Functions common to the tests of DSA.

use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};
use moduli::{
    FixedBase,
    scheme::dsa::{DomainParameters, Hash, PrivateKey, PublicKey, Signer, Verifier},
};
use num_bigint::BigUint;

use crate::dsa::pairs::Pair;
pub use testing::{Seeded, big, boxed};

/// A number in hexadecimal.
pub fn number(hex: &str) -> BoxedUint {
    boxed(&BigUint::parse_bytes(hex.as_bytes(), 16).unwrap())
}

pub fn group(pair: &Pair) -> DomainParameters {
    DomainParameters::new(&number(pair.p), &number(pair.q), &number(pair.g)).unwrap()
}

pub fn private_key(pair: &Pair) -> PrivateKey {
    PrivateKey::from_pair(&group(pair), &number(pair.x), &number(pair.y)).unwrap()
}

pub fn public_key(pair: &Pair) -> PublicKey {
    PublicKey::new(&group(pair), &number(pair.y)).unwrap()
}

pub fn signer(pair: &Pair, hash: Hash) -> Signer {
    let table = table(pair, number(pair.q).bits_vartime(), "comb:5,2");
    Signer::with_table(private_key(pair), hash, table).unwrap()
}

/// The table for the group of a pair, by the given method.
pub fn table(pair: &Pair, exponent_bits: u32, method: &str) -> FixedBase {
    let group = group(pair);
    let builder = FixedBase::builder(group.p(), group.g()).exponent_bits(exponent_bits);
    builder.method(method.parse().unwrap()).build().unwrap()
}

pub fn verifier(pair: &Pair, hash: Hash) -> Verifier {
    Verifier::new(public_key(pair), hash)
}

/// A generator that first returns the scripted byte strings and then fails.
pub struct Scripted(pub Vec<Vec<u8>>);

impl TryRng for Scripted {
    type Error = std::io::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::io::Error::other("no words here"))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::io::Error::other("no words here"))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        if self.0.is_empty() {
            return Err(std::io::Error::other("the source is dry"));
        }
        bytes.copy_from_slice(&self.0.remove(0));
        Ok(())
    }
}

impl TryCryptoRng for Scripted {}
