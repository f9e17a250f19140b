//! The specification of `fma50`: numbers consist of digits of 50 bits, each in a double.
//!
//! N is the modulus, odd and above 1, of b bits: 2^(b − 1) ≤ N < 2^b. A residue has D digits, each from 0 to
//! E = 2^50 + 2^14 − 1, and its number is below Q, the greatest multiple of N up to 2^(50·D − 2). R =
//! 2^(50·D). The assumptions about the constants that the kernel keeps for its modulus are:
//!
//! - row j of the matrix is a number r_j below N in digits of 50 bits, with R·r_j ≡ 2^(50·j) modulo N, for j
//!   from 0 to D − 1;
//! - K is a multiple of N in digits, the highest of which is 2^14 − 1;
//! - `P = Σ r_(2k)[i]·r_(2k+1)[i]·2^(50·i)` is a number of D digits;
//! - `limit` is Q;
//! - `one` is below N, and congruent to R;
//! - `reciprocal` is ⌊2^(62 + b)/N⌋;
//! - `one entered` is below N, and congruent to R²; `negative inverse`·N ≡ −1 modulo 2^50;
//! - what columns begin with is made of the digits of K, less those of P, and of biases.
//!
//! | operation         | before                  | afterwards                    |
//! | ----------------- | ----------------------- | ----------------------------- |
//! | `mul`             | X and Y are residues    | X' is one, R·X' ≡ X·Y modulo N |
//! | `square`          | X is a residue          | X' is one, R·X' ≡ X² modulo N |
//! | `add`             | X and Y are residues    | X' is one, X' ≡ X + Y modulo Q |
//! | `sub`             | X and Y are residues    | X' is one, X' ≡ X − Y modulo Q |
//! | `load`            | V < 2^b                 | X' is a residue, X' = V       |
//! | `store`           | X is a residue          | V' < N, V' ≡ X modulo N       |
//! | `from_montgomery` | X is a residue          | V' < N, R·V' ≡ X modulo N     |
//!
//! `mul_prepared/s` takes Y in s pieces below N. With c digits in a part, a multiple of 4, and R' = 2^(50·c),
//! X is cut into parts X_p, and X' is a residue with R'·X' ≡ Σ X_p·Y_p modulo N. P is then the sum for the
//! last c rows, and R'·r_j ≡ 2^(50·(j + c − D)).
//!
//! If s is one more than there are vectors, Y is prepared as a matrix of its own: D rows m_j below N, with
//! the sum of their products as above. Then X' is a residue with X' ≡ Σ x_j·m_j modulo N, for the digits x_j
//! of X.
//!
//! `prepare/s` makes pieces of a residue X: Y_p < N, R'·Y_p ≡ Y_(p+1) modulo N, and 2^(50·(h − c·s))·Y_(s−1)
//! ≡ V, for V < N with V ≡ X·2^(50·(h − D)), where h is D, or 2·D if c·s is above D. So the product by them
//! satisfies R·X' ≡ X·Y. V is made like a value that is converted back, with `one entered` for `one` if h is
//! 2·D. Each piece is made from any number below N.
//!
//! If s is one more than there are vectors, `prepare/s` makes a matrix from V: m_j < N, 2^50·m_(D−1) ≡ V,
//! 2^50·m_j ≡ m_(j+1), and for any such rows the digits below 2^50 of `Σ m_(2k)[i]·m_(2k+1)[i]·2^(50·i)`. As
//! V is congruent to the number of X, R·m_j ≡ X·2^(50·j). So the product by them satisfies R·X' ≡ X·Y as
//! well.
//!
//! `store` and `from_montgomery` are shown in three parts. The first one makes T in digits below 2^50, with 0
//! ≤ T < D·2^51·N, and R·T ≡ X·`one`, or R·T ≡ X, modulo N: T is a residue without K. From any such T the
//! second part makes V' < N, V' ≡ T modulo N, in digits. From any such digits the third part makes words.
//!
//! `mul_rows` and `square_rows` do for four pairs of residues side by side what `mul` and `square` do for
//! one.
//!
//! `put`, `take`, `look_up_rows` and `select_rows` move the words of residues of four lanes, whatever they
//! are. A row has the words of D digits, and the words above those are 0 in a residue.
//!
//! All this holds in every rounding mode: a rounding may go up or down, as long as the same rounding always
//! goes the same way.

use num_bigint::BigInt;

use crate::system::{Id, Value};

/// Bits of a digit.
pub const DIGIT: u32 = 50;

/// The highest digit of a residue.
pub const HIGHEST: i128 = (1 << DIGIT) + (1 << 14) - 1;

/// The highest digit of the multiple of N that is part of each result.
pub const TOP: i128 = (1 << 14) - 1;

