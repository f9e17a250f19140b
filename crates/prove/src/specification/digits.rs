//! The specification of `ifma52`: numbers consist of digits of 52 bits, and residues are below a multiple of
//! the modulus.
//!
//! N is the modulus, odd and above 1, of at most b bits: N < 2^b. A residue has G·K digits, in G strips of K.
//! R = 2^(52·r) is the Montgomery factor, R ≥ 2^(b + 8), and r ≤ G·K. X and Y are residues; V is a number of
//! words of 64 bits. The constants that the kernel keeps for its modulus consist of digits of 52 bits. The
//! other assumptions about them are:
//!
//! - H = `high` and S = `step` are N at most, with 2^(52·K)·H ≡ 1 and 2^52·S ≡ 1 modulo N;
//! - `negative inverse`·N ≡ −1 modulo 2^52;
//! - E = `one entered` is below N, and E ≡ R² modulo N;
//! - `bound` is 12·N, `modulus digits` is N;
//! - `reciprocal` is ⌈2^64/d⌉, with d = ⌊N/2^B⌋ for B = b − 32, or 0 if that is negative.
//!
//! | operation         | before                                 | afterwards                    |
//! | ----------------- | -------------------------------------- | ----------------------------- |
//! | `mul`             | X < 12·N and Y < 12·N; or X < R, Y < N | X' < 4·N, R·X' ≡ X·Y modulo N |
//! | `square`          | X < 12·N                               | X' < 4·N, R·X' ≡ X² modulo N  |
//! | `add`             | X < 12·N, Y < 12·N                     | X' < 12·N, X' ≡ X + Y modulo 12·N |
//! | `sub`             | X < 12·N, Y < 12·N                     | X' < 12·N, X' ≡ X − Y modulo 12·N |
//! | `to_montgomery`   | V < 2^b                                | X' < 4·N, R·X' ≡ V·E modulo N |
//! | `from_montgomery` | X < 12·N, N ≥ 2^(b − 1)                | V' < N, R·V' ≡ X modulo N     |
//! | `load`            | V < 2^b                                | X' = V                        |
//! | `store`           | X < 12·N, N ≥ 2^(b − 1)                | V' < N, V' ≡ X modulo N       |
//!
//! `mul_prepared/s` takes Y in s pieces below N. With B = ⌈G/s⌉ and R' = 2^(52·K·B), X is cut into pieces X_p
//! < R', lowest first. For X < 12·N, X' < 12·N and R'·X' ≡ Σ X_p·Y_p modulo N.
//!
//! `prepare/s` makes pieces of X < 12·N, for N ≥ 2^(b − 1): Y_p < N, R·Y_0 ≡ R'·X and Y_(p+1) ≡ R'·Y_p modulo
//! N. So the product by them satisfies R·X' ≡ X·Y. Each part is shown separately, for any residue that the
//! part before may leave: Z with R·Z ≡ X, which becomes V < N with V ≡ Z; W with R·W ≡ R'·E, that is W ≡
//! R'·R; U with R·U ≡ V·W, which becomes Y_0 < N; and for each further piece U with R·U ≡ Y_p·W, which
//! becomes Y_(p+1) < N.
//!
//! Residues of more than 80 digits have them in order, eight in each strip: K is 8, and S is not used. There
//! `negative inverse` has K digits, with `negative inverse`·N ≡ −1 modulo 2^(52·K). `mul` is only for X <
//! 12·N and Y < 12·N.
//!
//! `mul_two` and `square_two` do for two pairs of operands and two moduli of one length what `mul` and
//! `square` do for one.
//!
//! `mul_rows` and `square_rows` do the same for eight pairs of residues and one modulus. There K is 1 or 10,
//! and S belongs to five digits, so that s is 5. If K is 10, `negative inverse` has ten digits and is an
//! inverse modulo 2^520; the lowest 52 bits of words of X, Y and X' are digits; and words of digits that are
//! 0 for all residues are 0.
//!
//! `square_and_select` does what `square_rows` does, twice, and for each lane what `select_rows` does.
//!
//! `put` and `take` move the words of a residue into a lane of a row, digit by digit, and back, and do
//! nothing else. Of each word of a row the lowest 52 bits are taken. If a row has fewer digits than a
//! residue, the highest digits are 0 and are left out. If it has more, the others become 0. `look_up_rows`
//! does for each lane of each row what `put` does with the residue at the lane's own index, and makes the
//! lane 0 if the index is past the last. `select_rows` does for each lane what `select` does, for any words.
//!
//! The strips of `ifma52-powers` have two spare bits: the highest digit of a strip has the weight of 50 bits,
//! so digit i has the weight 2^(52·i − 2·⌊i/K⌋), and R = 2^(52·r − 2·G). Of residues this digit is below
//! 2^50 + 2^10, of constants below 2^50; `bound` and `modulus digits` have no spare bits. There
//! 2^(52·K − 2)·H ≡ 1 modulo N, and `mul` and `square` have results X' < 12·N.
//!
//! X' has digits of 52 bits in all operations. A number of as many bits as the modulus, as `load` stores it,
//! may be used as X. `from_montgomery` is shown in two parts: a product by one leaves Z < 4·N with R·Z ≡ X;
//! and from any Z < 12·N the rest makes V' as `store` does.

