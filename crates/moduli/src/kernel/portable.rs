//! Montgomery arithmetic in plain Rust, on words of `W` bits.
//!
//! `W = 64` is the kernel that every platform has. `W = 4` and `W = 8` are the same code on tiny words (one
//! word in each `u64`), so that moduli of a few bits have several words and can be tested exhaustively.
//!
//! Residues are canonical Montgomery forms x·2^(W·n) mod p with n words, below p. The modulus may fill its
//! words: every carry out of the top word is kept.
//!
//! Sources: Montgomery 1985; the split operand generalises ARITH 2015, Algorithm 7 (MultByComOp).

use alloc::{vec, vec::Vec};

use super::{contract::Kernel, mask};

/// Montgomery arithmetic on words of `W` bits: 64 in earnest, 4 or 8 in tests.
pub struct Portable<const W: u32> {
    modulus: Vec<u64>,
    /// 2^(W·n) mod p: the residue 1.
    one: Vec<u64>,
    /// 2^(2·W·n) mod p.
    one_entered: Vec<u64>,
    /// −p^(−1) mod 2^W.
    negative_inverse: u64,
    limbs: usize,
}

#[inline(always)]
const fn word_mask<const W: u32>() -> u64 {
    u64::MAX >> (64 - W)
}

/// `(low, high)` of `t + a·b + carry`: fits two words.
#[inline(always)]
fn multiply_add<const W: u32>(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = t as u128 + a as u128 * b as u128 + carry as u128;
    (sum as u64 & word_mask::<W>(), (sum >> W) as u64)
}

/// `(sum, carry)` of `a + b + carry`.
#[inline(always)]
fn add_carry<const W: u32>(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = a as u128 + b as u128 + carry as u128;
    (sum as u64 & word_mask::<W>(), (sum >> W) as u64)
}

/// `(difference, borrow)` of `a − b − borrow`.
#[inline(always)]
fn subtract_borrow<const W: u32>(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let difference = (a as u128).wrapping_sub(b as u128).wrapping_sub(borrow as u128);
    (difference as u64 & word_mask::<W>(), (difference >> 127) as u64)
}

/// `t += a·b` over equal lengths; returns the carry word.
#[inline(always)]
fn add_row<const W: u32>(t: &mut [u64], b: &[u64], a: u64) -> u64 {
    let mut carry = 0;
    for (t, &b) in t.iter_mut().zip(b) {
        (*t, carry) = multiply_add::<W>(*t, a, b, carry);
    }
    carry
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

/// The limbs of a word array: inverse of [`split_limbs`].
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

impl<const W: u32> Portable<W> {
    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs.
    pub fn new(modulus: &[u64]) -> Self {
        debug_assert!(modulus[0] & 1 == 1 && *modulus.last().unwrap_or(&0) != 0);
        let limbs = modulus.len();
        let bits = 64 * limbs - modulus[limbs - 1].leading_zeros() as usize;
        let n = bits.div_ceil(W as usize);
        let modulus = split_limbs::<W>(modulus, n);

        // Newton: an odd p is its own inverse modulo 8, and each step doubles the bits: 3, 6, 12, 24, 48, 96.
        let low = modulus[0];
        let mut inverse = low;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(low.wrapping_mul(inverse)));
        }

        let mut kernel = Self {
            modulus,
            one: vec![0; n],
            one_entered: Vec::new(),
            negative_inverse: inverse.wrapping_neg() & word_mask::<W>(),
            limbs,
        };
        // 2^(bits−1) is below p; doubling it leads to 2^(W·n) mod p.
        let w = W as usize;
        let mut power = vec![0; n];
        power[(bits - 1) / w] = 1 << ((bits - 1) % w);
        for _ in bits - 1..w * n {
            kernel.double(&mut power);
        }
        kernel.one.copy_from_slice(&power);
        // In Montgomery form doubling adds one to the exponent and squaring doubles it.
        let total = w * n;
        let squarings = total.trailing_zeros();
        for _ in 0..total >> squarings {
            kernel.double(&mut power);
        }
        let mut scratch = vec![0; kernel.scratch_words()];
        for _ in 0..squarings {
            kernel.square(&mut power, &mut scratch);
        }
        kernel.one_entered = power;
        kernel
    }

    fn n(&self) -> usize {
        self.modulus.len()
    }

    /// `x ← 2x mod p`.
    fn double(&self, x: &mut [u64]) {
        let mut carry = 0;
        for x in x.iter_mut() {
            (*x, carry) = add_carry::<W>(*x, *x, carry);
        }
        self.subtract_once(x, carry);
    }

    /// `x` with the carry word `high` on top, below 2p, becomes `x mod p`.
    fn subtract_once(&self, x: &mut [u64], high: u64) {
        let mut borrow = 0;
        for (&x, &p) in x.iter().zip(&self.modulus) {
            (_, borrow) = subtract_borrow::<W>(x, p, borrow);
        }
        // Keep x only if it is below p: the subtraction borrowed and there was no carry to pay for it.
        let subtract = !mask::less(high, borrow);
        borrow = 0;
        for (x, &p) in x.iter_mut().zip(&self.modulus) {
            (*x, borrow) = subtract_borrow::<W>(*x, p & subtract, borrow);
        }
    }

    /// One word of Montgomery reduction at the low end of `t`, whose first n words meet the modulus; `t[0]`
    /// becomes 0. Returns the carry out of those n words.
    #[inline(always)]
    fn reduce_row(&self, t: &mut [u64]) -> u64 {
        let quotient = t[0].wrapping_mul(self.negative_inverse) & word_mask::<W>();
        add_row::<W>(&mut t[..self.n()], &self.modulus, quotient)
    }

    /// `out ← t / 2^(W·n) mod p` for the 2n words `t < p·2^(W·n)`.
    fn reduce(&self, out: &mut [u64], t: &mut [u64]) {
        let n = self.n();
        let mut high = 0;
        for i in 0..n {
            let carry = self.reduce_row(&mut t[i..]);
            (t[i + n], high) = add_carry::<W>(t[i + n], carry, high);
        }
        out.copy_from_slice(&t[n..2 * n]);
        self.subtract_once(out, high);
    }
}

