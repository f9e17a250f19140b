//! What each operation has to do: the contract of the kernels (`moduli-kernel/src/contract.rs`), in formulas.
//!
//! N is the modulus, odd and above 1, of n words of 64 bits: N < B = 2^(64·n). X, Y and V are numbers of n
//! words, little-endian. R = 2^(64·n) is the Montgomery factor of the kernels on 64-bit words. The
//! assumptions about the constants that a kernel keeps for its modulus are:
//!
//! - `inverse`·N ≡ −1 modulo 2^64;
//! - E = `one entered` is below N, and E ≡ R² modulo N.
//!
//! | operation         | before               | afterwards                              |
//! | ----------------- | -------------------- | --------------------------------------- |
//! | `mul`             | X < B, Y < N         | X' < N, R·X' ≡ X·Y modulo N             |
//! | `square`          | X < N                | X' < N, R·X' ≡ X² modulo N              |
//! | `add`             | X < N, Y < N         | X' < N, X' ≡ X + Y modulo N             |
//! | `sub`             | X < N, Y < N         | X' < N, X' ≡ X − Y modulo N             |
//! | `to_montgomery`   | V < B                | X' < N, R·X' ≡ V·E modulo N             |
//! | `from_montgomery` | X < N                | V' < N, R·V' ≡ X modulo N               |
//! | `load`            | V < B                | X' = V                                  |
//! | `store`           | X < B                | V' = X                                  |
//! | `swap`            | X < B, Y < B         | X', Y' = Y, X if the mask is all ones   |
//! |                   |                      | X', Y' = X, Y if it is zero             |
//! | `replace`         | X_i < B, Y < B       | X'_i = Y if i is the index, else X_i    |
//! | `select`          | X < B, Y_i < B       | X' = X if the index is 0, Y_(i−1) if it |
//! |                   |                      | is i, and 0 if it is past the row       |
//! | `mul_pair`        | X < B, Y < B, A < N  | X' < N, Y' < N, R·X' ≡ X·A and          |
//! |                   |                      | R·Y' ≡ Y·A modulo N                     |
//! | `mul_prepared`    | X < B, each Y_i < N  | X' < N, S·X' ≡ Σ X_i·Y_i modulo N       |
//! | `prepare`         | Y < B                | X'_i < N, 2^(64·c)·X'_i ≡ X'_(i+1) and  |
//! |                   |                      | 2^(64·r)·R·X'_(m−1) ≡ Y·E modulo N      |
//!
//! For `mul_prepared` with m pieces, X_i are the parts of X, X = Σ X_i·2^(64·c·i). Each has c words except
//! the last, where c is n/m rounded up. Y_i are the pieces, and S = 2^(64·(c + 1)). A residue Y is prepared
//! as Y_i ≡ Y·2^(64·(c·i + c + 1 − n)), so R·X' ≡ X·Y. `prepare` makes these pieces, with r = 2·n − c·m − 1.
//!
//! A long `mul_pair` takes k parts X_i of b words each from the lowest word of X on, and the rest X_k of t
//! words. From A_0 = A it makes A_j: A_(j+1) < N with 2^(64·b)·A_(j+1) ≡ A_j. The proof shows this, and for X
//! (and for Y likewise): a sum S < 2·2^(64·t)·N with S ≡ Σ X_i·A_(k−i) modulo N; for the number that all but
//! the lowest t words of S form, which is below 2·N, a congruent number below N, so that with the lowest t
//! words it is T < 2^(64·t)·N with T ≡ S; and X' < N with 2^(64·t)·X' ≡ T. As 2^(64·b·j)·A_j ≡ A, X = Σ
//! X_i·2^(64·b·i) and R = 2^(64·(t + b·k)), it follows that R·X' ≡ X·A.
//!
//! The first operand of `mul` may be more than a residue, as the contract of `load` requires. With R·R^(−1) ≡
//! 1 modulo N, R·X' ≡ V·E says X' ≡ V·R: so `to_montgomery` gives the residue of V.
//!
//! `specification/reduction.rs` says what `reduce` does to longer numbers. `specification/inversion.rs` says
//! what `invert`, an inversion, does, and its parts `jump`, `update_fg` and `update_de`.
//!
//! Besides, all operations read and write only their operands, the scratch space, the stack and the kernel,
//! whose words they leave unchanged. They return with the stack and the registers that a caller relies on
//! unchanged. No branch and no address depends on an operand, on the modulus, or on anything that is computed
//! from them.

