//! What each operation of `ifma52` has to do: numbers are digits of 52 bits, and residues are below a multiple of the modulus.
//!
//! N is the modulus, odd and above 1, of b bits at most: N < 2^b. A residue has G·K digits, in G strips of K. R = 2^(52·r) is the
//! Montgomery factor, R ≥ 2^(b + 8); r is G·K or less. X and Y are residues; V is a number of words of 64 bits.
//! Of what the kernel keeps of its modulus it is assumed, besides that all are digits of 52 bits:
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
//! `mul_prepared/s` takes Y in s pieces below N. With B = ⌈G/s⌉ and R' = 2^(52·K·B) X is cut into pieces X_p < R', lowest first, and
//! X' < 12·N, R'·X' ≡ Σ X_p·Y_p modulo N, for X < 12·N.
//!
//! `prepare/s` makes pieces of X < 12·N, for N ≥ 2^(b − 1): Y_p < N, R·Y_0 ≡ R'·X and Y_(p+1) ≡ R'·Y_p modulo N. So the product by them has
//! R·X' ≡ X·Y. Each of its parts is shown by itself, the next one for whatever residue the one before leaves: Z with R·Z ≡ X, which becomes
//! V < N with V ≡ Z; W with R·W ≡ R'·E, which is W ≡ R'·R; U with R·U ≡ V·W, which becomes Y_0 < N; and for each further piece U with
//! R·U ≡ Y_p·W, which becomes Y_(p+1) < N.
//!
//! Residues of more than 80 digits stand in order, eight of them in a strip: K is 8, and S is not used. There `negative inverse` has K digits,
//! `negative inverse`·N ≡ −1 modulo 2^(52·K); H, N and that stand in eight copies each, shifted by 0 to 7 digits, with 0 around them; and `mul`
//! is for X < 12·N and Y < 12·N alone.
//!
//! `mul_two` and `square_two` do to two pairs of operands and two moduli of one length what `mul` and `square` do to one.
//!
//! `mul_rows` and `square_rows` do that to eight pairs of residues and one modulus. There K is 1 or 10, and S is for five digits: s is 5. If K
//! is 10, `negative inverse` is of ten digits, and that modulo 2^520; of words of X, Y and X' the lowest 52 bits are digits, and words of digits
//! that are 0 for all residues are 0.
//!
//! `square_and_select` does `square_rows` twice, and to each lane what `select_rows` does.
//!
//! `put` and `take` move the words of a residue into a lane of a row, digit by digit, and back, and nothing else: of each word of a row the
//! lowest 52 bits are taken. Where a row has fewer digits than a residue, the highest are 0 and are left out; where it has more, these
//! come to be 0. `look_up_rows` does to each lane of each row what `put` of the residue at its own index does, and makes it 0 if the index is
//! past the last. `select_rows` does to each lane what `select` does, for any words.
//!
//! X' has digits of 52 bits in all operations. As `load` makes it, a number of as many bits as the modulus has serves as X.
//! `from_montgomery` is shown in two parts: a product by one leaves Z < 4·N with R·Z ≡ X, and of any Z < 12·N the rest makes V' as
//! `store` does.

use num_bigint::BigInt;

use crate::system::{Id, Value};

/// Bits of a digit.
pub const DIGIT: u32 = 52;

/// The multiple of N that residues are below, and that which products are below.
pub const RESIDUE: u32 = 12;
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

/// What a statement about digits speaks of besides.
#[derive(Clone, Debug)]
pub struct Digits {
    /// b.
    pub bits: usize,
    /// K: digits of a strip.
    pub block: usize,
    /// r; of a product by pieces K·B.
    pub reduced: usize,
    /// H, lowest digit first, as far as it can be other than 0.
    pub high: Vec<Id>,
    /// S, or nothing where the operation has none.
    pub step: Vec<Id>,
    /// s.
    pub short: usize,
    /// Where products go by K digits, −1/N modulo 2^(52·K), in as many digits; else nothing.
    pub inverse: Vec<Id>,
    /// Whether both operands of a product are residues; else one may be any number below R, and the other below N.
    pub are_residues: bool,
    /// G·K.
    pub places: usize,
    /// The reciprocal, where the operation may use it.
    pub reciprocal: Id,
    /// Of rows that go by K digits, the words of the result that have the digits that no residue has: they are 0. The highest is taken as it is
    /// for a digit.
    pub empty: Vec<Value>,
}

impl Digits {
    /// The highest modulus.
    pub fn highest_modulus(&self) -> BigInt {
        (BigInt::from(1) << self.bits) - 1
    }

    /// The lowest bit that a quotient is estimated by, the digit that it is in, and its place there.
    pub fn estimated(&self) -> (usize, usize, usize) {
        let lowest = self.bits.saturating_sub(32);
        let digit = (lowest / DIGIT as usize).min(self.places - 2);
        (lowest, digit, lowest - DIGIT as usize * digit)
    }

    /// The least that is seen of a modulus, and the most.
    pub fn seen_of_modulus(&self) -> [BigInt; 2] {
        let bits = self.bits - self.estimated().0;
        [BigInt::from(1) << (bits - 1), (BigInt::from(1) << bits) - 1]
    }

    /// R.
    pub fn factor(&self) -> BigInt {
        BigInt::from(1) << (DIGIT as usize * self.reduced)
    }
}
