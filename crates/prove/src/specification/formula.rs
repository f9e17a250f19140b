//! Formulas for results, and bounds of operands.

/// The number of entries in a row.
pub const ENTRIES: usize = 3;

/// The residues besides the first one, in a look-up that reads twice sixteen at a time: as many, so that all
/// of its code counts.
pub const TWICE_SIXTEEN: usize = 31;

/// The bound of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Below B: any words.
    Words,
    /// Below N.
    BelowModulus,
}

/// What the result is congruent to, apart from R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The product of both operands.
    Product,
    /// The square of the first operand.
    Square,
    /// The first operand.
    First,
    /// The first operand, with an R of this many words.
    Shifted(usize),
    /// The first operand times the weight of this digit of 52 bits.
    Raised(usize),
    /// The sum of both operands.
    Sum,
    /// The first operand less the second.
    Difference,
    /// The first operand itself, not only modulo N.
    Copy,
    /// Two numbers: both operands, in their order if the mask is zero, else exchanged.
    Exchange,
    /// The entry with the index: the first operand for 0, a part of the second operand, as long as the first,
    /// for each index from 1 on, and zero past the last. Words above it are zeros.
    Entry,
    /// The words of the first operand, this many of the lowest bits of each. Words above them are zeros.
    Lowest(u32),
    /// The second operand if the index is this number, else the first.
    Place(u64),
    /// The sum of the products of the parts of the first operand, of this many words each, and the pieces of
    /// the second.
    Pieces(usize),
    /// The same for `parts` parts of `part` words each, and for the rest of the first operand, which has t
    /// words. The result has t + 1 words more than N, and is below 2·2^(64·t)·N.
    Blocks {
        /// Words of each part.
        part: usize,
        /// The number of parts, without the rest.
        parts: usize,
    },
    /// The first operand, which is below this many times N and one word longer than N. The result is below
    /// one time fewer.
    Once(u32),
    /// The first operand, which is longer than N by as many words as R has, and below R·N.
    Long,
    /// The first operand less a digit times N. It is below N, and at least −N.
    Remainder,
    /// The first operand less a word times N, for N of this many bits. It is below 3·N, and at least 0.
    Estimated(usize),
    /// The product of both operands itself, not only modulo N. Functions that kernels call compute it.
    Whole,
}

impl Formula {
    /// Whether the formula depends on an index.
    pub fn is_by_index(self) -> bool {
        matches!(self, Self::Entry | Self::Place(_))
    }

    /// Whether the formula holds modulo N only.
    pub fn is_modular(self) -> bool {
        !matches!(
            self,
            Self::Copy | Self::Entry | Self::Exchange | Self::Lowest(_) | Self::Place(_) | Self::Whole
        )
    }
}

/// A row of the table above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The bound of the first operand.
    pub first: Bound,
    /// The bound of the second operand, if there is one.
    pub second: Option<Bound>,
    /// What the result is congruent to, apart from R.
    pub formula: Formula,
    /// Whether R times the result is congruent to it.
    pub is_reduced: bool,
}

impl Specification {
    /// `t ← a·b` for any words a and b. The result has as many words as both together: see `karatsuba.rs` of
    /// the kernels. There is no modulus.
    pub const WHOLE: Self =
        Self { first: Bound::Words, second: Some(Bound::Words), formula: Formula::Whole, is_reduced: false };
}
