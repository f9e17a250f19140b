//! The modulus and the constants precomputed for it.

use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::{
    barrett::Barrett,
    divisor::{Divisor, digits_of, places},
    lanes::Rows,
    long::Long,
    operations::{Operations, operations},
    spare::loosen,
};
use crate::{
    dimensions::{Dimensions, Strips, digits_of_52_bits},
    limbs,
    words::Words,
};

/// Residues are below this multiple of N.
pub(super) const BOUND: u64 = 12;

/// The AVX-512 IFMA kernel for one odd modulus. Everything that depends on the modulus is wiped on drop.
pub struct Ifma52 {
    /// G and K: the number of blocks of a product, and of digits in each.
    pub(super) blocks: usize,
    pub(super) digits: usize,
    pub(super) code: Code,
    /// H, (M₁ + 1)/2^52 and N, laid out as a residue.
    pub(super) high: Words,
    pub(super) step: Words,
    pub(super) modulus: Words,
    /// −1/N mod 2^52.
    pub(super) inverse: Words,
    pub(super) one: Words,
    pub(super) one_entered: Words,
    /// 12·N and N, digit by digit.
    pub(super) bound: Words,
    pub(super) modulus_digits: Words,
    pub(super) barrett: Barrett,
    /// For residues side by side.
    pub(super) rows: Option<Rows>,
    pub(super) dimensions: Dimensions,
}

/// How residues are laid out and multiplied.
pub(super) enum Code {
    /// In G strips, one in each lane: digit v of all strips is vector v.
    Strips(&'static Operations),
    /// Digits in order, K = 8 of them in a vector.
    InOrder(Long),
}

impl Ifma52 {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        // The interpreter of the tests supports the instructions.
        #[cfg(feature = "internals")]
        if crate::internals::is_emulated() {
            return true;
        }
        #[cfg(feature = "std")]
        return std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512ifma")
            && std::is_x86_feature_detected!("bmi2");
        #[cfg(not(feature = "std"))]
        return cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512ifma",
            target_feature = "bmi2"
        ));
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs, and its
    /// sizes. `None` if the machine lacks the instructions. Variable-time in the modulus.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        // SAFETY: the machine has the instructions.
        if Self::is_supported() { unsafe { Self::anywhere(modulus, dimensions) } } else { None }
    }

    /// The same, whether or not the machine has the instructions.
    ///
    /// # Safety
    /// This machine has the instructions, or all operations of the kernel are interpreted.
    pub(crate) unsafe fn anywhere(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        let spare = dimensions.spare;
        let n = Zeroizing::new(limbs::from_limbs(modulus));
        let bits = limbs::bit_length_vartime(modulus) as usize;
        let needed = digits_of_52_bits(bits);
        let divisor = Divisor::new(n)?;

        let strips = if spare > 0 { Strips::with_spare_bits(bits)? } else { Strips::of(needed) };
        let Strips { blocks, digits, reduced } = strips;
        let code = match operations(strips, spare > 0) {
            Some(operations) => Code::Strips(operations),
            None => Code::InOrder(Long::new(&divisor, needed)),
        };
        let all = blocks * digits;
        let in_strips = matches!(code, Code::Strips(_));
        let laid_out = |x: &BoxedUint| {
            let mut words = Words::zero(all);
            for (place, &digit) in places(blocks, digits, in_strips).zip(digits_of(x, all).iter()) {
                words[place] = digit;
            }
            if spare > 0 {
                loosen(&mut words, [blocks, digits], spare);
            }
            words
        };
        let radix_bits = strips.radix_bits(spare);
        let [_, high] = divisor.block(52 * digits - spare);
        let [inverse, step] = divisor.block(52);
        let modulus_digits = digits_of(&divisor.multiple(1), all);
        Some(Self {
            blocks,
            digits,
            code,
            high: laid_out(&high),
            step: laid_out(&step),
            modulus: laid_out(&divisor.multiple(1)),
            inverse: digits_of(&inverse, 1),
            one: laid_out(&divisor.power_of_two(radix_bits)),
            one_entered: laid_out(&divisor.power_of_two(2 * radix_bits)),
            bound: digits_of(&divisor.multiple(BOUND), all),
            barrett: Barrett::new(bits, &modulus_digits, places(blocks, digits, in_strips)),
            modulus_digits,
            rows: (spare == 0)
                .then(|| Rows::new(&divisor, places(blocks, digits, in_strips).collect(), needed, reduced)),
            dimensions,
        })
    }

    /// The number of words of scratch space that a product needs.
    #[inline]
    pub(super) fn product_scratch(&self) -> usize {
        match &self.code {
            Code::Strips(_) => 2 * self.blocks * self.digits,
            Code::InOrder(long) => long.scratch_words(),
        }
    }

    /// The number of blocks of a product by an operand prepared in `split` pieces: as many as a piece of the
    /// other factor has.
    #[inline]
    pub(super) fn blocks_of_piece(&self, split: usize) -> usize {
        self.blocks.div_ceil(split)
    }
}
