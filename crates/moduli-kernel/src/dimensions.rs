//! The lengths of residues and prepared operands. Apart from costs, a plan needs nothing else from a kernel.
//!
//! Each kernel's rule for its sizes is defined here, once. Kernels use it when they are built, and plans use
//! it even for a kernel that this machine lacks.

use super::karatsuba;

/// The sizes of one kernel for moduli of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// The name of the kernel.
    pub name: &'static str,
    /// 64-bit limbs of the modulus.
    pub limbs: usize,
    /// 64-bit words of a residue.
    pub residue_words: usize,
    /// The maximum number of pieces of a prepared operand; all smaller numbers work, too.
    pub max_split: usize,
    /// Words of an operand with the maximum number of pieces, which may have another form than operands with
    /// fewer pieces.
    longest: usize,
    /// Words of scratch space that operations on one residue need.
    pub scratch_words: usize,
    /// The number of residues in a row, if the kernel has lanes.
    pub lanes: Option<usize>,
    /// The exponent of two in the Montgomery factor.
    pub radix_bits: usize,
    /// The bits that the highest digit of a strip has less than the others.
    pub spare: usize,
}

impl Dimensions {
    /// Words of an operand prepared in `split` pieces; `prepared_words(1) == residue_words`.
    #[inline]
    pub fn prepared_words(&self, split: usize) -> usize {
        if split == self.max_split { self.longest } else { split * self.residue_words }
    }

    /// Whether residues in this form, which has spare bits, are also faster than the usual ones for two
    /// moduli at a time. With strips of four and five digits they are not: there, the products modulo one
    /// number already fill the time in which carries modulo the other are resolved.
    pub fn is_faster_for_two(&self) -> bool {
        self.spare > 0 && !(32..=40).contains(&self.residue_words)
    }
}

/// The parameters in which kernels with whole words differ.
pub(crate) struct WordSizes {
    /// The words of a factor, or of a reduction, that one pass processes.
    pub(crate) block: usize,
    /// Products of at least this many words use Karatsuba's method; for squares, the limit is higher.
    pub(crate) karatsuba: usize,
}

pub(crate) const PORTABLE: WordSizes = WordSizes { block: 4, karatsuba: 56 };
pub(crate) const ADX: WordSizes = WordSizes { block: 8, karatsuba: 32 };
pub(crate) const AARCH64: WordSizes = WordSizes { block: 8, karatsuba: 32 };
/// For tests: the smallest limit that is possible, on tiny words.
pub(crate) const TINY: WordSizes = WordSizes { block: 4, karatsuba: 5 };

/// The sizes for words of `w` bits.
pub(crate) fn of_words(name: &'static str, bits: usize, w: usize, sizes: &WordSizes) -> Dimensions {
    let n = bits.div_ceil(w);
    // With this limit, the sum of the pieces stays below split·2^(−w)·p + p < 2p.
    let max_split = if w == 64 { n } else { n.min((1 << w) - 1) };
    Dimensions {
        name,
        limbs: bits.div_ceil(64),
        residue_words: n,
        max_split,
        longest: max_split * n,
        // A combined pair needs the operand and two sums; a product needs its double length and the scratch
        // space of Karatsuba's method.
        scratch_words: (4 * n + 2 * sizes.block + 3)
            .max(2 * n + karatsuba::scratch_words(sizes.karatsuba, n)),
        lanes: None,
        radix_bits: w * n,
        spare: 0,
    }
}

/// The sizes for digits of 50 bits, in vectors of four: an even number of digits, with room for sums.
pub(crate) fn of_doubles(name: &'static str, bits: usize) -> Option<Dimensions> {
    let digits = digits_of_50_bits(bits);
    // With more, a column could overflow 64 bits.
    if digits > 2000 {
        return None;
    }
    let vectors = digits.div_ceil(4);
    let residue_words = 4 * vectors;
    Some(Dimensions {
        name,
        limbs: bits.div_ceil(64),
        residue_words,
        // A piece for every group of four digits. The last split is a matrix, with a row for every digit.
        max_split: vectors + 1,
        longest: (digits + 1) * residue_words,
        // The columns, the digits of the low columns, and a doubled factor.
        scratch_words: 4 * (2 * vectors + 1) + 2 * residue_words,
        lanes: Some(4),
        radix_bits: 50 * digits,
        spare: 0,
    })
}

