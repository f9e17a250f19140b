//! The contract of a kernel, implemented by products of vectors and, where speed does not matter, by plain
//! arithmetic.

use alloc::boxed::Box;
use core::any::Any;

use super::{
    constants::{Code, Ifma52},
    digits::{DIGIT, Joined, digit},
    divisor::places,
    long::Long,
    operations::SELECT,
    product::{Constants, Task},
    spare::{loosen, tighten},
};
use crate::{contract::Kernel, dimensions::Dimensions, dual::Dual, lanes::Lanes, words::Words};

impl Ifma52 {
    /// Words in the order of digits.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        places(self.blocks, self.digits, matches!(self.code, Code::Strips(_)))
    }

    /// The number of each digit, lowest first, and the word that contains it.
    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(usize, usize)) {
        let [block, step] =
            if matches!(self.code, Code::Strips(_)) { [1, self.blocks] } else { [self.digits, 1] };
        for l in 0..self.blocks {
            for v in 0..self.digits {
                visit(self.digits * l + v, block * l + step * v);
            }
        }
    }

    /// Debug builds assert this of every residue before and after each operation: the digits have 52 bits,
    /// and their number is below 12N.
    fn in_bounds_vartime(&self, x: &[u64]) -> bool {
        let x = &*self.tightened(x);
        let (mut narrow, mut borrow) = (true, 0i64);
        self.each(|i, at| {
            narrow &= x[at] <= DIGIT;
            borrow = (x[at] as i64 - self.bound[i] as i64 + borrow) >> 52;
        });
        narrow && borrow < 0
    }

    fn loosen(&self, x: &mut [u64]) {
        if self.dimensions.spare > 0 {
            loosen(x, [self.blocks, self.digits], self.dimensions.spare);
        }
    }

    fn tighten(&self, x: &mut [u64]) {
        if self.dimensions.spare > 0 {
            tighten(x, [self.blocks, self.digits], self.dimensions.spare);
        }
    }

    /// The digits of 52 bits of a residue.
    fn tightened(&self, x: &[u64]) -> Words {
        let mut x = Words::copy_of(x);
        self.tighten(&mut x);
        x
    }

    /// x + b or x − b, where the result is within ]−12N, 24N[, becomes a residue: 12N is subtracted or added
    /// under a mask.
    fn combine(&self, x: &mut [u64], b: &[u64], subtract: bool, scratch: &mut [u64]) {
        debug_assert!(self.in_bounds_vartime(x) && self.in_bounds_vartime(b));
        let b = if self.dimensions.spare > 0 {
            self.tighten(x);
            let copy = &mut scratch[..b.len()];
            copy.copy_from_slice(b);
            self.tighten(copy);
            &*copy
        } else {
            b
        };
        // x + b − 12N or x − b. If it is negative, 12N is added.
        let bound = &*self.bound;
        let mut borrow = 0i64;
        if subtract {
            self.each(|_, at| {
                let sum = x[at] as i64 - b[at] as i64 + borrow;
                x[at] = sum as u64 & DIGIT;
                borrow = sum >> 52;
            });
        } else {
            self.each(|i, at| {
                let sum = (x[at] + b[at]) as i64 - bound[i] as i64 + borrow;
                x[at] = sum as u64 & DIGIT;
                borrow = sum >> 52;
            });
        }
        self.add_under_mask(x, bound, (borrow >> 63) as u64);
        self.loosen(x);
        debug_assert!(self.in_bounds_vartime(x));
    }

    /// `x` ← `x` + `summand` under a mask.
    fn add_under_mask(&self, x: &mut [u64], summand: &[u64], mask: u64) {
        crate::fault!("a branch on a mask in ifma52", "kernel-checkmem operations_of_every_kernel", {
            if crate::faults::branch_on(mask) {
                return;
            }
        });
        let mask = core::hint::black_box(mask);
        let mut carry = 0;
        self.each(|i, at| {
            let sum = x[at] + (summand[i] & mask) + carry;
            x[at] = sum & DIGIT;
            carry = sum >> 52;
            crate::fault!("a carry dropped at 24 digits", "kernel-suite checks::x86_64::ifma52", {
                if self.modulus_digits.len() == 24 && i == 20 {
                    carry = 0;
                }
            });
        });
    }

    /// Reduces a residue below 12N to the digits of 52 bits of a number below N.
    fn reduce(&self, x: &mut [u64]) {
        self.tighten(x);
        let quotient = self.barrett.quotient(x);
        let modulus = &*self.modulus_digits;
        let mut borrow = 0i64;
        self.each(|i, at| {
            let difference = x[at] as i64 - (quotient * modulus[i]) as i64 + borrow;
            x[at] = difference as u64 & DIGIT;
            borrow = difference >> 52;
        });
        crate::fault!("the last addition skipped at 40 digits", "kernel-suite checks::x86_64::ifma52", {
            if x.len() == 40 {
                return;
            }
        });
        self.add_under_mask(x, modulus, (borrow >> 63) as u64);
    }

    /// `out` ← the number with the digits of `x`.
    fn join(&self, out: &mut [u64], x: &[u64]) {
        let mut limbs = Joined::new(out);
        self.each(|_, at| limbs.push(x[at]));
        limbs.finish();
    }

    /// `x` ← `x·b`. `scratch` points at the scratch space, which nothing else borrows while the task is used.
    #[inline]
    pub(super) fn task<'a>(&'a self, x: &mut [u64], b: &[u64], scratch: *mut u64) -> Task<'a> {
        assert!(x.len() == self.dimensions.residue_words);
        let out = x.as_mut_ptr();
        Task { constants: self.constants(), out, a: out, b: b.as_ptr(), scratch }
    }

    /// The constants of the modulus for products.
    #[inline]
    pub(super) fn constants(&self) -> Constants<'_> {
        Constants { high: &self.high, step: &self.step, modulus: &self.modulus, inverse: &self.inverse }
    }

    /// `x ← x·b` for residues, or where one of them is below N and the other any number of r digits; if
    /// digits are in order, of as many digits as residues can have.
    #[inline]
    pub(super) fn multiply_into(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        debug_assert!(match [self.in_bounds_vartime(x), self.in_bounds_vartime(b)] {
            [true, other] => other || self.are_residues_vartime(x),
            [false, _] => self.are_residues_vartime(b),
        });
        assert!(
            [x.len(), b.len()] == [self.dimensions.residue_words; 2]
                && scratch.len() >= self.product_scratch()
        );
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => (operations.multiply)(self.task(x, b, scratch.as_mut_ptr())),
                Code::InOrder(long) => long.multiply(self.task(x, b, scratch.as_mut_ptr())),
            }
        }
        debug_assert!(self.in_bounds_vartime(x));
    }

    /// `x` ← the residue of a value whose digits are in order.
    #[inline(never)]
    fn enter(&self, long: &Long, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.dimensions.residue_words && scratch.len() >= self.product_scratch());
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { long.multiply_whole(self.task(x, &self.one_entered, scratch.as_mut_ptr())) }
        debug_assert!(self.in_bounds_vartime(x));
    }

    /// `x` ← the digits of the value of the residue `a`, below N.
    fn value(&self, x: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        x.fill(0);
        x[0] = 1;
        self.multiply_into(x, a, scratch);
        self.reduce(x);
    }

    /// The residue of 2^(52·K·block).
    fn shift(&self, block: usize, scratch: &mut [u64]) -> Words {
        let mut power = Words::zero(self.dimensions.residue_words);
        if let Some(place) = self.places().nth(self.digits * block) {
            power[place] = 1;
        }
        self.multiply_into(&mut power, &self.one_entered, scratch);
        power
    }
}

