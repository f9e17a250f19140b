//! Functions common to the tests of RSA: keys from reproducible primes, and their DER.

use std::{collections::HashMap, sync::Mutex};

use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};
use crypto_primes::{Flavor, random_prime};
use moduli::{
    Error,
    scheme::rsa::{PrivateKey, PublicKey},
};
use num_bigint::BigUint;
use pkcs8::der::{Encode, asn1::UintRef};

pub use testing::{Seeded, big, boxed};

/// The numbers of a key.
#[derive(Clone)]
pub struct Numbers {
    pub n: BigUint,
    pub e: BigUint,
    pub d: BigUint,
    pub p: BigUint,
    pub q: BigUint,
}

impl Numbers {
    /// A key with these primes.
    pub fn of(p: &BigUint, q: &BigUint, e: &BigUint) -> Option<Self> {
        let d = e.modinv(&((p - 1u32) * (q - 1u32)))?;
        Some(Self { n: p * q, e: e.clone(), d, p: p.clone(), q: q.clone() })
    }

    /// The key whose primes have these lengths. It is always the same one.
    pub fn new(p_bits: u32, q_bits: u32, e: u32) -> Self {
        Self::with(p_bits, q_bits, &BigUint::from(e))
    }

    /// [`new`](Self::new) with any e.
    pub fn with(p_bits: u32, q_bits: u32, e: &BigUint) -> Self {
        (0..)
            .find_map(|seed| {
                let p = prime(p_bits, 2 * seed);
                let q = prime(q_bits, 2 * seed + 1);
                Self::of(&p, &q, e).filter(|key| key.n.bits() == u64::from(p_bits + q_bits))
            })
            .unwrap()
    }

    pub fn private(&self) -> Result<PrivateKey, Error> {
        let [n, e, d, p, q] = [&self.n, &self.e, &self.d, &self.p, &self.q].map(boxed);
        PrivateKey::from_components(&n, &e, &d, &p, &q)
    }

    pub fn public(&self) -> Result<PublicKey, Error> {
        PublicKey::new(&boxed(&self.n), &boxed(&self.e))
    }

    /// version, n, e, d, p, q, dp, dq, qinv: the fields of `RSAPrivateKey`.
    pub fn fields(&self) -> [BigUint; 9] {
        let (dp, dq) = (&self.d % (&self.p - 1u32), &self.d % (&self.q - 1u32));
        let inverse = self.q.modinv(&self.p).unwrap_or_default();
        let Self { n, e, d, p, q } = self.clone();
        [BigUint::ZERO, n, e, d, p, q, dp, dq, inverse]
    }

    pub fn pkcs1(&self) -> Vec<u8> {
        sequence(&self.fields())
    }
}

/// A SEQUENCE of integers.
pub fn sequence(fields: &[BigUint]) -> Vec<u8> {
    let bytes: Vec<_> = fields.iter().map(BigUint::to_bytes_be).collect();
    bytes.iter().map(|field| UintRef::new(field).unwrap()).collect::<Vec<_>>().to_der().unwrap()
}

/// The prime with this length and number.
pub fn prime(bits: u32, seed: u64) -> BigUint {
    static KNOWN: Mutex<Option<HashMap<(u32, u64), BigUint>>> = Mutex::new(None);
    let find = || {
        let prime: BoxedUint =
            random_prime(&mut Seeded::new(seed << 32 | u64::from(bits)), Flavor::Any, bits);
        big(&prime)
    };
    if let Some(prime) = KNOWN.lock().unwrap().get_or_insert_default().get(&(bits, seed)) {
        return prime.clone();
    }
    let prime = find();
    KNOWN.lock().unwrap().get_or_insert_default().insert((bits, seed), prime.clone());
    prime
}

/// A generator that always returns the same byte, or always fails.
pub struct Constant(pub Option<u8>);

impl TryRng for Constant {
    type Error = std::io::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let byte = self.0.ok_or_else(|| std::io::Error::other("the source is dry"))?;
        Ok(u64::from_le_bytes([byte; 8]))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(self.0.ok_or_else(|| std::io::Error::other("the source is dry"))?);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}
