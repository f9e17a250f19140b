//! Implements the contract of a kernel: with the passes over vectors, or in plain arithmetic where speed does
//! not matter.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{
    constants::Fma50,
    digits::{DIGIT, DIGIT_BITS, are_digits_vartime, from_double, from_limbs, to_limbs},
    layout::write_digits,
};
use crate::{contract::Kernel, dimensions::Dimensions, words::Words};

/// Subtracts b from x under a mask; returns the borrow, 0 or −1. Digits of `x` may be redundant before, but
/// not after.
fn subtract(x: &mut [u64], b: &[u64], mask: u64) -> i64 {
    let mut borrow = 0;
    for (x, &b) in x.iter_mut().zip(b) {
        let difference = *x as i64 - (b & mask) as i64 + borrow;
        *x = difference as u64 & DIGIT;
        borrow = difference >> DIGIT_BITS;
    }
    borrow
}

/// All ones if the borrow is −1. Opaque to the optimiser.
fn borrow_mask(borrow: i64) -> u64 {
    core::hint::black_box((borrow >> 63) as u64)
}

/// Adds b to x under a mask.
fn add(x: &mut [u64], b: &[u64], mask: u64) {
    let mut carry = 0;
    for (x, &b) in x.iter_mut().zip(b) {
        let sum = *x + (b & mask) + carry;
        *x = sum & DIGIT;
        carry = sum >> DIGIT_BITS;
    }
}

impl Fma50 {
    /// `t ← (t + q·N)/2^50`, where q below 2^50 makes the division exact. Keeps numbers canonical that are.
    pub(super) fn shift_down(&self, t: &mut [u64]) {
        let quotient = t[0].wrapping_mul(self.negative_inverse) & DIGIT;
        let product = |digit: u64| {
            let product = u128::from(quotient) * u128::from(digit);
            (product as u64 & DIGIT, (product >> DIGIT_BITS) as u64)
        };
        let (low, mut high) = product(self.modulus[0]);
        let mut carry = (t[0] + low) >> DIGIT_BITS;
        for i in 1..t.len() {
            let (low, next) = product(self.modulus[i]);
            let sum = t[i] + low + high + carry;
            t[i - 1] = sum & DIGIT;
            carry = sum >> DIGIT_BITS;
            high = next;
            crate::fault!("a carry dropped at 7 vectors", "kernel-suite kernels::", {
                if self.vectors == 7 && i == 20 {
                    carry = 0;
                }
            });
        }
        t[t.len() - 1] = high + carry;
    }

    /// The canonical digits of a product modulo N. Either one factor was below N, or the value is from
    /// `reduce_alone`. So it is less than D·2^51·N, except for the multiple that is added to every result.
    fn canonical(&self, product: &[u64]) -> Zeroizing<Vec<u64>> {
        let mut t = self.integers(product);
        subtract(&mut t, &self.multiple, u64::MAX);
        let (index, shift) = (self.top_bit / DIGIT_BITS, self.top_bit % DIGIT_BITS);
        let digit = |i: usize| u128::from(t.get(index + i).copied().unwrap_or(0));
        let top = (digit(0) | digit(1) << DIGIT_BITS | digit(2) << (2 * DIGIT_BITS)) >> shift;
        // At most one less than the quotient.
        let quotient = ((top as u64 as u128 * self.reciprocal as u128) >> 64) as u64;
        let mut carry = 0;
        for (t, &digit) in t.iter_mut().zip(self.modulus.iter()) {
            let product = u128::from(quotient) * u128::from(digit) + u128::from(carry);
            let difference = *t as i64 - (product as u64 & DIGIT) as i64;
            *t = difference as u64 & DIGIT;
            carry = (product >> DIGIT_BITS) as u64 + (difference as u64 >> 63);
        }
        let borrow = subtract(&mut t, &self.modulus, u64::MAX);
        crate::fault!("the last addition skipped at 11 vectors", "kernel-suite kernels::", {
            if self.vectors == 11 {
                return t;
            }
        });
        add(&mut t, &self.modulus, borrow_mask(borrow));
        t
    }

    /// The digits of a residue as integers.
    fn integers(&self, a: &[u64]) -> Zeroizing<Vec<u64>> {
        Zeroizing::new(a[..self.digits].iter().map(|&word| from_double(word)).collect())
    }

