//! The modulus and what is precomputed for it.

use alloc::vec::Vec;

use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::digits::{DIGIT, to_digits};
use crate::{kernel::words::Words, limbs};

/// So that no sum of 4·D parts overflows 64 bits.
const MAX_DIGITS: usize = 1000;

/// The AVX-512 IFMA kernel for one odd modulus. What it holds of the modulus is wiped on drop.
pub struct Ifma52 {
    /// D = 8·vectors.
    pub(super) digits: usize,
    pub(super) vectors: usize,
    /// H shifted by 0..8 digits, `vectors + 1` vectors each.
    pub(super) shifted: Words,
    /// H itself, for the scalar steps.
    pub(super) high: Zeroizing<Vec<u64>>,
    pub(super) one: Words,
    pub(super) one_entered: Words,
    /// 2M in D digits.
    pub(super) twice: Zeroizing<Vec<u64>>,
    /// N in 52-bit digits, and −N^(−1) mod 2^52.
    pub(super) modulus: Zeroizing<Vec<u64>>,
    pub(super) negative_inverse: u64,
    pub(super) limbs: usize,
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
        let bits = n.bits_vartime();
        // 2^(52·D) > 4M, M < 2^(bits + 52), in whole vectors.
        let vectors = (bits as usize + 54).div_ceil(52 * 8);
        let digits = 8 * vectors;
        if digits > MAX_DIGITS {
            return None;
        }

        let negative_inverse = limbs::inverse_of_word(modulus[0]).wrapping_neg() & DIGIT;

        let wide = Zeroizing::new((&*n).resize(64 * (limbs as u32 + 2)));
        let multiple = Zeroizing::new(wide.wrapping_mul(BoxedUint::from(negative_inverse)));
        let twice = Zeroizing::new(multiple.wrapping_add(&*multiple));
        let high = Zeroizing::new(multiple.wrapping_add(BoxedUint::one()).shr(52));
        let to_words = |x: &BoxedUint| limbs::to_limbs(x, 1);
        let high = Zeroizing::new(to_digits(&to_words(&high), digits));

        let mut shifted = Words::zero(8 * 8 * (vectors + 1));
        for (s, copy) in shifted.chunks_exact_mut(8 * (vectors + 1)).enumerate() {
            let length = digits.min(copy.len() - s);
            copy[s..s + length].copy_from_slice(&high[..length]);
        }
        let divisor: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = Zeroizing::new(divisor?);
        let power_of_two = |exponent: u32| {
            let power = BoxedUint::one_with_precision(exponent + 1).shl(exponent).rem_vartime(&divisor);
            let power = Zeroizing::new(power);
            let mut residue = Words::zero(8 * vectors);
            residue.copy_from_slice(&to_digits(&to_words(&power), digits));
            residue
        };
        Some(Self {
            digits,
            vectors,
            shifted,
            high,
            one: power_of_two(52 * digits as u32),
            one_entered: power_of_two(104 * digits as u32),
            twice: Zeroizing::new(to_digits(&to_words(&twice), digits)),
            modulus: Zeroizing::new(to_digits(modulus, digits)),
            negative_inverse,
            limbs,
        })
    }

    /// Digits of a piece of a prepared operand: c = 8·b − 1 for b blocks of reduction.
    pub(super) fn piece(&self, split: usize) -> usize {
        8 * (self.digits.div_ceil(split) + 1).div_ceil(8) - 1
    }
}
