//! Montgomery arithmetic on words of `W` bits: all but the passes over words, in which the kernels differ.
//!
//! Residues are canonical Montgomery forms x·2^(W·n) mod p with n words, below p. The modulus may fill its
//! words: every carry out of the top word is kept.
//!
//! Sources: Montgomery 1985; the split operand generalises ARITH 2015, Algorithm 7 (MultByComOp).

use alloc::{vec, vec::Vec};
use zeroize::{Zeroize, Zeroizing};

use super::{
    contract::Kernel,
    dimensions::Dimensions,
    mask,
    rows::{add_carry, is_below, subtract_borrow, subtract_row, word_mask},
};
use crate::{
    limbs,
    places::{Constant, Places, bytes_of},
};

/// The passes of a kernel over words. All methods are constant-time.
pub trait Passes<const W: u32>: Sized + Send + Sync {
    /// The words of a factor, or of a reduction, that one pass processes.
    const BLOCK: usize;
    /// From this many words on, a combined pair is faster than two products.
    const PAIR_WORDS: usize;

    /// `x ← x·b / 2^(W·n) mod p`.
    fn multiply(m: &Montgomery<W, Self>, x: &mut [u64], b: &[u64], scratch: &mut [u64]);

    /// `x ← x² / 2^(W·n) mod p`.
    fn square(m: &Montgomery<W, Self>, x: &mut [u64], scratch: &mut [u64]);

    /// `t` has n + rows words. Adds the multiple of p, below 2^(W·rows)·p, that clears the low `rows` words;
    /// their content afterwards is undefined. Returns the carry out of the top, 0 or 1.
    fn clear(m: &Montgomery<W, Self>, t: &mut [u64]) -> u64;

    /// `out ← t mod p` for `t` below 2p, with the carry word `high` on top.
    fn subtract(m: &Montgomery<W, Self>, out: &mut [u64], t: &[u64], high: u64) {
        out.copy_from_slice(t);
        m.subtract_once(out, high);
    }

    /// As [`Kernel::select`].
    fn select(_: &Montgomery<W, Self>, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        mask::select(out, first, row, index);
    }

    /// [`Passes::clear`] for one block, in n + `BLOCK` words of which the highest are zero. There is no carry
    /// out.
    fn clear_block(m: &Montgomery<W, Self>, t: &mut [u64]);

    /// `sum += words·row`; the sum has room for the carry.
    fn add_products(m: &Montgomery<W, Self>, sum: &mut [u64], row: &[u64], words: &[u64]);

    /// `t += Σ x_i·b_i`, where the x_i are the parts of x and the b_i the pieces of b. All parts except the
    /// last have `part` words. `t` has n + part + 1 words.
    fn add_pieces(m: &Montgomery<W, Self>, t: &mut [u64], x: &[u64], b: &[u64], part: usize);
}

/// Montgomery arithmetic modulo one odd number. All data derived from the modulus is wiped on drop.
pub struct Montgomery<const W: u32, P> {
    modulus: Zeroizing<Vec<u64>>,
    /// 2^(W·n) mod p: the residue 1.
    one: Zeroizing<Vec<u64>>,
    /// 2^(2·W·n) mod p.
    one_entered: Zeroizing<Vec<u64>>,
    /// −p^(−1) mod 2^W.
    pub(super) negative_inverse: u64,
    dimensions: Dimensions,
    // Kernels on 64-bit words with their own passes read it.
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))]
    pub(super) passes: P,
}

/// The words of a little-endian limb array, `W` bits each.
fn split_limbs<const W: u32>(limbs: &[u64], words: usize) -> Vec<u64> {
    let bit = |i: usize| limbs.get(i / 64).map_or(0, |limb| limb >> (i % 64) & 1);
    if W == 64 {
        return (0..words).map(|i| limbs.get(i).copied().unwrap_or(0)).collect();
    }
    let w = W as usize;
    (0..words).map(|i| (0..w).fold(0, |word, k| word | bit(i * w + k) << k)).collect()
}

/// The limbs of a word array; the inverse of [`split_limbs`].
fn join_words<const W: u32>(out: &mut [u64], words: &[u64]) {
    if W == 64 {
        out.copy_from_slice(words);
        return;
    }
    out.fill(0);
    let per_limb = 64 / W as usize;
    for (i, &word) in words.iter().enumerate() {
        out[i / per_limb] |= word << (i % per_limb * W as usize);
    }
}