impl Kernel for Ifma52 {
    fn dimensions(&self) -> &Dimensions {
        &self.dimensions
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn to_montgomery(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.load(out, value, scratch);
        match &self.code {
            Code::Strips(_) => self.multiply_into(out, &self.one_entered, scratch),
            Code::InOrder(long) => self.enter(long, out, scratch),
        }
    }

    fn from_montgomery(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let (value, scratch) = scratch.split_at_mut(a.len());
        self.value(value, a, scratch);
        self.join(out, value);
    }

    fn load(&self, out: &mut [u64], value: &[u64], _scratch: &mut [u64]) {
        self.each(|i, at| out[at] = digit(value, i));
        self.loosen(out);
    }

    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        debug_assert!(self.in_bounds_vartime(a));
        let value = &mut scratch[..a.len()];
        value.copy_from_slice(a);
        self.reduce(value);
        self.join(out, value);
    }

    fn add(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.combine(x, b, false, scratch);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.combine(x, b, true, scratch);
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.multiply_into(x, b, scratch);
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        debug_assert!(self.in_bounds_vartime(x));
        assert!(x.len() == self.dimensions.residue_words && scratch.len() >= self.product_scratch());
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => (operations.square)(self.task(x, &[], scratch.as_mut_ptr())),
                Code::InOrder(long) => long.square(self.task(x, &[], scratch.as_mut_ptr())),
            }
        }
        debug_assert!(self.in_bounds_vartime(x));
    }

    fn dual<'a>(&'a self, other: &'a dyn Kernel) -> Option<Box<dyn Dual + 'a>> {
        self.with(other)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    // With B of G blocks per piece, piece p is a·2^(52·K·B·(p + 1))/R. Every piece is below N, so equal
    // values give equal prepared operands.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let mut piece = Words::copy_of(a);
        let blocks = self.blocks_of_piece(split);
        if blocks < self.blocks {
            self.value(&mut piece, a, scratch);
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
            self.loosen(out);
        }
    }

    // Digits of 52 bits and a value below N, like every piece of a prepared operand.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        let modulus: &[u64] = &self.modulus_digits;
        words.chunks_exact(self.dimensions.residue_words).all(|residue| {
            let mut digits = Words::zero(residue.len());
            for (digit, at) in digits.iter_mut().zip(self.places()) {
                *digit = residue[at];
            }
            digits.iter().all(|&digit| digit <= DIGIT) && digits.iter().rev().lt(modulus.iter().rev())
        })
    }

    fn places(&self) -> crate::places::Places {
        self.named()
    }

    fn lanes(&self) -> Option<&dyn Lanes> {
        self.rows.as_ref().map(|rows| rows as _)
    }

    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        // Residues of four strips are vectors of four words.
        let eight = usize::from(self.blocks >= 8);
        assert!(first.len() == out.len() && out.len().is_multiple_of(4 << eight) && !out.is_empty());
        assert!(row.len().is_multiple_of(out.len()));
        crate::fault!("a look-up without a mask in ifma52", "kernel-checkmem operations_of_every_kernel", {
            return crate::faults::look_up_openly(out, first, row, index);
        });
        // SAFETY: the constructor saw the instructions; all lengths are multiples of a vector.
        unsafe { SELECT[eight](out, first, row, index) }
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        debug_assert!(self.in_bounds_vartime(x));
        if split == 1 {
            return self.multiply_into(x, b, scratch);
        }
        // Without the bound, the product could wrap around to the length of `b` for extreme inputs.
        assert!(split <= self.dimensions.max_split && b.len() == split * self.dimensions.residue_words);
        assert!(x.len() == self.dimensions.residue_words && scratch.len() >= self.product_scratch());
        let blocks = self.blocks_of_piece(split);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match &self.code {
                Code::Strips(operations) => {
                    (operations.multiply_pieces)(self.task(x, b, scratch.as_mut_ptr()), split, blocks);
                }
                Code::InOrder(long) => {
                    long.multiply_pieces(self.task(x, b, scratch.as_mut_ptr()), split, blocks);
                }
            }
        }
        debug_assert!(self.in_bounds_vartime(x));
    }
}
