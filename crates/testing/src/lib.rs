//! Code that several test suites share: random numbers, conversions to num-bigint, which is the oracle, and
//! Wycheproof's vectors.

pub mod wycheproof;

use core::convert::Infallible;

use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};
use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// Converts a number to num-bigint.
pub fn big(x: &BoxedUint) -> BigUint {
    BigUint::from_bytes_le(&x.to_le_bytes())
}

/// Converts a number to crypto-bigint, with the precision of its bytes.
pub fn boxed(x: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&x.to_bytes_be())
}

/// A reproducible source of numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A word to test instructions with. Half of them cause carries, borrows or special signs; half of the
    /// others are short.
    pub fn edge(&mut self) -> u64 {
        const EDGES: [u64; 15] = [
            0,
            1,
            2,
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
            (1 << 63) - 1,
            0xff,
            0x80,
            0x7f,
            0xffff_ffff,
            1 << 31,
            1 << 32,
            (1 << 52) - 1,
            1 << 52,
        ];
        let x = self.word();
        match x % 4 {
            0 | 1 => EDGES[(x >> 8) as usize % EDGES.len()],
            2 => x >> (x >> 32 & 63),
            _ => x,
        }
    }

    /// A uniform number below 2^bits.
    pub fn below(&mut self, bits: u32) -> BigUint {
        let digits = (0..bits.div_ceil(32)).map(|_| self.word() as u32).collect();
        BigUint::new(digits) >> (bits.div_ceil(32) * 32 - bits)
    }

    /// A nearly uniform number below `bound`.
    pub fn modulo(&mut self, bound: &BigUint) -> BigUint {
        self.below(bound.bits() as u32 + 64) % bound
    }

    /// Moduli of this length: all ones, just below a power of two, only the top bit and 1, and a random one.
    pub fn moduli(&mut self, bits: u32) -> Vec<BigUint> {
        let top = BigUint::from(1u32) << (bits - 1);
        let any = (&top + self.modulo(&top)) | BigUint::from(1u32);
        let mut moduli = vec![ones(bits), ones(bits) - 2u32, top + 1u32, any];
        moduli.retain(|p| p > &BigUint::from(1u32));
        moduli
    }

    /// An odd number of exactly `bits` bits.
    pub fn odd(&mut self, bits: u32) -> BigUint {
        (self.below(bits - 1) | BigUint::from(1u32)) + (BigUint::from(1u32) << (bits - 1))
    }
}

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Random {}

/// Reproducible bytes that are counted: SHA-256 of a seed and a counter.
pub struct Seeded {
    /// The seed, which determines the bytes.
    pub seed: u64,
    /// The number of blocks returned so far.
    pub count: u64,
}

impl Seeded {
    /// A new source.
    pub fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }

    /// A nearly uniform number below n.
    pub fn below(&mut self, n: &BigUint) -> BigUint {
        let mut bytes = vec![0; n.to_bytes_be().len() + 8];
        let Ok(()) = self.try_fill_bytes(&mut bytes);
        BigUint::from_bytes_be(&bytes) % n
    }
}

impl TryRng for Seeded {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(32) {
            let block = Sha256::new()
                .chain_update(self.seed.to_le_bytes())
                .chain_update(self.count.to_le_bytes())
                .finalize();
            self.count += 1;
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Seeded {}

/// 2^bits − 1.
pub fn ones(bits: u32) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// Extreme exponents below 2^bits: 0, 1, 2, single bits, 2^bits − 1 and 2^bits − 2.
pub fn extremes(bits: u32) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let mut extremes = vec![BigUint::ZERO, one.clone(), ones(bits), ones(bits) - 1u32];
    extremes.extend([1.min(bits - 1), bits / 2, bits - 1].map(|bit| &one << bit));
    extremes
}

/// The values of a batch. Panics if any result is an error.
#[track_caller]
pub fn all<T, E: core::fmt::Debug>(results: Vec<Result<T, E>>) -> Vec<T> {
    results.into_iter().collect::<Result<_, _>>().unwrap()
}
