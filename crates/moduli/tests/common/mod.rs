//! What several test suites share: random numbers and the way to num-bigint, which is the oracle.
#![allow(dead_code)]

use crypto_bigint::BoxedUint;
use num_bigint::BigUint;

pub fn big(x: &BoxedUint) -> BigUint {
    BigUint::from_bytes_le(&x.to_le_bytes())
}

pub fn boxed(x: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&x.to_bytes_be())
}

/// A repeatable source of numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Uniform below 2^bits.
    pub fn below(&mut self, bits: u32) -> BigUint {
        let digits = (0..bits.div_ceil(32)).map(|_| self.word() as u32).collect();
        BigUint::new(digits) >> (bits.div_ceil(32) * 32 - bits)
    }

    /// An odd number of exactly `bits` bits.
    pub fn odd(&mut self, bits: u32) -> BigUint {
        (self.below(bits - 1) | BigUint::from(1u32)) + (BigUint::from(1u32) << (bits - 1))
    }
}

/// 2^bits − 1.
pub fn ones(bits: u32) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// The exponents below 2^bits at the edges: 0, 1, 2, single bits, 2^bits − 1 and its neighbour.
pub fn extremes(bits: u32) -> Vec<BigUint> {
    let one = BigUint::from(1u32);
    let mut extremes = vec![BigUint::ZERO, one.clone(), ones(bits), ones(bits) - 1u32];
    extremes.extend([1.min(bits - 1), bits / 2, bits - 1].map(|bit| &one << bit));
    extremes
}