impl<const W: u32, P: Passes<W>> Montgomery<W, P> {
    /// Creates the arithmetic modulo the odd number `modulus > 1`, given as little-endian limbs without
    /// leading zero limbs. Variable-time in the modulus.
    pub(super) fn prepared(modulus: &[u64], dimensions: Dimensions, passes: P) -> Self {
        debug_assert!(modulus[0] & 1 == 1 && *modulus.last().unwrap_or(&0) != 0);
        let count = modulus.len();
        let bits = 64 * count - modulus[count - 1].leading_zeros() as usize;
        let n = dimensions.residue_words;
        let modulus = Zeroizing::new(split_limbs::<W>(modulus, n));
        let inverse = limbs::inverse_of_word(modulus[0]);
        let mut kernel = Self {
            modulus,
            one: Zeroizing::new(vec![0; n]),
            one_entered: Zeroizing::default(),
            negative_inverse: inverse.wrapping_neg() & word_mask::<W>(),
            dimensions,
            passes,
        };
        // 2^(bits−1) is below p; doubling it repeatedly gives 2^(W·n) mod p.
        let w = W as usize;
        let mut power = vec![0; n];
        power[(bits - 1) / w] = 1 << ((bits - 1) % w);
        for _ in bits - 1..w * n {
            kernel.double(&mut power);
        }
        kernel.one.copy_from_slice(&power);
        // In Montgomery form, doubling adds one to the exponent, and squaring doubles it.
        let total = w * n;
        let squarings = total.trailing_zeros();
        for _ in 0..total >> squarings {
            kernel.double(&mut power);
        }
        let mut scratch = limbs::zeros(kernel.dimensions.scratch_words);
        for _ in 0..squarings {
            kernel.square(&mut power, &mut scratch);
        }
        kernel.one_entered = Zeroizing::new(power);
        kernel
    }

    pub(super) fn n(&self) -> usize {
        self.one.len()
    }

    pub(super) fn modulus(&self) -> &[u64] {
        &self.modulus
    }

    /// `x ← 2x mod p`.
    fn double(&self, x: &mut [u64]) {
        let mut carry = 0;
        for x in x.iter_mut() {
            (*x, carry) = add_carry::<W>(*x, *x, carry);
        }
        self.subtract_once(x, carry);
    }

    /// Replaces `x`, with the carry word `high` on top and below 2p, by `x mod p`.
    pub(super) fn subtract_once(&self, x: &mut [u64], high: u64) {
        crate::fault!("the last subtraction skipped at 32 limbs", "kernel-suite kernels::", {
            if x.len() == 32 {
                return;
            }
        });
        let borrow = is_below::<W>(x, self.modulus());
        crate::fault!(
            "a branch on the last borrow at 32 limbs",
            "kernel-checkmem operations_of_every_kernel",
            {
                if x.len() == 32 {
                    crate::faults::branch_on(borrow.into());
                }
            }
        );
        crate::fault!(
            "a branch on the last borrow at 8 limbs",
            "kernel-checkmem operations_of_every_kernel",
            {
                if x.len() == 8 {
                    crate::faults::branch_on(borrow.into());
                }
            }
        );
        // Keeps x only if it is below p: then the subtraction borrows, and `high` is 0.
        let subtract = !mask::less(high, borrow as u64);
        subtract_row::<W>(x, self.modulus(), subtract);
    }

    /// `out ← t / 2^(W·rows) mod p` for the n + rows words of `t`, where `t < p·2^(W·rows)` or above that by
    /// less than p.
    pub(super) fn reduce(&self, out: &mut [u64], t: &mut [u64]) {
        let rows = t.len() - self.n();
        let high = P::clear(self, t);
        P::subtract(self, out, &t[rows..], high);
    }
}

impl<const W: u32, P> Drop for Montgomery<W, P> {
    fn drop(&mut self) {
        self.negative_inverse.zeroize();
    }
}

