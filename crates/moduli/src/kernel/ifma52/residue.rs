//! The contract of a kernel, kept by the products of vectors and, where speed does not count, in plain arithmetic.

use core::any::Any;

use super::{
    constants::{Code, Ifma52, places},
    digits::{DIGIT, digit, from_digits},
    operations::{SELECT, Two},
    product::Task,
};
use crate::kernel::{Lanes, contract::Kernel, words::Words};

impl Ifma52 {
    /// Words in the order of digits.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        places(self.blocks, self.digits, matches!(self.code, Code::Strips(_)))
    }

    /// x + b or x − b, where the result is within ]−12N, 24N[, becomes a residue: 12N is taken off or added under a mask.
    fn combine(&self, x: &mut [u64], b: &[u64], subtract: bool) {
        // x + b − 12N or x − b: negative means that 12N has to be added.
        let mut borrow = 0i64;
        for (at, &bound) in self.places().zip(self.bound.iter()) {
            let (digit, b) = (x[at] as i64, b[at] as i64);
            let sum = if subtract { digit - b } else { digit + b - bound as i64 } + borrow;
            x[at] = sum as u64 & DIGIT;
            borrow = sum >> 52;
        }
        self.add_under_mask(x, &self.bound, (borrow >> 63) as u64);
    }

    /// `x` ← `x` + `summand` under a mask.
    fn add_under_mask(&self, x: &mut [u64], summand: &[u64], mask: u64) {
        let mask = core::hint::black_box(mask);
        let mut carry = 0;
        for (at, &summand) in self.places().zip(summand) {
            let sum = x[at] + (summand & mask) + carry;
            x[at] = sum & DIGIT;
            carry = sum >> 52;
        }
    }

    /// `x` minus a multiple of N under a mask, if that is not negative.
    fn reduce_once(&self, x: &mut [u64], multiple: &[u64]) {
        let mut borrow = 0i64;
        for (at, &multiple) in self.places().zip(multiple) {
            let difference = x[at] as i64 - multiple as i64 + borrow;
            x[at] = difference as u64 & DIGIT;
            borrow = difference >> 52;
        }
        self.add_under_mask(x, multiple, (borrow >> 63) as u64);
    }

    /// A residue below 12N becomes one below N.
    fn reduce(&self, x: &mut [u64]) {
        for multiple in &self.taken {
            self.reduce_once(x, multiple);
        }
    }

    fn task<'a>(&'a self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) -> Task<'a> {
        assert!(x.len() == self.residue_words() && scratch.len() >= self.product_scratch());
        let out = x.as_mut_ptr();
        Task { kernel: self, out, a: out, b: b.as_ptr(), doubled: scratch.as_mut_ptr() }
    }

    /// `x ← x·b` for residues, or where one of them is any number of as many digits and the other below N.
    pub(super) fn multiply_into(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(b.len() == self.residue_words());
        let task = self.task(x, b, scratch);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => (operations.multiply)(task),
                Code::InOrder(long) => long.multiply(task.out, task.a, task.b, scratch),
            }
        }
    }

    /// What does two products at a time, if `other` is a kernel of the same size; and that kernel.
    fn two<'a>(&self, other: &'a dyn Kernel) -> Option<(Two, &'a Self)> {
        let other = other.as_any()?.downcast_ref::<Self>()?;
        match (&self.code, &other.code) {
            (&Code::Strips(operations), &Code::Strips(others)) if core::ptr::eq(operations, others) => {
                Some((operations.two?, other))
            }
            _ => None,
        }
    }

    /// The digits of a residue's value, below N: a product by 1 is below 2N.
    fn value(&self, a: &[u64], scratch: &mut [u64]) -> Words {
        let mut x = Words::zero(self.residue_words());
        x[0] = 1;
        self.multiply_into(&mut x, a, scratch);
        self.reduce_once(&mut x, &self.taken[3]);
        x
    }

    /// The residue of 2^(52·K·block).
    fn shift(&self, block: usize, scratch: &mut [u64]) -> Words {
        let mut power = Words::zero(self.residue_words());
        if let Some(place) = self.places().nth(self.digits * block) {
            power[place] = 1;
        }
        self.multiply_into(&mut power, &self.one_entered, scratch);
        power
    }
}