impl<const W: u32> Kernel for Portable<W> {
    fn name(&self) -> &'static str {
        match W {
            64 => "portable",
            8 => "portable8",
            _ => "portable4",
        }
    }

    fn layout(&self) -> [u8; 8] {
        match W {
            64 => *b"limbs64 ",
            8 => *b"limbs8  ",
            _ => *b"limbs4  ",
        }
    }

    fn residue_words(&self) -> usize {
        self.n()
    }

    fn prepared_words(&self, split: usize) -> usize {
        split * self.n()
    }

    fn max_split(&self) -> usize {
        // The sum of the pieces stays below split·2^(−W)·p + p < 2p.
        self.n().min(word_mask::<W>() as usize)
    }

    fn scratch_words(&self) -> usize {
        2 * self.n() + 2
    }

    fn limbs(&self) -> usize {
        self.limbs
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        if W == 64 {
            out.copy_from_slice(value);
        } else {
            out.copy_from_slice(&split_limbs::<W>(value, self.n()));
        }
        self.mul(out, &self.one_entered, scratch);
    }

    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let n = self.n();
        let t = &mut scratch[..2 * n];
        t[..n].copy_from_slice(a);
        t[n..].fill(0);
        for i in 0..n {
            // The value stays below p, so the carry is the whole top word.
            t[i + n] = self.reduce_row(&mut t[i..]);
        }
        join_words::<W>(out, &t[n..]);
    }

    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        let mut carry = 0;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, carry) = add_carry::<W>(*x, b, carry);
        }
        self.subtract_once(x, carry);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        let mut borrow = 0;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, borrow) = subtract_borrow::<W>(*x, b, borrow);
        }
        let add = mask::less(0, borrow);
        let mut carry = 0;
        for (x, &p) in x.iter_mut().zip(&self.modulus) {
            (*x, carry) = add_carry::<W>(*x, p & add, carry);
        }
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = self.n();
        let t = &mut scratch[..2 * n];
        t[..n].fill(0);
        for (i, &word) in x.iter().enumerate() {
            t[i + n] = add_row::<W>(&mut t[i..i + n], b, word);
        }
        self.reduce(x, t);
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        let n = self.n();
        let t = &mut scratch[..2 * n];
        t.fill(0);
        for i in 0..n {
            t[i + n] = add_row::<W>(&mut t[2 * i + 1..i + n], &x[i + 1..], x[i]);
        }
        let (mut shifted, mut carry) = (0, 0);
        for (i, &word) in x.iter().enumerate() {
            let (low, high) = multiply_add::<W>(0, word, word, 0);
            let doubled = (t[2 * i] << 1 | shifted) & word_mask::<W>();
            shifted = t[2 * i] >> (W - 1);
            (t[2 * i], carry) = add_carry::<W>(doubled, low, carry);
            let doubled = (t[2 * i + 1] << 1 | shifted) & word_mask::<W>();
            shifted = t[2 * i + 1] >> (W - 1);
            (t[2 * i + 1], carry) = add_carry::<W>(doubled, high, carry);
        }
        self.reduce(x, t);
    }

    // Piece i of c = ⌈n/split⌉ words is a·2^(W·(c·i + c + 1 − n)) mod p: the product takes c + 1 words of
    // reduction, one more than its length asks for, so that one masked subtraction makes it canonical.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        let n = self.n();
        if split == 1 {
            out.copy_from_slice(a);
            return;
        }
        let c = n.div_ceil(split);
        let mut value = vec![0; n + 1];
        value[..n].copy_from_slice(a);
        self.mul(&mut value[..n], &self.one_entered, scratch);
        // a·2^(W·n) now; each row divides by 2^W and stays below p. Highest piece first.
        let mut height = 2 * n; // n above the exponent, which becomes negative
        for i in (0..split).rev() {
            for _ in c * i + c + 1..height {
                value[n] = self.reduce_row(&mut value);
                value.copy_within(1.., 0);
            }
            height = c * i + c + 1;
            out[i * n..(i + 1) * n].copy_from_slice(&value[..n]);
        }
    }

    // Canonical, pieces included.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        words.chunks_exact(self.n()).all(|residue| residue.iter().rev().lt(self.modulus.iter().rev()))
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        if split == 1 {
            return self.mul(x, b, scratch);
        }
        let n = self.n();
        let c = n.div_ceil(split);
        let t = &mut scratch[..n + c + 2];
        t.fill(0);
        for k in 0..=c {
            if k < c {
                for (&word, piece) in x.iter().skip(k).step_by(c).zip(b.chunks_exact(n)) {
                    let carry = add_row::<W>(&mut t[k..k + n], piece, word);
                    let overflow;
                    (t[k + n], overflow) = add_carry::<W>(t[k + n], carry, 0);
                    t[k + n + 1] += overflow;
                }
            }
            let carry = self.reduce_row(&mut t[k..]);
            let overflow;
            (t[k + n], overflow) = add_carry::<W>(t[k + n], carry, 0);
            // For k = c there are n + 1 words left, and their top one takes the overflow.
            t[k + n + 1] += overflow;
        }
        x.copy_from_slice(&t[c + 1..c + 1 + n]);
        let high = t[c + 1 + n];
        self.subtract_once(x, high);
    }
}
