//! What a result is congruent to, and what is known of the operands.

/// Numbers in a row.
pub const ENTRIES: usize = 3;

/// Residues besides the first where rows look up sixteen at a time: so many, and one more.
pub const SIXTEEN: usize = 17;

/// What is known of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Below B: any words.
    Words,
    /// Below N.
    BelowModulus,
}

/// What the result is congruent to, but for R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The product of both operands.
    Product,
    /// The square of the first.
    Square,
    /// The first.
    First,
    /// The first, where R is so many words long instead.
    Shifted(usize),
    /// The first times the weight of this digit of 52 bits.
    Raised(usize),
    /// The sum of both.
    Sum,
    /// The first less the second.
    Difference,
    /// The first, and not only modulo N.
    Copy,
    /// Two numbers: both operands, the first one first where the mask is zero.
    Exchange,
    /// The first operand if the index is 0, the next part of the second one, as long, if it is 1, and so on, and zero beyond; above, zeros.
    Entry,
    /// The words of the first, of which so many of the lowest bits, and zeros above.
    Lowest(u32),
    /// The second operand if the index is this, else the first.
    Place(u64),
    /// The sum of the products of the parts of the first, of so many words each, and the pieces of the second.
    Pieces(usize),
    /// The same of so many parts of so many words each and of the rest of the first, which has t words. The result has t + 1 words more
    /// than N, and is below 2·2^(64·t)·N.
    Blocks {
        /// Words of each part.
        part: usize,
        /// How many there are, but for the rest.
        parts: usize,
    },
    /// The first, which is below so many times N, and has a word more. The result is below one time less.
    Once(u32),
    /// The first, which is as many words longer than N as R is, and below R·N.
    Long,
    /// The first less a digit times N, by which it comes to less than N but not to less than −N.
    Remainder,
    /// The first less a word times N, which has so many bits, by which it comes to less than 3·N but not to less than 0.
    Estimated(usize),
    /// The product of both operands, and not only modulo N: what a function does that kernels call.
    Whole,
}

impl Formula {
    /// Whether it is by an index.
    pub fn is_by_index(self) -> bool {
        matches!(self, Self::Entry | Self::Place(_))
    }

    /// Whether it holds modulo N alone.
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
    /// Of the first operand.
    pub first: Bound,
    /// Of the second, if there is one.
    pub second: Option<Bound>,
    /// What the result is congruent to, but for R.
    pub formula: Formula,
    /// Whether it is R times the result that is.
    pub is_reduced: bool,
}

impl Specification {
    /// `t ← a·b` for any words a and b, in as many words as both have: see `karatsuba.rs` of the kernels. There is no modulus.
    pub const WHOLE: Self =
        Self { first: Bound::Words, second: Some(Bound::Words), formula: Formula::Whole, is_reduced: false };
}
