//! Numbers, moduli and operands that reach every carry.

use num_bigint::BigUint;

pub fn power_of_two(bits: u64) -> BigUint {
    BigUint::from(1u32) << bits
}

pub fn limbs_of(value: &BigUint, count: usize) -> Vec<u64> {
    let mut limbs = value.to_u64_digits();
    limbs.resize(count, 0);
    limbs
}

pub fn value_of(limbs: &[u64]) -> BigUint {
    BigUint::from_slice(
        &limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect::<Vec<_>>(),
    )
}

/// A generator of words. One quarter of them are zero and one quarter all ones, so that carries propagate.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 33) as usize % bound
    }

    pub fn value(&mut self, bits: u64) -> BigUint {
        let limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| match self.below(4) {
                0 => 0,
                1 => u64::MAX,
                _ => self.word(),
            })
            .collect();
        value_of(&limbs) & (power_of_two(bits) - 1u32)
    }
}

/// Odd moduli of `bits` or `bits` − 1 bits, with the longest carries and the most extreme quotients.
pub fn moduli(bits: u64, word_bits: u64, random: &mut Random) -> Vec<BigUint> {
    let one = || BigUint::from(1u32);
    let top = power_of_two(bits - 1);
    let word = power_of_two(word_bits);
    let runs: BigUint = (0..bits.div_ceil(2 * word_bits)).fold(BigUint::ZERO, |sum, i| {
        sum + ((&word - 1u32) << (2 * i * word_bits)) // zero words alternate with all-ones words
    });
    let low_cleared = |x: BigUint| (x >> word_bits) << word_bits;
    let mut all = vec![
        power_of_two(bits) - 1u32,                                // all ones
        power_of_two(bits) - 3u32,                                // nearly all ones
        &top - 1u32,                                              // top bit clear
        if bits > 3 { &top - 3u32 } else { &top - 1u32 },         //
        &top + 1u32,                                              // zero words, low word 1
        power_of_two((bits - 1) / word_bits * word_bits) + 1u32,  // top word 1: the fewest bits of its words
        power_of_two(bits) - power_of_two(bits / 2) + 1u32,       // ones above, zeros below, low word 1
        (&runs & (power_of_two(bits) - 1u32)) | one() | &top,     //
        low_cleared(random.value(bits)) | &top | one(),           // negative inverse all ones
        random.value(bits) | &top | (&word - 1u32),               // negative inverse 1
        (random.value(bits) | &top | one()) % power_of_two(bits), // top bit set
        (random.value(bits - 1) | (&top >> 1u32) | one()) % &top, // top bit clear
    ];
    all.retain(|p| p.bit(0) && p.bits() > 1 && p.bits().div_ceil(64) == bits.div_ceil(64));
    all
}

/// The inverse of 2^bits modulo p, by Hensel lifting: (1 + p·(−p^(−1) mod 2^bits))/2^bits.
fn inverse_of_power(p: &BigUint, bits: u64) -> BigUint {
    let (mut inverse, mut known) = (BigUint::from(1u32), 1);
    while known < bits {
        known = (2 * known).min(bits);
        let modulus = power_of_two(known);
        let product = (&inverse * (p % &modulus)) % &modulus;
        inverse = &inverse * ((&modulus + 2u32 - product) % &modulus) % &modulus;
    }
    let negative = (power_of_two(bits) - inverse) % power_of_two(bits);
    (negative * p + 1u32) >> bits
}

/// Operands below p that are extreme as numbers, or in the words that the kernel processes.
pub fn operands(p: &BigUint, radix_bits: u64, random: &mut Random) -> Vec<BigUint> {
    let inverse = inverse_of_power(p, radix_bits);
    assert_eq!((&inverse << radix_bits) % p, BigUint::from(1u32) % p);
    let bits = p.bits();
    let seen = [
        p - 1u32,
        p >> 1u32,
        power_of_two(bits - 1) - 1u32,
        power_of_two(bits / 2) - 1u32,
        power_of_two(bits - 1) - power_of_two(bits / 2),
        random.value(bits) % p,
    ];
    let mut all = vec![
        BigUint::ZERO,
        BigUint::from(1u32),
        p - 1u32,
        p - 2u32,
        power_of_two(radix_bits) % p,
        power_of_two(2 * radix_bits) % p,
        random.value(bits) % p,
        random.value(bits) % p,
    ];
    all.extend(seen.iter().map(|words| words * &inverse % p));
    all
}