impl Kernel for Ifma52 {
    fn name(&self) -> &'static str {
        "ifma52"
    }

    fn layout(&self) -> [u8; 8] {
        *b"strips52"
    }

    fn residue_words(&self) -> usize {
        self.blocks * self.digits
    }

    fn prepared_words(&self, split: usize) -> usize {
        split * self.residue_words()
    }

    fn max_split(&self) -> usize {
        // Of eight blocks one is reduced, and more do not shorten that; of more blocks every eighth: a product by more
        // pieces would exceed the bound.
        self.blocks.min(8)
    }

    fn scratch_words(&self) -> usize {
        // Of two products at a time.
        2 * self.product_scratch()
    }

    fn limbs(&self) -> usize {
        self.limbs
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.load(out, value, scratch);
        self.multiply_into(out, &self.one_entered, scratch);
    }

    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let value = self.value(a, scratch);
        from_digits(out, self.places().map(|at| value[at]));
    }

    fn load(&self, out: &mut [u64], value: &[u64], _scratch: &mut [u64]) {
        for (i, at) in self.places().enumerate() {
            out[at] = digit(value, i);
        }
    }

    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let value = &mut scratch[..a.len()];
        value.copy_from_slice(a);
        self.reduce(value);
        from_digits(out, self.places().map(|at| value[at]));
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
        let task = self.task(x, &[], scratch);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => (operations.square)(task),
                Code::InOrder(long) => long.square_in_place(task.out, scratch),
            }
        }
    }

    fn mul_beside(
        &self,
        x: &mut [u64],
        a: &[u64],
        other: &dyn Kernel,
        y: &mut [u64],
        b: &[u64],
        scratch: &mut [u64],
    ) {
        let Some((two, other)) = self.two(other) else {
            self.mul(x, a, scratch);
            return other.mul(y, b, scratch);
        };
        assert!(a.len() == self.residue_words() && b.len() == self.residue_words());
        let (first, second) = scratch.split_at_mut(self.product_scratch());
        let tasks = [self.task(x, a, first), other.task(y, b, second)];
        // SAFETY: the constructor saw the instructions; both kernels are of one size; the lengths were checked.
        unsafe { (two.multiply)(tasks) }
    }

    fn square_beside(
        &self,
        x: &mut [u64],
        other: &dyn Kernel,
        y: &mut [u64],
        times: u32,
        scratch: &mut [u64],
    ) {
        let Some((two, other)) = self.two(other) else {
            for _ in 0..times {
                self.square(x, scratch);
                other.square(y, scratch);
            }
            return;
        };
        let (first, second) = scratch.split_at_mut(self.product_scratch());
        let tasks = [self.task(x, &[], first), other.task(y, &[], second)];
        // SAFETY: as for `mul_beside`.
        unsafe { (two.square)(tasks, times) }
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    // With B of G blocks to a piece, piece p is a·2^(52·K·(B·(p + 1) − G)). Every piece is below N, so that equal values are
    // prepared alike.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let mut piece = Words::copy_of(a);
        let blocks = self.blocks_of_piece(split);
        if blocks < self.blocks {
            piece = self.value(a, scratch);
            let first = self.shift(blocks, scratch);
            self.multiply_into(&mut piece, &first, scratch);
        }
        let next = (split > 1).then(|| self.shift(blocks, scratch));
        for (i, out) in out.chunks_exact_mut(piece.len()).enumerate() {
            if let (Some(next), 1..) = (&next, i) {
                self.multiply_into(&mut piece, next, scratch);
            }
            self.reduce(&mut piece);
            out.copy_from_slice(&piece);
        }
    }

    // Digits of 52 bits and a value below N, as every piece of a prepared operand has it.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        let modulus: &[u64] = &self.taken[3];
        words.chunks_exact(self.residue_words()).all(|residue| {
            let mut digits = Words::zero(residue.len());
            for (digit, at) in digits.iter_mut().zip(self.places()) {
                *digit = residue[at];
            }
            digits.iter().all(|&digit| digit <= DIGIT) && digits.iter().rev().lt(modulus.iter().rev())
        })
    }

    fn lanes(&self) -> Option<&dyn Lanes> {
        self.rows.as_ref().map(|rows| rows as &dyn Lanes)
    }

    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        // Residues of four strips are vectors of four words.
        let eight = usize::from(self.blocks >= 8);
        let words = 4 << eight;
        assert!(
            first.len() == out.len()
                && out.len().is_multiple_of(words)
                && row.len().is_multiple_of(out.len())
        );
        // SAFETY: the constructor saw the instructions; all lengths are multiples of a vector.
        unsafe { SELECT[eight](out, first, row, index) }
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        if split == 1 {
            return self.multiply_into(x, b, scratch);
        }
        // Without the bound the product of hostile numbers could wrap around to the length of `b`.
        assert!(split <= self.max_split() && b.len() == split * self.residue_words());
        let task = self.task(x, b, scratch);
        let blocks = self.blocks_of_piece(split);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => (operations.multiply_pieces)(task, split, blocks),
                Code::InOrder(long) => long.multiply_pieces(task.out, task.b, split, blocks, scratch),
            }
        }
    }
}
