//! How long residues and prepared operands are: all that a plan wants to know of a kernel, besides its costs.
//!
//! A kernel tells it of itself. What a kernel that this machine lacks would say is worked out from the length of the modulus, so that
//! plans for another machine can be made on this one.

use alloc::string::ToString;

use super::{contract::Kernel, karatsuba};
use crate::error::Error;

/// The sizes of one kernel for moduli of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimensions {
    /// The name of the kernel.
    pub(crate) name: &'static str,
    /// 64-bit limbs of the modulus.
    pub(crate) limbs: usize,
    /// Words of a residue.
    pub(crate) residue_words: usize,
    /// The most pieces of a prepared operand.
    pub(crate) max_split: usize,
    /// Words of an operand in the most pieces, which may be of another kind than those in fewer.
    longest: usize,
    /// Words of scratch space.
    pub(crate) scratch_words: usize,
    /// Residues side by side, where the kernel has lanes.
    pub(crate) lanes: Option<usize>,
}

impl Dimensions {
    /// Those of a kernel that is there.
    pub(crate) fn of(kernel: &dyn Kernel) -> Self {
        let max_split = kernel.max_split();
        Self {
            name: kernel.name(),
            limbs: kernel.limbs(),
            residue_words: kernel.residue_words(),
            max_split,
            longest: kernel.prepared_words(max_split),
            scratch_words: kernel.scratch_words(),
            lanes: kernel.lanes().map(|lanes| lanes.lanes()),
        }
    }

    /// Words of an operand prepared in so many pieces.
    pub(crate) fn prepared_words(&self, split: usize) -> usize {
        if split == self.max_split { self.longest } else { split * self.residue_words }
    }

    /// Limbs of 64 bits, reduced in blocks of `block` words, and Karatsuba's products from `karatsuba` words on.
    pub(super) fn of_limbs(name: &'static str, bits: usize, block: usize, karatsuba: usize) -> Self {
        let n = bits.div_ceil(64);
        Self {
            name,
            limbs: n,
            residue_words: n,
            max_split: n,
            longest: n * n,
            scratch_words: (4 * n + 2 * block + 3).max(2 * n + karatsuba::scratch_words_from(karatsuba, n)),
            lanes: None,
        }
    }

    /// Digits of 50 bits, an even number of them with room for sums, in vectors of four.
    pub(super) fn of_doubles(name: &'static str, bits: usize) -> Self {
        let fits = |digits: &usize| 50 * digits >= bits + 55 + digits.ilog2() as usize;
        let digits = (2..).step_by(2).find(fits).unwrap_or_default();
        let vectors = digits.div_ceil(4);
        let residue_words = 4 * vectors;
        Self {
            name,
            limbs: bits.div_ceil(64),
            residue_words,
            max_split: vectors + 1,
            longest: (digits + 1) * residue_words,
            scratch_words: 4 * (2 * vectors + 1) + 2 * residue_words,
            lanes: Some(4),
        }
    }

    /// Digits of 52 bits with room for multiples: strips of them in four lanes or eight, or in order if they are many.
    ///
    /// # Errors
    /// [`Error::Kernel`] for moduli that are too long.
    pub(super) fn of_52_bits(name: &'static str, bits: usize) -> Result<Self, Error> {
        let digits = (bits + 8).div_ceil(52);
        if digits > 1000 {
            return Err(Error::Kernel {
                name: name.to_string(),
                reason: "needs a modulus of at most 51,000 bits",
            });
        }
        let (in_four, in_eight) = (digits.div_ceil(4), digits.div_ceil(8));
        let (blocks, strip) = match in_eight {
            _ if in_four <= 5 => (4, in_four),
            ..=10 => (8, in_eight),
            _ => (in_eight, 8),
        };
        let residue_words = blocks * strip;
        let product = if in_eight <= 10 { 2 * residue_words } else { 9 * residue_words + 120 };
        let max_split = blocks.min(8);
        Ok(Self {
            name,
            limbs: bits.div_ceil(64),
            residue_words,
            max_split,
            longest: max_split * residue_words,
            scratch_words: product + residue_words,
            lanes: Some(8),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Dimensions;
    use crate::kernel::KernelChoice;

    #[test]
    fn what_is_foreseen_is_what_kernels_say() {
        for choice in KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()) {
            let lengths = (2usize..1300)
                .chain((1300..8300).step_by(13))
                .chain([15_360, 16_384, 30_000, 50_900, 65_536]);
            for bits in lengths {
                let mut modulus = alloc::vec![u64::MAX; bits.div_ceil(64)];
                if bits % 64 > 0 {
                    modulus[bits / 64] = (1 << (bits % 64)) - 1;
                }
                let built = choice.build(&modulus).map(|kernel| Dimensions::of(&*kernel));
                let foreseen = choice.foreseen(bits as u32);
                assert_eq!(built.is_ok(), foreseen.is_ok(), "{choice:?}, {bits} bits");
                if let (Ok(built), Ok(foreseen)) = (built, foreseen) {
                    assert_eq!(built, foreseen, "{bits} bits");
                }
            }
        }
    }

    #[test]
    fn there_are_no_plans_for_kernels_of_tests() {
        assert!(KernelChoice::Portable8.foreseen(100).is_err());
        assert!(KernelChoice::Detect.foreseen(100).is_err());
    }
}
