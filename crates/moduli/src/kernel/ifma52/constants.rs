//! The modulus and what is precomputed for it.

use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::digits::fill_digits;
use crate::{
    kernel::{contract::Kernel, words::Words},
    limbs,
};

/// So that no sum of 4·8·V parts overflows 64 bits.
const MAX_DIGITS: usize = 1000;

/// The AVX-512 IFMA kernel for one odd modulus. What it holds of the modulus is wiped on drop.
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
    pub(super) once: Words,
    pub(super) thrice: Words,
    pub(super) limbs: usize,
    /// Words of scratch space.
    pub(super) scratch: usize,
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
        let n = Zeroizing::new(limbs::from_limbs(modulus));
        let bits = n.bits_vartime() as usize;
        let vectors = (bits + 4).div_ceil(416);
        if 8 * vectors > MAX_DIGITS {
            return None;
        }
        let divisor: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = Zeroizing::new(divisor?);

        let digits_of = |x: &BoxedUint, count: usize| {
            let mut digits = Words::zero(count);
            fill_digits(&mut digits, &limbs::to_limbs(x, 1));
            digits
        };
        // k = −1/N mod 2^416, by Newton's iteration from one word on; then M = k·N.
        let wide = |x: &BoxedUint| Zeroizing::new(x.resize(64 * (limbs as u32 + 8)));
        let product = |x: &BoxedUint, y: &BoxedUint| Zeroizing::new(x.wrapping_mul(y));
        let (one, two) = (wide(&BoxedUint::one()), wide(&BoxedUint::from(2u64)));
        let (n, power) = (wide(&n), one.shl(416));
        let block = power.wrapping_sub(&*one);
        let mut inverse = wide(&BoxedUint::from(limbs::inverse_of_word(modulus[0])));
        for _ in 0..3 {
            let correction = Zeroizing::new(two.wrapping_sub(&*product(&n, &inverse)));
            inverse = Zeroizing::new(&*product(&inverse, &correction) & &block);
        }
        let negative = Zeroizing::new(power.wrapping_sub(&*inverse));
        let high = Zeroizing::new(product(&n, &negative).wrapping_add(&*one).shr(416));
        let mut negative_inverse = Words::zero(64);
        let negative = digits_of(&negative, 8);
        for (s, copy) in negative_inverse.chunks_exact_mut(8).enumerate() {
            copy[s..].copy_from_slice(&negative[..8 - s]);
        }

        let power_of_two = |exponent: usize| {
            let power = BoxedUint::one_with_precision(exponent as u32 + 1).shl(exponent as u32);
            digits_of(&Zeroizing::new(power.rem_vartime(&divisor)), 8 * vectors)
        };
        let digits = (bits + 2).div_ceil(52);
        let mut kernel = Self {
            vectors,
            digits,
            half: digits + 4 <= 8 * vectors,
            high: Shifted::new(&digits_of(&high, 8 * vectors)),
            modulus: Shifted::new(&digits_of(&n, 8 * vectors)),
            negative_inverse,
            one: power_of_two(416 * vectors),
            one_entered: power_of_two(832 * vectors),
            once: digits_of(&n, 8 * vectors),
            thrice: digits_of(&product(&n, &BoxedUint::from(3u64)), 8 * vectors),
            limbs,
            scratch: 0,
        };
        // Beside the sum the multiplier's digits, or in pieces with what fills their blocks up.
        let pieces = (2..=kernel.max_split()).map(|split| 8 * kernel.blocks(split) * split);
        kernel.scratch = kernel.sum_words() + pieces.fold(8 * vectors, usize::max);
        Some(kernel)
    }

    /// Blocks of a product by an operand prepared in `split` > 1 pieces. A piece has one digit less than its blocks.
    pub(super) fn blocks(&self, split: usize) -> usize {
        (self.digits.div_ceil(split) + 1).div_ceil(8)
    }
}