/// The number of digits D for a modulus N of `bits` bits: D·2^(50·D)·N ≤ 2^(50·D + 50·D − 54), even with
/// redundant digits.
pub(crate) fn digits_of_50_bits(bits: usize) -> usize {
    let mut digits = 2usize;
    while 50 * digits < bits + 55 + digits.ilog2() as usize {
        digits += 2;
    }
    digits
}

/// How digits of 52 bits are laid out: `blocks` strips of `digits` each, in four or eight lanes; or in order,
/// if there are too many digits for strips.
#[derive(Clone, Copy)]
pub(crate) struct Strips {
    pub(crate) blocks: usize,
    pub(crate) digits: usize,
    /// The number of digits by which a product reduces: all, or as many as residues have.
    pub(crate) reduced: usize,
}

impl Strips {
    /// The layout for a modulus that needs this many digits.
    pub(crate) fn of(needed: usize) -> Self {
        // Four lanes, as long as eight lanes would leave half of each vector unused.
        let (in_four, in_eight) = (needed.div_ceil(4), needed.div_ceil(8));
        let (blocks, digits) = match in_eight {
            _ if in_four <= 5 => (4, in_four),
            ..=10 => (8, in_eight),
            _ => (in_eight, 8),
        };
        // For 1536 and 3072 bits the highest digits are 0.
        let reduced = match needed {
            25..=30 => 30,
            57..=60 => 60,
            _ => blocks * digits,
        };
        Self { blocks, digits, reduced }
    }

    /// The same layout with [`SPARE`] bits in each strip, for a modulus of this many bits. No table contains
    /// such residues, so `reduced` is as small as it can be where that is faster: 1088 and 2112 bits are
    /// those of the checked powers of RSA-2048 and RSA-4096.
    pub(crate) fn with_spare_bits(bits: usize) -> Option<Self> {
        let strips = Self::of(digits_of_52_bits(bits));
        let shorter = match strips.reduced {
            24 => 22,
            48 => 43,
            reduced => reduced,
        };
        // In longer strips, carries take too little of the time.
        let has_room = |strips: &Self| {
            strips.digits <= 8 && !strips.are_in_order() && strips.radix_bits(SPARE) >= bits + 8
        };
        [shorter, strips.reduced].map(|reduced| Self { reduced, ..strips }).into_iter().find(has_room)
    }

    /// The exponent of two in the Montgomery factor, if the highest digit of each strip has `spare` bits less
    /// than the others.
    pub(crate) fn radix_bits(&self, spare: usize) -> usize {
        52 * self.reduced - spare * self.blocks
    }

    /// Whether the strips are too long for the registers.
    pub(crate) fn are_in_order(&self) -> bool {
        self.blocks > 8
    }
}

/// The number of digits of 52 bits in a residue modulo a number of `bits` bits. Residues are below a multiple
/// of the modulus.
pub(crate) fn digits_of_52_bits(bits: usize) -> usize {
    (bits + 8).div_ceil(52)
}

/// The sizes for digits of 52 bits, with room for multiples of the modulus.
pub(crate) fn of_52_bits(name: &'static str, bits: usize) -> Option<Dimensions> {
    let needed = digits_of_52_bits(bits);
    // Otherwise a sum of four parts for each digit could overflow 64 bits.
    if needed > 1000 {
        return None;
    }
    let strips = Strips::of(needed);
    let residue_words = strips.blocks * strips.digits;
    let product = if strips.are_in_order() { 9 * residue_words + 120 } else { 2 * residue_words };
    // With eight pieces, only one of eight blocks is reduced, and more pieces do not shorten that. With more
    // blocks, every eighth is: a product by more pieces would exceed the bound.
    let max_split = strips.blocks.min(8);
    Some(Dimensions {
        name,
        limbs: bits.div_ceil(64),
        residue_words,
        max_split,
        longest: max_split * residue_words,
        // For a product and a residue.
        scratch_words: product + residue_words,
        lanes: Some(8),
        radix_bits: strips.radix_bits(0),
        spare: 0,
    })
}

/// The bits that the highest digit of a strip has less than the others, in residues of powers.
pub(crate) const SPARE: usize = 2;

/// The sizes of the same residues with spare bits in each strip, without lanes and prepared operands; None if
/// there is no room for these bits.
pub(crate) fn of_52_bits_with_spare(name: &'static str, bits: usize) -> Option<Dimensions> {
    let dimensions = of_52_bits(name, bits)?;
    let strips = Strips::with_spare_bits(bits)?;
    Some(Dimensions {
        max_split: 1,
        longest: dimensions.residue_words,
        lanes: None,
        radix_bits: strips.radix_bits(SPARE),
        spare: SPARE,
        ..dimensions
    })
}
