//! The modulus and what is precomputed for it.

use alloc::vec::Vec;

use crypto_bigint::{BoxedUint, NonZero, Resize};

use super::digits::to_digits;
use crate::{kernel::words::Words, limbs};

/// So that no sum of 4·8·V parts overflows 64 bits.
const MAX_DIGITS: usize = 1000;

/// The AVX-512 IFMA kernel for one odd modulus.
pub struct Ifma52 {
    /// V: a residue has 8·V digits.
    pub(super) vectors: usize,
    /// Digits that a value below 3N can have: those above are 0.
    pub(super) digits: usize,
    /// Whether at most four digits of the highest vector can be other than 0.
    pub(super) half: bool,
    /// H shifted by 0..8 digits.
    pub(super) high: Shifted,
    /// N shifted by 0..8 digits.
    pub(super) modulus: Shifted,
    /// −1/N mod 2^416 shifted by 0..8 digits, eight digits each.
    pub(super) negative_inverse: Words,
    pub(super) one: Words,
    pub(super) one_entered: Words,
    /// N and 3N in 8·V digits.
    pub(super) once: Vec<u64>,
    pub(super) thrice: Vec<u64>,
    pub(super) limbs: usize,
}

/// A number of V vectors of digits, shifted by 0..8 digits: eight copies of V + 1 vectors, and a vector of zeros before
/// them.
pub(super) struct Shifted {
    words: Words,
    vectors: usize,
}

impl Shifted {
    fn new(digits: &[u64]) -> Self {
        let vectors = digits.len() / 8;
        let mut words = Words::zero(8 + 8 * 8 * (vectors + 1));
        for (s, copy) in words[8..].chunks_exact_mut(8 * (vectors + 1)).enumerate() {
            copy[s..s + digits.len()].copy_from_slice(digits);
        }
        Self { words, vectors }
    }

    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ vectors.
    #[inline]
    pub(super) fn vector(&self, j: usize, s: usize) -> *const i64 {
        let index = 1 + (s % 8) * (self.vectors + 1) + j - s / 8;
        debug_assert!(s <= 8 && j <= self.vectors && 8 * index < self.words.len());
        self.words.as_ptr().wrapping_add(8 * index) as *const i64
    }
}

impl Ifma52 {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        #[cfg(feature = "std")]
        return std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512ifma");
        #[cfg(not(feature = "std"))]
        return cfg!(all(target_feature = "avx512f", target_feature = "avx512ifma"));
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs: what
    /// [`Modulus::new`](crate::Modulus::new) has checked. None where the machine lacks the instructions, and for moduli
    /// longer than 51,000 bits or so. Variable-time in the modulus.
    ///
    /// # Panics
    /// If there are no limbs.
    pub fn new(modulus: &[u64]) -> Option<Self> {
        if !Self::is_supported() {
            return None;
        }
        let limbs = modulus.len();
        let n = limbs::from_limbs(modulus);
        let bits = n.bits_vartime() as usize;
        let vectors = (bits + 4).div_ceil(416);
        if 8 * vectors > MAX_DIGITS {
            return None;
        }
        let divisor: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = divisor?;

        let digits_of = |x: &BoxedUint, count: usize| to_digits(&limbs::to_limbs(x, 1), count);
        // k = −1/N mod 2^416, by Newton's iteration from one word on; then M = k·N.
        let wide = |x: &BoxedUint| x.resize(64 * (limbs as u32 + 8));
        let n = wide(&n);
        let block = wide(&BoxedUint::one()).shl(416).wrapping_sub(wide(&BoxedUint::one()));
        let mut inverse = wide(&BoxedUint::from(limbs::inverse_of_word(modulus[0])));
        for _ in 0..3 {
            let correction = wide(&BoxedUint::from(2u64)).wrapping_sub(n.wrapping_mul(&inverse));
            inverse = inverse.wrapping_mul(correction) & &block;
        }
        let negative = block.wrapping_add(wide(&BoxedUint::one())).wrapping_sub(inverse);
        let high = n.wrapping_mul(&negative).wrapping_add(BoxedUint::one()).shr(416);
        let mut negative_inverse = Words::zero(64);
        let negative = digits_of(&negative, 8);
        for (s, copy) in negative_inverse.chunks_exact_mut(8).enumerate() {
            copy[s..].copy_from_slice(&negative[..8 - s]);
        }

        let power_of_two = |exponent: usize| {
            let exponent = exponent as u32;
            let power = BoxedUint::one_with_precision(exponent + 1).shl(exponent).rem_vartime(&divisor);
            let mut residue = Words::zero(8 * vectors);
            residue.copy_from_slice(&digits_of(&power, 8 * vectors));
            residue
        };
        let digits = (bits + 2).div_ceil(52);
        Some(Self {
            vectors,
            digits,
            half: digits + 4 <= 8 * vectors,
            high: Shifted::new(&digits_of(&high, 8 * vectors)),
            modulus: Shifted::new(&digits_of(&n, 8 * vectors)),
            negative_inverse,
            one: power_of_two(416 * vectors),
            one_entered: power_of_two(832 * vectors),
            once: digits_of(&n, 8 * vectors),
            thrice: digits_of(&n.wrapping_mul(wide(&BoxedUint::from(3u64))), 8 * vectors),
            limbs,
        })
    }

    /// Blocks of a product by an operand prepared in `split` > 1 pieces. A piece has one digit less than its blocks.
    pub(super) fn blocks(&self, split: usize) -> usize {
        (self.digits.div_ceil(split) + 1).div_ceil(8)
    }
}
