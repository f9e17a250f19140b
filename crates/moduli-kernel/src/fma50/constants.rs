//! The modulus and its precomputed constants.

use alloc::vec::Vec;

use crypto_bigint::{BoxedUint, NonZero, Resize};

use super::{
    digits::{DIGIT, DIGIT_BITS, TWO_52, carried, from_limbs, to_double},
    parts::multiples,
};
use zeroize::{Zeroize, Zeroizing};

use crate::{dimensions::Dimensions, limbs, words::Words};

/// Makes every column positive. Its carry, 2^12, is subtracted from the column above.
pub(super) const BIAS: u64 = 1 << 62;
/// The carry of [`BIAS`].
pub(super) const BIAS_CARRY: u64 = BIAS >> DIGIT_BITS;

/// The kernel for one odd modulus N. All data derived from the modulus is wiped on drop.
pub struct Fma50 {
    /// D, an even number. The Montgomery factor is 2^(50·D); residues are below 2^(50·D − 2).
    pub(super) digits: usize,
    /// ⌈D/4⌉. Two lanes may be unused; they are zero.
    pub(super) vectors: usize,
    pub(super) dimensions: Dimensions,
    /// N in D digits, and −N^(−1) mod 2^50.
    pub(super) modulus: Zeroizing<Vec<u64>>,
    pub(super) negative_inverse: u64,
    /// The bits of N minus two, and ⌊2^(64 + `top_bit`)/N⌋.
    pub(super) top_bit: usize,
    pub(super) reciprocal: u64,
    pub(super) one: Words,
    pub(super) one_entered: Words,
    /// Q in D digits: the greatest multiple of N up to 2^(50·D − 2). Residues are below it.
    pub(super) limit: Zeroizing<Vec<u64>>,
    /// The multiple of N that is added to every result.
    pub(super) multiple: Zeroizing<Vec<u64>>,
    /// The initial values of a result's columns: this multiple, which makes the top digit positive, the
    /// biases, and the [`TWO_52`] that the digits of a correction contain.
    pub(super) offsets: Words,
    /// The offsets minus the correction, for reductions by the last 4, 8, … rows, and by all rows.
    pub(super) fold_offsets: Words,
    /// The initial values of sums, so that the constants in their parts cancel, for each number of groups of
    /// digits.
    pub(super) multiples: Vec<[u64; 3]>,
    /// The matrix of the reduction: the operand 1, prepared in the maximum number of pieces.
    pub(super) fold: Words,
}

impl Fma50 {
    /// Whether this machine has the instructions; on WebAssembly, whether multiply-add is fused.
    pub fn is_supported() -> bool {
        #[cfg(target_arch = "wasm32")]
        return super::wasm::is_fused();
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
        #[cfg(all(target_arch = "x86_64", not(feature = "std")))]
        return cfg!(all(target_feature = "avx2", target_feature = "fma"));
    }

    /// Creates a kernel for the odd modulus `modulus > 1`, given as little-endian limbs without leading zero
    /// limbs, and its sizes. Returns None if the machine lacks the instructions. Variable-time in the
    /// modulus. The kernel holds about (bits/50)² words: 16 KiB at 2048 bits, 56 KiB at 4096 bits.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        // SAFETY: the machine has the instructions.
        if Self::is_supported() { unsafe { Self::anywhere(modulus, dimensions) } } else { None }
    }

    /// The same, even if the machine lacks the instructions.
    ///
    /// # Safety
    /// This machine has the instructions, or all operations of the kernel are interpreted.
    pub(crate) unsafe fn anywhere(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        let n = Zeroizing::new(limbs::from_limbs(modulus));
        let bits = limbs::bit_length_vartime(modulus);
        let digits = dimensions.radix_bits / DIGIT_BITS;
        let vectors = digits.div_ceil(4);

        let divisor: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = Zeroizing::new(divisor?);
        let power = |exponent: usize| BoxedUint::one_with_precision(exponent as u32 + 2).shl(exponent as u32);
        // `rem_vartime` would leave a copy of the remainder behind.
        let divided = |exponent: usize| {
            let (quotient, remainder) = power(exponent).div_rem_vartime(&divisor);
            [quotient, remainder].map(Zeroizing::new)
        };
        let remainder = |exponent: usize| {
            let [_, remainder] = divided(exponent);
            remainder
        };
        let to_digits = |x: &BoxedUint| Zeroizing::new(from_limbs(&limbs::to_limbs(x, 1), digits));
        let residue = |exponent: usize| {
            let mut residue = Words::zero(4 * vectors);
            for (word, digit) in residue.iter_mut().zip(to_digits(&remainder(exponent)).iter()) {
                *word = to_double(*digit);
            }
            residue
        };
        let below = |exponent: usize| {
            let power = power(exponent);
            let remainder = Zeroizing::new((&*remainder(exponent)).resize(power.bits_precision()));
            Zeroizing::new(power.wrapping_sub(&*remainder))
        };

        let mut offsets = Words::zero(4 * vectors);
        // The multiple of N is above 2^(50·(D − 1) + 13), and far below the limit.
        let multiple = to_digits(&below(DIGIT_BITS * (digits - 1) + 14));
        for (i, offset) in offsets.iter_mut().enumerate() {
            let biases = match i {
                0 => BIAS,
                _ if i + 1 < digits => BIAS - BIAS_CARRY,
                _ if i + 1 == digits => BIAS_CARRY.wrapping_neg(),
                _ => 0,
            };
            let digit = multiple.get(i).copied().unwrap_or(0);
            *offset = TWO_52.wrapping_add(biases).wrapping_add(digit);
        }

        let top_bit = bits as usize - 2;
        let [quotient, _] = divided(top_bit + 64);
        let reciprocal = limbs::to_limbs(&quotient, 1);

        let mut kernel = Self {
            digits,
            vectors,
            dimensions,
            modulus: Zeroizing::new(from_limbs(modulus, digits)),
            negative_inverse: limbs::inverse_of_word(modulus[0]).wrapping_neg() & DIGIT,
            top_bit,
            reciprocal: reciprocal[0],
            one: residue(DIGIT_BITS * digits),
            one_entered: residue(2 * DIGIT_BITS * digits),
            limit: to_digits(&below(DIGIT_BITS * digits - 2)),
            multiple,
            offsets,
            multiples: (0..=vectors).map(multiples).collect(),
            fold: Words::zero(4 * vectors * (digits + 1)),
            fold_offsets: Words::zero(4 * vectors * vectors),
        };
        let mut unit = limbs::zeros(digits);
        unit[0] = 1;
        kernel.shift_down(&mut unit);
        let (mut fold, mut all) = (kernel.fold.clone(), kernel.fold_offsets.clone());
        kernel.write_matrix(&mut fold, &mut unit, |rows, sums| {
            if rows % 4 == 0 || rows == digits {
                let offsets = &mut all[4 * vectors * (rows.div_ceil(4) - 1)..];
                let corrections = Zeroizing::new(carried(sums));
                let corrections = corrections.iter().copied().chain([0; 2]);
                for (out, (&offset, correction)) in
                    offsets.iter_mut().zip(kernel.offsets.iter().zip(corrections))
                {
                    *out = offset.wrapping_sub(TWO_52).wrapping_sub(correction);
                }
            }
        });
        (kernel.fold, kernel.fold_offsets) = (fold, all);
        Some(kernel)
    }

    /// Words of a residue.
    #[inline]
    pub(super) fn words(&self) -> usize {
        4 * self.vectors
    }
}

impl Drop for Fma50 {
    fn drop(&mut self) {
        self.negative_inverse.zeroize();
        self.reciprocal.zeroize();
    }
}
