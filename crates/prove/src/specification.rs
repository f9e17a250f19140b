//! What each operation has to do: the contract of the kernels (`moduli-kernel/src/contract.rs`), in formulas.
//!
//! N is the modulus, odd and above 1, of n words of 64 bits: N < B = 2^(64·n). X, Y and V are numbers of n words, little-endian.
//! R = 2^(64·n) is the Montgomery factor of the kernels of 64-bit words. Of what a kernel keeps of its modulus it is assumed:
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
//! Of `mul_prepared` with m pieces X_i are the parts of X, of c words each but for the last, X = Σ X_i·2^(64·c·i), where c is n/m
//! rounded up; Y_i are the pieces, and S = 2^(64·(c + 1)). With Y_i ≡ Y·2^(64·(c·i + c + 1 − n)), which is how a residue Y is
//! prepared, R·X' ≡ X·Y. So `prepare` makes them: there r is 2·n − c·m − 1.
//!
//! A long `mul_pair` takes k parts X_i of b words each from the lowest word of X on, and X_k, the rest, of t words. It makes A_j of A_0 = A:
//! A_(j+1) < N with 2^(64·b)·A_(j+1) ≡ A_j. What is proved of it is that, and of X, and of Y likewise: a sum S < 2·2^(64·t)·N with
//! S ≡ Σ X_i·A_(k−i) modulo N; of all but its lowest t words, which are below 2·N, what is congruent and below N, so that with these words
//! it is T < 2^(64·t)·N with T ≡ S; and X' < N with 2^(64·t)·X' ≡ T. As 2^(64·b·j)·A_j ≡ A, and X = Σ X_i·2^(64·b·i) and
//! R = 2^(64·(t + b·k)), R·X' ≡ X·A.
//!
//! `mul` takes more than residues as its first operand, as the contract of `load` wants it. With R·R^(−1) ≡ 1 modulo N,
//! R·X' ≡ V·E says X' ≡ V·R: `to_montgomery` gives the residue of V.
//!
//! What `reduce` does to longer numbers is in `specification/reduction.rs`, and what `invert` does, an inversion, and its parts `jump`,
//! `update_fg` and `update_de`, in `specification/inversion.rs`.
//!
//! Besides, all operations read and write nothing but their operands, the scratch space, the stack and the kernel, whose words
//! they leave as they are, and return with the stack and the registers that a caller relies on as they were; and no branch and no
//! address depends on an operand, on the modulus, or on what is made of it.

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
pub use formula::{Bound, ENTRIES, Formula, SIXTEEN, Specification};
pub use operation::Operation;

/// A specification, and the integers that it speaks of.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which.
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
    /// The second.
    pub second: Vec<Id>,
    /// The bit that all bits of the mask are, or the index, where there is one.
    pub mask: Option<Id>,
    /// The result. A digit of 52 bits may be 0 for all operands.
    pub result: Vec<Value>,
    /// Where numbers are digits of 52 bits.
    pub digits: Option<Digits>,
    /// Where they are digits of 50 bits, in doubles.
    pub doubles: Option<Doubles>,
    /// What the first operand is the result of, where an operation has two parts.
    pub before: Option<Box<Statement>>,
}

impl Statement {
    /// Of no operands: what is said of integers is said elsewhere.
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

    /// Bits of R, or of what is in its place; 0 where nothing is reduced.
    pub fn factor_bits(&self) -> usize {
        match (self.specification, &self.digits) {
            (Specification { is_reduced: false, .. }, _) => 0,
            (_, Some(digits)) => DIGIT as usize * digits.reduced,
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

    /// Both operands as an exchange leaves them in a case; None if the case does not say what the mask is.
    pub fn exchanged(&self, case: &[(Id, bool)]) -> Option<[&[Id]; 2]> {
        let (_, is_done) = case.iter().find(|(id, _)| Some(*id) == self.mask)?;
        Some(if *is_done { [&self.second, &self.first] } else { [&self.first, &self.second] })
    }

    /// The multiple of N that the result is below.
    pub fn limit(&self) -> BigInt {
        let longer = self.result.len().saturating_sub(self.modulus.len() + 1);
        match self.specification.formula {
            Formula::Blocks { .. } => BigInt::from(2) << (64 * longer),
            Formula::Estimated(_) => 3.into(),
            Formula::Once(times) => times.saturating_sub(1).into(),
            _ => 1.into(),
        }
    }

    /// The numbers whose products the formula adds up, both of each.
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

    /// Whether sums are of digits in doubles: these are modulo Q.
    pub fn is_sum_of_doubles(&self) -> bool {
        self.doubles.is_some() && matches!(self.specification.formula, Formula::Sum | Formula::Difference)
    }

    /// Whether the result is a residue in doubles, or what comes before it is divided, or the sum of products of rows.
    pub fn is_reduced_in_doubles(&self) -> bool {
        use doubles::Part::{Correction, Reduced, Whole};
        let is_made = |part| matches!(part, Whole | Reduced | Correction);
        self.doubles.as_ref().is_some_and(|doubles| is_made(doubles.part)) && !self.is_sum_of_doubles()
    }

    /// What both operands can be at most, of digits.
    pub fn highest_operands(&self, digits: &Digits) -> [BigInt; 2] {
        let n = digits.highest_modulus();
        match self.specification.formula {
            // A number of words, and E.
            Formula::Product if self.first_bits != DIGIT => [n.clone(), n],
            Formula::Product if !digits.are_residues => [digits.factor() - 1, digits.factor() - 1],
            // Each piece is below N.
            Formula::Pieces(_) => [&n * RESIDUE - 1, n],
            // Words of as many bits as the modulus has; E.
            Formula::Copy | Formula::Raised(_) => [n.clone(), n],
            _ => [&n * RESIDUE - 1, &n * RESIDUE - 1],
        }
    }

    /// What the product of both operands is below, of digits: multiples of N, of which one holds.
    pub fn products(&self, digits: &Digits) -> Vec<BigInt> {
        // Below 144·N², and N is at most this.
        let residues = digits.highest_modulus() * (RESIDUE * RESIDUE);
        match self.specification.formula {
            Formula::Product if self.first_bits != DIGIT => vec![digits.highest_modulus() + 1],
            Formula::Product if !digits.are_residues => vec![residues, digits.factor()],
            // Each part of the first is below R, and each piece below N.
            Formula::Pieces(_) => vec![digits.factor() * self.factors().len()],
            // Times one.
            Formula::First => vec![RESIDUE.into()],
            // A power of two times what is below N.
            Formula::Raised(digit) => vec![BigInt::from(1) << (DIGIT as usize * digit)],
            _ => vec![residues],
        }
    }
}