use num_bigint::BigInt;

use crate::system::{Id, Value};

/// Bits of a digit.
pub const DIGIT: u32 = 52;

/// The multiples of N that bound residues, and products.
pub const RESIDUE: u32 = 12;
/// What the highest digit of a strip with spare bits may exceed its other bits by.
pub const CARRIED: u64 = 1 << 10;

/// See [`RESIDUE`].
pub const PRODUCT: u32 = 4;

/// A constant that a quotient is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Multiple {
    /// 2^(52·K)·H − 1.
    High,
    /// 2^(52·s)·S − 1, where s is 1, and 5 in rows.
    Step,
    /// N.
    Modulus,
}

/// The further data of a statement about digits.
#[derive(Clone, Debug)]
pub struct Digits {
    /// b.
    pub bits: usize,
    /// K: digits of a strip.
    pub block: usize,
    /// r; for a product by pieces, K·B.
    pub reduced: usize,
    /// H, lowest digit first, as far as it can be other than 0.
    pub high: Vec<Id>,
    /// S, or nothing if the operation does not use it.
    pub step: Vec<Id>,
    /// s.
    pub short: usize,
    /// If products are reduced by K digits: −1/N modulo 2^(52·K), in K digits; else nothing.
    pub inverse: Vec<Id>,
    /// Whether both operands of a product are residues. If not, one may be any number below R, and the other
    /// any below N.
    pub are_residues: bool,
    /// G·K.
    pub places: usize,
    /// The bits that the highest digit of a strip has less than the others.
    pub spare: usize,
    /// Whether the first operand and the result are in order, without spare bits.
    pub are_in_order: [bool; 2],
    /// Whether the operands of a product are a number of as many bits as the modulus and a number below N.
    pub is_entered: bool,
    /// The reciprocal, if the operation may use it.
    pub reciprocal: Id,
    /// For rows that are processed by K digits: the words of the result for the digits that no residue has,
    /// which are 0. The highest word is used as a digit.
    pub empty: Vec<Value>,
}

impl Digits {
    /// The highest modulus.
    pub fn highest_modulus(&self) -> BigInt {
        (BigInt::from(1) << self.bits) - 1
    }

    /// The lowest bit that is used to estimate a quotient, the digit that it is in, and its place there.
    pub fn estimated(&self) -> (usize, usize, usize) {
        let lowest = self.bits.saturating_sub(32);
        let digit = (lowest / DIGIT as usize).min(self.places - 2);
        (lowest, digit, lowest - DIGIT as usize * digit)
    }

    /// The least and the greatest value of the bits of a modulus that are used.
    pub fn seen_of_modulus(&self) -> [BigInt; 2] {
        let bits = self.bits - self.estimated().0;
        [BigInt::from(1) << (bits - 1), (BigInt::from(1) << bits) - 1]
    }

    /// Bits of R.
    pub fn factor_bits(&self) -> usize {
        DIGIT as usize * self.reduced - self.spare * self.places / self.block
    }

    /// R.
    pub fn factor(&self) -> BigInt {
        BigInt::from(1) << self.factor_bits()
    }

    /// Bits of a strip.
    pub fn strip_bits(&self) -> usize {
        DIGIT as usize * self.block - self.spare
    }

    /// The place of a digit in a number in strips: the weight of its lowest bit.
    pub fn place(&self, digit: usize) -> usize {
        DIGIT as usize * digit - self.spare * (digit / self.block)
    }

    /// The highest value of a digit of a number in strips. In residues, the spare bits hold what is carried
    /// into the highest digit of a strip.
    pub fn highest(&self, digit: usize, is_residue: bool) -> u64 {
        let is_last = digit % self.block + 1 == self.block && self.spare > 0;
        let digit = (1 << DIGIT) - 1;
        if is_last { (digit >> self.spare) + if is_residue { CARRIED } else { 0 } } else { digit }
    }
}