    /// `x` ← `x ± b` for two residues, below Q.
    fn combine(&self, x: &mut [u64], b: &[u64], minus: bool) {
        let (mut sum, b) = (self.integers(x), self.integers(b));
        let borrow = if minus {
            subtract(&mut sum, &b, u64::MAX)
        } else {
            for (sum, &b) in sum.iter_mut().zip(b.iter()) {
                *sum += b;
            }
            subtract(&mut sum, &self.limit, u64::MAX)
        };
        add(&mut sum, &self.limit, borrow_mask(borrow));
        write_digits(x, &sum);
    }
}

impl Kernel for Fma50 {
    fn dimensions(&self) -> &Dimensions {
        &self.dimensions
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn to_montgomery(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.load(out, value, scratch);
        self.mul(out, &self.one_entered, scratch);
    }

    fn from_montgomery(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        assert!(a.len() == self.words() && scratch.len() >= self.dimensions.scratch_words);
        debug_assert!(are_digits_vartime(a));
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.reduce_alone(scratch.as_mut_ptr(), a.as_ptr()) }
        to_limbs(out, &self.canonical(&scratch[..self.words()]));
    }

    // The number itself, which is the residue of value/R.
    fn load(&self, out: &mut [u64], value: &[u64], _scratch: &mut [u64]) {
        out.fill(0);
        write_digits(out, &Zeroizing::new(from_limbs(value, self.digits)));
    }

    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let mut residue = Words::copy_of(a);
        self.mul(&mut residue, &self.one, scratch);
        to_limbs(out, &self.canonical(&residue));
    }

    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, false);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        self.combine(x, b, true);
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.mul_prepared(x, b, 1, scratch);
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.words() && scratch.len() >= self.dimensions.scratch_words);
        debug_assert!(are_digits_vartime(x));
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.square_residue(x.as_mut_ptr(), scratch.as_mut_ptr()) }
        debug_assert!(are_digits_vartime(x));
    }

    fn places(&self) -> crate::places::Places {
        self.named()
    }

    fn lanes(&self) -> Option<&dyn crate::lanes::Lanes> {
        #[cfg(target_arch = "x86_64")]
        return Some(self);
        #[cfg(target_arch = "wasm32")]
        None
    }

    // Let a be the number that the residue represents. Piece i is a·2^(50·(c·(i + 1) − D)) mod N, for c
    // digits in a part. Row j of a matrix is a·2^(50·(j − D)) mod N.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let (digits, words) = (self.digits, self.words());
        let matrix = split > self.vectors;
        let part = 4 * self.groups(split);
        // The exponent of the first piece, in digits: at most 2·D.
        let top = match (split, matrix) {
            (1, _) => digits,
            (_, false) => part * split,
            (_, true) => digits - 1,
        };
        let (factor, height) =
            if top <= digits { (&self.one, digits) } else { (&self.one_entered, 2 * digits) };
        let mut residue = Words::copy_of(a);
        self.mul(&mut residue, factor, scratch);
        let mut piece = self.canonical(&residue);
        for _ in top..height {
            self.shift_down(&mut piece);
        }
        out.fill(0);
        if matrix {
            return self.write_matrix(out, &mut piece, |_, _| ());
        }
        for (i, out) in out.chunks_exact_mut(words).enumerate().rev() {
            write_digits(out, &piece);
            for _ in 0..if i > 0 { part } else { 0 } {
                self.shift_down(&mut piece);
            }
        }
    }

    // Accepts all digits, including redundant ones: products of any such words are such digits. Wrong values
    // only give wrong results.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        are_digits_vartime(words)
    }

    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        assert!(
            first.len() == out.len() && out.len().is_multiple_of(4) && row.len().is_multiple_of(out.len())
        );
        crate::fault!("a look-up without a mask in fma50", "kernel-checkmem operations_of_every_kernel", {
            return crate::faults::look_up_openly(out, first, row, index);
        });
        // SAFETY: the constructor saw the instructions; all lengths are multiples of a vector.
        unsafe { self.select_residue(out, first, row, index) }
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        // Without this bound, the product of hostile numbers could wrap around to the length of `b`.
        assert!(
            (1..=self.dimensions.max_split).contains(&split)
                && b.len() == self.dimensions.prepared_words(split)
        );
        assert!(x.len() == self.words() && scratch.len() >= self.dimensions.scratch_words);
        debug_assert!(are_digits_vartime(x) && are_digits_vartime(b));
        let (x_pointer, scratch) = (x.as_mut_ptr(), scratch.as_mut_ptr());
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            if split > self.vectors {
                self.multiply_prepared(x_pointer, b.as_ptr(), scratch);
            } else {
                self.multiply_residue(x_pointer, b.as_ptr(), split, scratch);
            }
        }
        debug_assert!(are_digits_vartime(x));
    }
}
