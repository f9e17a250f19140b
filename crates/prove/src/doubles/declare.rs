//! Declares the operands and the constants of `fma50`.

use super::{Declared, Recording, small};
use crate::{
    failure::Result,
    lift::Declarations,
    specification::{
        Operation,
        doubles::{DIGIT, Doubles, TOP},
    },
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// The columns of a block of the matrix.
const BLOCK: usize = 16;

/// The bias that makes columns positive, and its carry.
const BIAS: i128 = 1 << 62;
const BIAS_CARRY: i128 = BIAS >> DIGIT;

/// The bits of 2^52.
const TWO_52: i128 = 0x433 << 52;

/// The place of digit i of row j of a matrix.
pub(super) fn place(words: usize, digits: usize, i: usize, j: usize) -> usize {
    let block = i / BLOCK * BLOCK;
    block * digits + j * (words - block).min(BLOCK) + i - block
}

fn ids(values: &[Value]) -> Vec<Id> {
    let id = |value: &Value| match value {
        Variable(id) => Some(*id),
        Constant(_) => None,
    };
    values.iter().filter_map(id).collect()
}

impl Recording {
    /// Declares digits in doubles.
    fn doubles(
        &self,
        declarations: &mut Declarations<'_>,
        name: &str,
        highest: impl Fn(usize) -> i128,
    ) -> Result<Vec<Value>> {
        let symbol = self.symbol(name)?;
        let mut values = Vec::new();
        for (i, &word) in symbol.words.iter().enumerate() {
            // There may be several numbers, one after the other or side by side.
            let is_row = self.lanes > 1 && ["x", "y"].contains(&name);
            let i_of_number = if is_row { i / self.lanes } else { i % self.words };
            let most = if i_of_number < self.digits { highest(i_of_number) } else { 0 };
            let value = declarations.integer(most, f64::from_bits(word) as i128)?;
            declarations.double(symbol.address + 8 * i as u64, word, value)?;
            values.push(value);
        }
        Ok(values)
    }

    /// Declares everything that is not a word of its own.
    pub(super) fn declare(&self, declarations: &mut Declarations<'_>, shape: &Doubles) -> Result<Declared> {
        let (digits, words) = (self.digits, self.words);
        let mut declared = Declared::default();
        let residue = |i| small(shape.highest_digit(i));
        let below = |i| small(shape.highest_below(i));
        let all = (1i128 << DIGIT) - 1;
        // The operand to be prepared is the second operand of the kernel's function.
        let first = if matches!(self.operation, Operation::Prepare(_)) { "y" } else { "x" };
        declared.first = ids(&self.doubles(declarations, first, residue)?);
        use Operation::{Add, Mul, MulPair, MulRows, Sub};
        if matches!(self.operation, Mul | MulPair | MulRows | Add | Sub) {
            declared.second = ids(&self.doubles(declarations, "y", residue)?);
        }
        let one = self.doubles(declarations, "one", residue)?;
        let is_raised = matches!(self.operation, Operation::Prepare(pieces) if self.is_raised(pieces));
        if self.operation == Operation::Store || matches!(self.operation, Operation::Prepare(_)) && !is_raised
        {
            declared.second = ids(&one);
        }
        let entered = self.doubles(declarations, "one entered", residue)?;
        if self.operation == Operation::ToMontgomery || is_raised {
            declared.second = ids(&entered);
        }
        if matches!(self.operation, Operation::MulPrepared(_)) && !shape.is_matrix {
            let pieces = self.doubles(declarations, "y", below)?;
            declared.pieces = pieces.chunks(words).map(ids).collect();
        }
        // The matrix is stored row by row, in blocks of columns.
        let matrix = self.symbol(if shape.is_matrix { "y" } else { "fold" })?;
        let mut rows = vec![vec![Constant(0); words]; digits];
        let mut numbers = vec![vec![0; words]; digits];
        for i in 0..words {
            for j in 0..digits {
                let at = place(words, digits, i, j);
                let most = if i < digits { below(i) } else { 0 };
                let word = matrix.words[at];
                numbers[j][i] = f64::from_bits(word) as i128;
                rows[j][i] = declarations.integer(most, numbers[j][i])?;
                declarations.double(matrix.address + 8 * at as u64, word, rows[j][i])?;
            }
        }
        declared.rows = rows.iter().map(|row| ids(row)).collect();
        // The multiple of N, and the sum of the products of neighbouring rows.
        let multiple = self.symbol("multiple")?;
        for (i, &word) in multiple.words.iter().enumerate() {
            let is_top = i + 1 == digits;
            let value = if is_top { Constant(TOP) } else { declarations.integer(all, word.into())? };
            declarations.word(multiple.address + 8 * i as u64, word, 0, &[(1, value)])?;
            declared.multiple.push(value);
        }
        let (mut correction, mut carry) = (Vec::new(), 0);
        for i in 0..digits {
            let products =
                numbers[digits - shape.reduced..].chunks_exact(2).map(|rows| rows[0][i] * rows[1][i]);
            carry += products.sum::<i128>();
            correction.push(declarations.integer(all, carry & all)?);
            carry >>= DIGIT;
        }
        // The correction follows the matrix, or is part of the start values of columns.
        if shape.is_matrix {
            for (i, &digit) in correction.iter().chain([&Constant(0); 2]).enumerate().take(words) {
                let at = words * digits + i;
                declarations.double(matrix.address + 8 * at as u64, matrix.words[at], digit)?;
            }
        }
        let offsets = self.symbol(if shape.is_matrix { "offsets" } else { "fold offsets" })?;
        let first = if shape.is_matrix { 0 } else { words * (shape.reduced.div_ceil(4) - 1) };
        for i in 0..words {
            let bias = match i {
                0 => BIAS,
                _ if i + 1 < digits => BIAS - BIAS_CARRY,
                _ if i + 1 == digits => -BIAS_CARRY,
                _ => 0,
            };
            let bias = if shape.is_matrix { bias + TWO_52 } else { bias };
            let terms = match (declared.multiple.get(i), correction.get(i)) {
                (Some(&multiple), Some(_)) if shape.is_matrix => vec![(1, multiple)],
                (Some(&multiple), Some(&correction)) => vec![(1, multiple), (-1, correction)],
                _ => Vec::new(),
            };
            let at = first + i;
            declarations.word(offsets.address + 8 * at as u64, offsets.words[at], bias, &terms)?;
        }
        declared.correction = ids(&correction);
        Ok(declared)
    }
}
