//! Numbers in the forms that the libraries take, and test numbers that are the same in every run.

use crypto_bigint::BoxedUint;

/// A number in little-endian limbs. Results have no leading zeros.
pub type Limbs = Vec<u64>;

/// Numbers that look random and are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits (SplitMix64).
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below 2^bits, in ⌈bits/64⌉ limbs.
    pub fn below(&mut self, bits: u32) -> Limbs {
        let mut limbs: Limbs = (0..bits.div_ceil(64)).map(|_| self.word()).collect();
        if let Some(top) = limbs.last_mut() {
            *top >>= bits.wrapping_neg() % 64;
        }
        limbs
    }

    /// A number of exactly `bits` bits.
    pub fn exactly(&mut self, bits: u32) -> Limbs {
        let mut limbs = self.below(bits);
        if let Some(top) = limbs.last_mut() {
            *top |= 1 << ((bits - 1) % 64);
        }
        limbs
    }

    /// An odd number of exactly `bits` bits: a modulus.
    pub fn odd(&mut self, bits: u32) -> Limbs {
        let mut limbs = self.exactly(bits);
        limbs[0] |= 1;
        limbs
    }
}

/// The limbs without leading zeros.
pub fn trim(mut limbs: Limbs) -> Limbs {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

/// The number as crypto-bigint and moduli take it, with the precision of its limbs.
pub fn to_uint(limbs: &[u64]) -> BoxedUint {
    BoxedUint::from_words(limbs.iter().copied())
}

/// The limbs of a result.
pub fn from_uint(x: &BoxedUint) -> Limbs {
    trim(x.as_words().to_vec())
}

/// The bytes of limbs, lowest first.
pub fn to_bytes(limbs: &[u64]) -> Vec<u8> {
    limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect()
}

/// The limbs of bytes, lowest first.
pub fn from_bytes(bytes: &[u8]) -> Limbs {
    let limb = |chunk: &[u8]| {
        let mut limb = [0; 8];
        limb[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(limb)
    };
    trim(bytes.chunks(8).map(limb).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact() {
        let mut numbers = Numbers::new(1);
        for bits in [1, 63, 64, 65, 160, 2022] {
            assert_eq!(to_uint(&numbers.exactly(bits)).bits_vartime(), bits);
            assert!(to_uint(&numbers.below(bits)).bits_vartime() <= bits);
        }
    }

    #[test]
    fn bytes_and_limbs_agree() {
        let limbs = Numbers::new(2).exactly(200);
        assert_eq!(from_bytes(&to_bytes(&limbs)), limbs);
    }
}