pub mod digits;
pub mod doubles;
mod formula;
pub mod inversion;
mod operation;
pub mod reduction;

use num_bigint::BigInt;

use self::{
    digits::{DIGIT, Digits, RESIDUE},
    doubles::Doubles,
};
use super::system::{Id, Value};
pub use formula::{Bound, ENTRIES, Formula, Specification, TWICE_SIXTEEN};
pub use operation::Operation;

/// A specification, and the integers that it is about.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The specification.
    pub specification: Specification,
    /// N, lowest word first.
    pub modulus: Vec<Id>,
    /// The inverse, where the operation may use it.
    pub inverse: Id,
    /// The first operand.
    pub first: Vec<Id>,
    /// Bits of a digit of the first operand, and of the result.
    pub first_bits: u32,
    /// See above.
    pub result_bits: u32,
    /// The second operand.
    pub second: Vec<Id>,
    /// The bit to which all bits of the mask are equal, or the index, if there is one.
    pub mask: Option<Id>,
    /// The result. A digit of 52 bits may be 0 for all operands.
    pub result: Vec<Value>,
    /// The data for digits of 52 bits, if numbers have these.
    pub digits: Option<Digits>,
    /// The data for digits of 50 bits in doubles, if numbers have these.
    pub doubles: Option<Doubles>,
    /// If the operation has several parts: the statement whose result is the first operand.
    pub before: Option<Box<Statement>>,
}

impl Statement {
    /// A statement without operands, for checks of integers alone.
    pub const NONE: Self = Self {
        specification: Specification::WHOLE,
        modulus: Vec::new(),
        inverse: 0,
        first: Vec::new(),
        first_bits: 64,
        result_bits: 64,
        second: Vec::new(),
        mask: None,
        result: Vec::new(),
        digits: None,
        doubles: None,
        before: None,
    };

    /// Bits of a digit of the modulus and of the second operand.
    pub fn digit_bits(&self) -> u32 {
        match (&self.digits, &self.doubles) {
            (Some(_), _) => DIGIT,
            (None, Some(_)) => doubles::DIGIT,
            (None, None) => 64,
        }
    }

    /// The place of a digit of a number with digits of so many bits: words, digits, or digits in strips.
    fn place(&self, digit: usize, bits: u32, is_in_strips: bool) -> usize {
        match &self.digits {
            Some(digits) if is_in_strips && bits == DIGIT => digits.place(digit),
            _ => bits as usize * digit,
        }
    }

    /// Whether the first operand and the result consist of digits in strips.
    fn are_in_strips(&self) -> [bool; 2] {
        self.digits.as_ref().map_or([false; 2], |digits| digits.are_in_order.map(|is_in_order| !is_in_order))
    }

    /// The place of a digit of the first operand.
    pub fn place_of_first(&self, digit: usize) -> usize {
        self.place(digit, self.first_bits, self.are_in_strips()[0])
    }

    /// The place of a digit of the second operand.
    pub fn place_of_second(&self, digit: usize) -> usize {
        self.place(digit, self.digit_bits(), true)
    }

    /// The place of a digit of the result.
    pub fn place_of_result(&self, digit: usize) -> usize {
        self.place(digit, self.result_bits, self.are_in_strips()[1])
    }

    /// The place of a digit of the modulus, which is in strips only for products.
    pub fn place_of_modulus(&self, digit: usize) -> usize {
        self.place(digit, self.digit_bits(), self.is_modulus_in_strips())
    }

    /// Whether the modulus is laid out as a residue, and not as a number of digits in order.
    pub fn is_modulus_in_strips(&self) -> bool {
        !matches!(self.specification.formula, Formula::Sum | Formula::Difference | Formula::Remainder)
    }

    /// Bits of R, or of what replaces it; 0 if nothing is reduced.
    pub fn factor_bits(&self) -> usize {
        match (self.specification, &self.digits) {
            (Specification { is_reduced: false, .. }, _) => 0,
            (_, Some(digits)) => digits.factor_bits(),
            (Specification { formula: Formula::Pieces(part), .. }, None) => 64 * (part + 1),
            (Specification { formula: Formula::Shifted(words), .. }, None) => {
                self.digit_bits() as usize * words
            }
            (Specification { formula: Formula::Long, .. }, None) => {
                64 * self.first.len().saturating_sub(self.modulus.len())
            }
            (_, None) => 64 * self.modulus.len(),
        }
    }

