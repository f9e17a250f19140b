//! The contract of a kernel, kept by the passes over vectors and, where speed does not count, in plain arithmetic.

use super::{
    block::Factor,
    constants::Ifma52,
    digits::{DIGIT, from_digits, to_digits},
};
use crate::kernel::{contract::Kernel, mask, words::Words};

impl Ifma52 {
    /// One reduction step in plain arithmetic: (t + t_0·M)/2^52.
    fn scalar_step(&self, t: &mut [u64]) {
        let quotient = t[0];
        let mut carry = 0u128;
        for i in 0..self.digits {
            let above = t.get(i + 1).copied().unwrap_or(0);
            carry += u128::from(above) + u128::from(quotient) * u128::from(self.high[i]);
            t[i] = carry as u64 & DIGIT;
            carry >>= 52;
        }
    }

    /// `x ± b` within ]−2M, 4M[ becomes a residue below 2M: adds or subtracts 2M under a mask.
    fn combine(&self, x: &mut [u64], b: &[u64], subtract: bool) {
        // x + b − 2M or x − b: negative means that 2M has to be added.
        let mut borrow = 0i64;
        for i in 0..self.digits {
            let sum = if subtract {
                x[i] as i64 - b[i] as i64
            } else {
                x[i] as i64 + b[i] as i64 - self.twice[i] as i64
            } + borrow;
            x[i] = sum as u64 & DIGIT;
            borrow = sum >> 52;
        }
        let negative = core::hint::black_box((borrow >> 63) as u64);
        let mut carry = 0;
        for (x, &twice) in x.iter_mut().zip(self.twice.iter()) {
            let sum = *x + (twice & negative) + carry;
            *x = sum & DIGIT;
            carry = sum >> 52;
        }
    }

    /// `out ← multiplier·b` for two residues, any of which may be `out`.
    ///
    /// # Safety
    /// All three point at `8·vectors` words, those of `out` to be written.
    unsafe fn product(&self, out: *mut u64, multiplier: *const u64, b: *const u64, scratch: &mut [u64]) {
        let digits = self.digits;
        let factor = Factor { pieces: b, stride: 0, count: 1, multiplier, step: digits, digits };
        // SAFETY: the constructor saw the instructions; the caller vouches for the pointers.
        unsafe { self.multiply(out, &factor, self.vectors, scratch) }
    }
}

impl Kernel for Ifma52 {
    fn name(&self) -> &'static str {
        "ifma52"
    }

    fn layout(&self) -> [u8; 8] {
        *b"digits52"
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
        8 * (self.vectors + 1)
    }

    fn limbs(&self) -> usize {
        self.limbs
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        let digits = zeroize::Zeroizing::new(to_digits(value, self.digits));
        out.copy_from_slice(&digits);
        self.mul(out, &self.one_entered, scratch);
    }

    fn leave(&self, out: &mut [u64], a: &[u64], _scratch: &mut [u64]) {
        // Reduction by N itself: from below 2M it ends at N or below.
        let mut t = zeroize::Zeroizing::new(a.to_vec());
        for _ in 0..self.digits {
            let quotient = t[0].wrapping_mul(self.negative_inverse) & DIGIT;
            let mut carry = (u128::from(t[0]) + u128::from(quotient) * u128::from(self.modulus[0])) >> 52;
            for i in 1..self.digits {
                carry += u128::from(t[i]) + u128::from(quotient) * u128::from(self.modulus[i]);
                t[i - 1] = carry as u64 & DIGIT;
                carry >>= 52;
            }
            t[self.digits - 1] = carry as u64;
        }
        let difference = t.iter().zip(self.modulus.iter()).fold(0, |difference, (t, n)| difference | (t ^ n));
        let keep = !mask::equal(difference, 0);
        for digit in t.iter_mut() {
            *digit &= keep;
        }
        from_digits(out, &t);
    }

    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, false);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, true);
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(x.len() == self.residue_words() && b.len() == self.residue_words());
        let out = x.as_mut_ptr();
        // SAFETY: the lengths were checked.
        unsafe { self.product(out, out, b.as_ptr(), scratch) }
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.residue_words());
        let out = x.as_mut_ptr();
        // SAFETY: the length was checked.
        unsafe { self.product(out, out, out, scratch) }
    }

    // Piece i of c digits is a·2^(52·(c·i + c + 1 − D)): the product takes c + 1 steps, a whole number of blocks.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let words = self.residue_words();
        // Through the value, so that equal values are prepared alike.
        let mut value = Words::zero(self.limbs);
        self.leave(&mut value, a, scratch);
        let mut residue = Words::zero(words);
        self.enter(&mut residue, &value, scratch);
        if split == 1 {
            out.copy_from_slice(&residue);
            return;
        }
        // Up by enough digits, then down step by step, highest piece first.
        let c = self.piece(split);
        let top = c * split + 1;
        let mut height = self.digits;
        while height < top {
            self.mul(&mut residue, &self.one_entered, scratch);
            height += self.digits;
        }
        for i in (0..split).rev() {
            for _ in c * i + c + 1..height {
                self.scalar_step(&mut residue);
            }
            height = c * i + c + 1;
            out[i * words..(i + 1) * words].copy_from_slice(&residue);
        }
    }

    // Digits of 52 bits and a value below 2M; the pieces of a prepared operand too.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        words.chunks_exact(self.residue_words()).all(|residue| {
            residue.iter().all(|&digit| digit <= DIGIT) && residue.iter().rev().lt(self.twice.iter().rev())
        })
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
            return self.mul(x, b, scratch);
        }
        let stride = self.residue_words();
        // Without the bound the product of hostile numbers could wrap around to the length of `b`.
        assert!(split <= self.max_split() && x.len() == stride && b.len() == split * stride);
        let c = self.piece(split);
        let out = x.as_mut_ptr();
        let factor = Factor {
            pieces: b.as_ptr(),
            stride,
            count: split,
            multiplier: out,
            step: c,
            digits: self.digits,
        };
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply(out, &factor, (c + 1) / 8, scratch) }
    }
}