/// Which part of an operation a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it: the result is a residue.
    Whole,
    /// The part before a division: the result is T.
    Reduced,
    /// The division: the first operand is T, the result V' in digits below 2^50.
    Divided,
    /// The conversion of these digits into words.
    Left,
    /// The division of a number below N by a power of 2^50: the first operand and the result have digits
    /// below 2^50.
    Shifted,
    /// The sum of the products of neighbouring rows of a new matrix: the pieces are the rows, and the result
    /// is their sum, in digits below 2^50.
    Correction,
}

/// The further data of a statement about digits in doubles.
#[derive(Clone, Debug)]
pub struct Doubles {
    /// The part of the operation.
    pub part: Part,
    /// b.
    pub bits: usize,
    /// D.
    pub digits: usize,
    /// The number of lowest columns that are reduced, by as many of the last rows: D, or fewer for a product
    /// by pieces.
    pub reduced: usize,
    /// Whether the matrix is an operand prepared as one, and not that of the reduction.
    pub is_matrix: bool,
    /// The pieces of a prepared operand, or the rows of a new matrix.
    pub pieces: Vec<Vec<Id>>,
    /// The rows of the matrix, lowest digit first, without digits that can only be 0.
    pub rows: Vec<Vec<Id>>,
    /// K.
    pub multiple: Vec<Value>,
    /// P.
    pub correction: Vec<Id>,
    /// The reciprocal.
    pub reciprocal: Id,
}

impl Doubles {
    /// The highest modulus.
    pub fn highest_modulus(&self) -> BigInt {
        (BigInt::from(1) << self.bits) - 1
    }

    /// The exponent, in digits, of the weight that a row replaces; None if the row is not used.
    pub fn place(&self, row: usize) -> Option<usize> {
        (row + self.reduced).checked_sub(self.digits)
    }

    /// The rows that are used.
    pub fn last_rows(&self) -> &[Vec<Id>] {
        let from = self.digits.saturating_sub(self.reduced);
        &self.rows[from.min(self.rows.len())..]
    }

    /// The factors of a product: one pair, or one for each piece.
    pub fn factors<'a>(&'a self, first: &'a [Id], second: &'a [Id]) -> Vec<(&'a [Id], &'a [Id])> {
        if self.pieces.is_empty() {
            return vec![(first, second)];
        }
        first.chunks(self.reduced).zip(self.pieces.iter().map(|piece| &piece[..])).collect()
    }

    /// The pairs of neighbouring rows of a new matrix.
    pub fn pairs_of_pieces(&self) -> impl Iterator<Item = (&[Id], &[Id])> {
        self.pieces.chunks_exact(2).map(|rows| (&rows[0][..], &rows[1][..]))
    }

    /// What T is below, in multiples of N.
    pub fn multiples(&self) -> BigInt {
        BigInt::from(self.digits) << 51
    }

    /// The highest that digit i of T can be.
    pub fn highest_of_reduced(&self, i: usize) -> BigInt {
        let most: BigInt = (self.multiples() * self.highest_modulus()) >> (DIGIT as usize * i);
        most.min(BigInt::from((1u64 << DIGIT) - 1))
    }

    /// The lowest bit that a quotient is estimated by, the digit that it is in, and its place there.
    pub fn estimated(&self) -> (usize, usize, usize) {
        let lowest = self.bits.saturating_sub(2);
        let digit = lowest / DIGIT as usize;
        (lowest, digit, lowest - DIGIT as usize * digit)
    }

    /// What Q is at most.
    pub fn limit(&self) -> BigInt {
        BigInt::from(1) << (DIGIT as usize * self.digits - 2)
    }

    /// The highest that word i of a number below N can be.
    pub fn highest_word(&self, i: usize) -> BigInt {
        let most: BigInt = self.highest_modulus() >> (64 * i);
        most.min(u64::MAX.into())
    }

    /// The highest that digit i of Q can be.
    pub fn highest_of_limit(&self, i: usize) -> BigInt {
        let most: BigInt = self.limit() >> (DIGIT as usize * i);
        most.min(BigInt::from((1u64 << DIGIT) - 1))
    }

    /// The highest that digit i of a residue can be.
    pub fn highest_digit(&self, i: usize) -> BigInt {
        let most: BigInt = (self.limit() - 1) >> (DIGIT as usize * i);
        most.min(HIGHEST.into())
    }

    /// The highest that digit i of a number below N can be.
    pub fn highest_below(&self, i: usize) -> BigInt {
        let most: BigInt = self.highest_modulus() >> (DIGIT as usize * i);
        most.min(BigInt::from((1u64 << DIGIT) - 1))
    }
}