impl<const W: u32, P: Passes<W>> Kernel for Montgomery<W, P> {
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
        debug_assert!(self.are_residues_vartime(a));
        let n = self.n();
        let (t, value) = scratch.split_at_mut(2 * n);
        t[..n].copy_from_slice(a);
        t[n..].fill(0);
        self.reduce(&mut value[..n], t);
        join_words::<W>(out, &value[..n]);
    }

    fn load(&self, out: &mut [u64], value: &[u64], _scratch: &mut [u64]) {
        if W == 64 {
            out.copy_from_slice(value);
        } else {
            out.copy_from_slice(&split_limbs::<W>(value, self.n()));
        }
    }

    fn store(&self, out: &mut [u64], a: &[u64], _scratch: &mut [u64]) {
        join_words::<W>(out, a);
    }

    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        crate::fault!(
            "a branch in additions of 32 limbs alone",
            "kernel-checkmem operations_of_every_kernel",
            {
                if x.len() == 32 {
                    core::hint::black_box(crate::faults::branch_on(x[0]));
                }
            }
        );
        debug_assert!(self.are_residues_vartime(x) && self.are_residues_vartime(b));
        let mut carry = 0;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, carry) = add_carry::<W>(*x, b, carry);
        }
        self.subtract_once(x, carry);
        debug_assert!(self.are_residues_vartime(x));
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        debug_assert!(self.are_residues_vartime(x) && self.are_residues_vartime(b));
        let mut borrow = false;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, borrow) = subtract_borrow::<W>(*x, b, borrow);
        }
        let add = mask::less(0, borrow as u64);
        let mut carry = 0;
        for (x, &p) in x.iter_mut().zip(self.modulus()) {
            (*x, carry) = add_carry::<W>(*x, p & add, carry);
        }
        debug_assert!(self.are_residues_vartime(x));
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        debug_assert!(self.are_residues_vartime(b));
        P::multiply(self, x, b, scratch);
        debug_assert!(self.are_residues_vartime(x));
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        P::square(self, x, scratch);
        debug_assert!(self.are_residues_vartime(x));
    }

    // Piece i is a·2^(W·(c·i + c + 1 − n)) mod p, where pieces have c = ⌈n/split⌉ words. The product is
    // reduced by c + 1 words, one more than its length requires, so that one masked subtraction makes it
    // canonical.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let n = self.n();
        if split == 1 {
            out.copy_from_slice(a);
            return;
        }
        let c = n.div_ceil(split);
        // Reduces a·2^(W·n) to the highest piece, and then each piece to the next one.
        let mut rows = 2 * n - c * split - 1;
        let mut value = a;
        for (i, piece) in out.chunks_exact_mut(n).enumerate().rev() {
            piece.copy_from_slice(value);
            if i + 1 == split {
                self.mul(piece, &self.one_entered, scratch);
            }
            let t = &mut scratch[..n + rows];
            t[..n].copy_from_slice(piece);
            t[n..].fill(0);
            self.reduce(piece, t);
            rows = c;
            value = piece;
        }
    }

    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        P::select(self, out, first, row, index);
    }

    // Words are valid if they are canonical residues or pieces.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        words.iter().all(|&word| word <= word_mask::<W>())
            && words
                .chunks_exact(self.n())
                .all(|residue| residue.iter().rev().lt(self.modulus().iter().rev()))
    }

    fn places(&self) -> Places {
        let constants = vec![
            Constant::of("modulus", &self.modulus),
            Constant::of("one", &self.one),
            Constant::of("one entered", &self.one_entered),
            Constant::of("negative inverse", core::slice::from_ref(&self.negative_inverse)),
        ];
        let public = vec![
            bytes_of(&self.modulus),
            bytes_of(&self.one),
            bytes_of(&self.one_entered),
            bytes_of(&self.dimensions),
        ];
        Places { constants, public }
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        debug_assert!(self.are_residues_vartime(b));
        if split == 1 {
            return self.mul(x, b, scratch);
        }
        let n = self.n();
        let part = n.div_ceil(split);
        let t = &mut scratch[..n + part + 1];
        t.fill(0);
        P::add_pieces(self, t, x, &b[..split * n], part);
        self.reduce(x, t);
        debug_assert!(self.are_residues_vartime(x));
    }

    // Multiplies both factors by the common operand, which is reduced only once for both: ARITH 2015,
    // Algorithm 5, one block of words at a time. The top `tail` words of the factors are multiplied by a
    // itself. Each time a is reduced by a block, one more block of the factors is multiplied by it. The tail
    // is longer than a block, so that the sum is small except for the products of the tail.
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        debug_assert!(self.are_residues_vartime(a));
        let (n, block) = (self.n(), P::BLOCK);
        let blocks = n.saturating_sub(block + 1) / block;
        if n < P::PAIR_WORDS || blocks > word_mask::<W>() as usize {
            self.mul(x, a, scratch);
            return self.mul(y, a, scratch);
        }
        let tail = n - block * blocks;
        // The operand moves up by a block each time; below it are the words that the reduction has cleared.
        // It may reach p, so it has one word more.
        let (operand, scratch) = scratch.split_at_mut(n + 1 + block * blocks);
        let (left, scratch) = scratch.split_at_mut(n + tail + 1);
        let right = &mut scratch[..n + tail + 1];
        operand[..n].copy_from_slice(a);
        operand[n..].fill(0);
        left.fill(0);
        right.fill(0);
        P::add_products(self, left, &operand[..n + 1], &x[n - tail..]);
        P::add_products(self, right, &operand[..n + 1], &y[n - tail..]);
        for start in (0..n - tail).rev().step_by(block).map(|last| last + 1 - block) {
            let low = n - tail - block - start;
            P::clear_block(self, &mut operand[low..low + n + block]);
            let row = &operand[low + block..low + block + n + 1];
            P::add_products(self, left, row, &x[start..start + block]);
            P::add_products(self, right, row, &y[start..start + block]);
        }
        for (product, sum) in [(x, left), (y, right)] {
            // The sum is below (1 + blocks/2^W)·p·2^(W·tail), so below twice the limit of `reduce`.
            let (sum, high) = sum.split_at_mut(n + tail);
            self.subtract_once(&mut sum[tail..], high[0]);
            self.reduce(product, sum);
            debug_assert!(self.are_residues_vartime(product));
        }
    }
}