    /// Both operands after an exchange, in a case; None if the case does not determine the mask.
    pub fn exchanged(&self, case: &[(Id, bool)]) -> Option<[&[Id]; 2]> {
        let (_, is_done) = case.iter().find(|(id, _)| Some(*id) == self.mask)?;
        Some(if *is_done { [&self.second, &self.first] } else { [&self.first, &self.second] })
    }

    /// The multiple of N that bounds the result from above.
    pub fn limit(&self) -> BigInt {
        let longer = self.result.len().saturating_sub(self.modulus.len() + 1);
        match self.specification.formula {
            Formula::Blocks { .. } => BigInt::from(2) << (64 * longer),
            Formula::Estimated(_) => 3.into(),
            Formula::Once(times) => times.saturating_sub(1).into(),
            _ => 1.into(),
        }
    }

    /// The pairs of numbers whose products the formula adds up.
    pub fn factors(&self) -> Vec<(&[Id], &[Id])> {
        match self.specification.formula {
            Formula::Product | Formula::Whole => vec![(&self.first, &self.second)],
            Formula::Square => vec![(&self.first, &self.first)],
            Formula::Pieces(part) => {
                let pieces = self.second.chunks(self.modulus.len().max(1));
                self.first.chunks(part.max(1)).zip(pieces).collect()
            }
            Formula::Blocks { part, parts } => {
                let (blocks, rest) = self.first.split_at(self.first.len().min(part * parts));
                let pieces = self.second.chunks(self.modulus.len().max(1));
                blocks.chunks(part.max(1)).chain([rest]).zip(pieces).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the operation is a sum of digits in doubles, which is taken modulo Q.
    pub fn is_sum_of_doubles(&self) -> bool {
        self.doubles.is_some() && matches!(self.specification.formula, Formula::Sum | Formula::Difference)
    }

    /// Whether the result is a residue in doubles, or what precedes its division, or the sum of the products
    /// of rows.
    pub fn is_reduced_in_doubles(&self) -> bool {
        use doubles::Part::{Correction, Reduced, Whole};
        let is_made = |part| matches!(part, Whole | Reduced | Correction);
        self.doubles.as_ref().is_some_and(|doubles| is_made(doubles.part)) && !self.is_sum_of_doubles()
    }

    /// Whether the operands are a number of as many bits as the modulus and a number below N.
    fn is_entered(&self, digits: &Digits) -> bool {
        self.first_bits != DIGIT || digits.is_entered
    }

    /// The highest values of both operands, for digits.
    pub fn highest_operands(&self, digits: &Digits) -> [BigInt; 2] {
        let n = digits.highest_modulus();
        match self.specification.formula {
            // The operands are a number of words, and E.
            Formula::Product if self.is_entered(digits) => [n.clone(), n],
            Formula::Product if !digits.are_residues => [digits.factor() - 1, digits.factor() - 1],
            // Each piece is below N.
            Formula::Pieces(_) => [&n * RESIDUE - 1, n],
            Formula::Copy if digits.are_in_order[1] => [&n * RESIDUE - 1, n],
            // The operands are words of as many bits as the modulus has, and E.
            Formula::Copy | Formula::Raised(_) => [n.clone(), n],
            _ => [&n * RESIDUE - 1, &n * RESIDUE - 1],
        }
    }

    /// Multiples of N that bound the product of both operands, for digits. One of them holds.
    pub fn products(&self, digits: &Digits) -> Vec<BigInt> {
        // Below 144·N², and N is at most this.
        let residues = digits.highest_modulus() * (RESIDUE * RESIDUE);
        match self.specification.formula {
            Formula::Product if self.is_entered(digits) => vec![digits.highest_modulus() + 1],
            Formula::Product if !digits.are_residues => vec![residues, digits.factor()],
            // Each part of the first operand is below R, and each piece below N.
            Formula::Pieces(_) => vec![digits.factor() * self.factors().len()],
            // The first operand is multiplied by one.
            Formula::First => vec![RESIDUE.into()],
            // A power of two is multiplied by a number below N.
            Formula::Raised(digit) => vec![BigInt::from(1) << digits.place(digit)],
            _ => vec![residues],
        }
    }
}
