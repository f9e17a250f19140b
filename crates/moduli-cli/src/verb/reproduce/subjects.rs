//! The inputs of measurements: moduli, exponents, and kernels.

use crypto_bigint::BoxedUint;
use moduli::{Error, KernelChoice, Modulus};
use moduli_kernel::limbs;

/// A modulus of this length on each kernel to measure: the one for 64-bit limbs, which resembles
/// GMP, and the fastest one, if it is another.
pub fn moduli(bits: u32) -> Result<Vec<Modulus>, Error> {
    let limbs = if KernelChoice::ADX.is_supported() { KernelChoice::ADX } else { KernelChoice::PORTABLE };
    let value = odd(bits);
    let mut moduli: Vec<Modulus> = Vec::new();
    for kernel in [limbs, KernelChoice::DETECT] {
        let modulus = Modulus::with_kernel(&value, kernel)?;
        if moduli.iter().all(|other| other.kernel_name() != modulus.kernel_name()) {
            moduli.push(modulus);
        }
    }
    Ok(moduli)
}

/// A number with its top and lowest bit set, always the same for a length. The time of a product
/// depends only on the length of the modulus.
fn odd(bits: u32) -> BoxedUint {
    let mut limbs = Sequence(u64::from(bits)).limbs(bits);
    limbs[0] |= 1;
    if let Some(top) = limbs.last_mut() {
        *top |= 1 << ((bits - 1) % 64);
    }
    limbs::from_limbs(&limbs)
}

/// Pseudorandom numbers that are the same in every run (splitmix64).
pub struct Sequence(pub u64);

impl Sequence {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// The limbs of the next number below 2^bits.
    fn limbs(&mut self, bits: u32) -> Vec<u64> {
        let mut limbs: Vec<u64> = (0..bits.div_ceil(64).max(1)).map(|_| self.word()).collect();
        if let Some(top) = limbs.last_mut() {
            *top >>= bits.next_multiple_of(64) - bits;
        }
        limbs
    }

    /// The next number below 2^bits, for bits > 0.
    pub fn below(&mut self, bits: u32) -> BoxedUint {
        limbs::from_limbs(&self.limbs(bits))
    }
}
