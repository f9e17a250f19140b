//! The contract of a kernel, kept by the passes over vectors and, where speed does not count, in plain arithmetic.

use super::{
    constants::Ifma52,
    digits::{DIGIT, fill_digits, from_digits},
};
use crate::kernel::{Lanes, contract::Kernel, words::Words};

impl Ifma52 {
    /// `x ± b` within ]−3N, 6N[ becomes a residue below 3N: adds or subtracts 3N under a mask.
    fn combine(&self, x: &mut [u64], b: &[u64], subtract: bool) {
        // x + b − 3N or x − b: negative means that 3N has to be added.
        let mut borrow = 0i64;
        for ((x, &b), &thrice) in x.iter_mut().zip(b).zip(self.thrice.iter()) {
            let sum =
                if subtract { *x as i64 - b as i64 } else { *x as i64 + b as i64 - thrice as i64 } + borrow;
            *x = sum as u64 & DIGIT;
            borrow = sum >> 52;
        }
        let negative = core::hint::black_box((borrow >> 63) as u64);
        let mut carry = 0;
        for (x, &thrice) in x.iter_mut().zip(self.thrice.iter()) {
            let sum = *x + (thrice & negative) + carry;
            *x = sum & DIGIT;
            carry = sum >> 52;
        }
    }

    /// `x ← x·b` where x is any number of 8·V digits and b a residue, or x a residue and b below 3N.
    fn multiply_into(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(x.len() == self.residue_words() && b.len() == self.residue_words());
        let out = x.as_mut_ptr();
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply(out, out, b.as_ptr(), scratch) }
    }

    /// x − N under a mask, if that is not negative.
    fn reduce_once(&self, x: &mut [u64]) {
        let mut borrow = 0i64;
        for (x, &once) in x.iter_mut().zip(self.once.iter()) {
            let difference = *x as i64 - once as i64 + borrow;
            *x = difference as u64 & DIGIT;
            borrow = difference >> 52;
        }
        let negative = core::hint::black_box((borrow >> 63) as u64);
        let mut carry = 0;
        for (x, &once) in x.iter_mut().zip(self.once.iter()) {
            let sum = *x + (once & negative) + carry;
            *x = sum & DIGIT;
            carry = sum >> 52;
        }
    }

    /// The digits of a residue's value, below N: a product by 1 is below 2N.
    fn value(&self, a: &[u64], scratch: &mut [u64]) -> Words {
        let mut x = Words::zero(self.residue_words());
        x[0] = 1;
        self.multiply_into(&mut x, a, scratch);
        self.reduce_once(&mut x);
        x
    }

    /// The residue of 2^(52·digit).
    fn shift(&self, digit: usize, scratch: &mut [u64]) -> Words {
        let mut power = Words::zero(self.residue_words());
        power[digit] = 1;
        self.multiply_into(&mut power, &self.one_entered, scratch);
        power
    }
}

impl Kernel for Ifma52 {
    fn name(&self) -> &'static str {
        "ifma52"
    }

    fn layout(&self) -> [u8; 8] {
        *b"blocks52"
    }

    fn residue_words(&self) -> usize {
        8 * self.vectors
    }

    fn prepared_words(&self, split: usize) -> usize {
        split * self.residue_words()
    }

    fn max_split(&self) -> usize {
        // One block of reduction: more pieces do not shorten it.
        self.digits.div_ceil(7)
    }

    fn scratch_words(&self) -> usize {
        self.scratch
    }

    fn limbs(&self) -> usize {
        self.limbs
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        fill_digits(out, value);
        self.multiply_into(out, &self.one_entered, scratch);
    }

    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        from_digits(out, &self.value(a, scratch));
    }

    fn load(&self, out: &mut [u64], value: &[u64], _scratch: &mut [u64]) {
        fill_digits(out, value);
    }

    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let value = &mut scratch[..a.len()];
        value.copy_from_slice(a);
        self.reduce_once(value);
        self.reduce_once(value);
        from_digits(out, value);
    }

    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, false);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, true);
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.multiply_into(x, b, scratch);
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.residue_words());
        // SAFETY: the constructor saw the instructions; the length was checked.
        unsafe { self.square_in_place(x.as_mut_ptr(), scratch) }
    }

    // Piece i of c digits is a·2^(52·(c·i + c + 1) − 416·V): the product takes c + 1 steps, a whole number of blocks.
    // Every piece is below N, so that equal values are prepared alike.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let mut piece = Words::zero(self.residue_words());
        piece.copy_from_slice(a);
        let blocks = if split == 1 { self.vectors } else { self.blocks(split) };
        if blocks < self.vectors {
            piece = self.value(a, scratch);
            let first = self.shift(8 * blocks, scratch);
            self.multiply_into(&mut piece, &first, scratch);
        }
        let next = (split > 1).then(|| self.shift(8 * blocks - 1, scratch));
        for (i, out) in out.chunks_exact_mut(piece.len()).enumerate() {
            if let (Some(next), 1..) = (&next, i) {
                self.multiply_into(&mut piece, next, scratch);
            }
            self.reduce_once(&mut piece);
            self.reduce_once(&mut piece);
            out.copy_from_slice(&piece);
        }
    }

    // Digits of 52 bits and a value below N, as every piece of a prepared operand has it.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        words.chunks_exact(self.residue_words()).all(|residue| {
            residue.iter().all(|&digit| digit <= DIGIT) && residue.iter().rev().lt(self.once.iter().rev())
        })
    }

    fn lanes(&self) -> Option<&dyn Lanes> {
        Some(self)
    }

    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        assert!(
            first.len() == out.len() && out.len().is_multiple_of(8) && row.len().is_multiple_of(out.len())
        );
        // SAFETY: the constructor saw the instructions; all lengths are multiples of a residue.
        unsafe { self.select_vectors(out, first, row, index) }
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        if split == 1 {
            return self.multiply_into(x, b, scratch);
        }
        let words = self.residue_words();
        // Without the bound the product of hostile numbers could wrap around to the length of `b`.
        assert!(split <= self.max_split() && x.len() == words && b.len() == split * words);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply_pieces(x.as_mut_ptr(), b.as_ptr(), split, self.blocks(split), scratch) }
    }
}
