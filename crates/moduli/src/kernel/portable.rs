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
use zeroize::Zeroizing;

use super::{
    contract::Kernel,
    mask,
    rows::{
        PAD, ROWS, add_carry, add_four_rows, add_products, add_row, add_rows_carry, add_two_rows, is_below,
        multiply_add, pad, shifted, subtract_borrow, subtract_row, word_mask,
    },
};
use crate::limbs;

/// Montgomery arithmetic on words of `W` bits: 64 in earnest, 4 or 8 in tests. What it holds of the modulus is wiped
/// on drop.
pub struct Portable<const W: u32> {
    /// The modulus between [`PAD`] zero words on both sides.
    padded: Zeroizing<Vec<u64>>,
    /// 2^(W·n) mod p: the residue 1.
    one: Zeroizing<Vec<u64>>,
    /// 2^(2·W·n) mod p.
    one_entered: Zeroizing<Vec<u64>>,
    /// −p^(−1) mod 2^W.
    negative_inverse: u64,
    limbs: usize,
}

/// From so many words on a combined pair is faster than two products. Tiny words take it whenever they can: for tests.
const fn pair_words<const W: u32>() -> usize {
    if W == 64 { 28 } else { ROWS + 2 }
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
    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs: what
    /// [`Modulus::new`](crate::Modulus::new) has checked. Variable-time in the modulus.
    ///
    /// # Panics
    /// If there are no limbs.
    pub fn new(modulus: &[u64]) -> Self {
        debug_assert!(modulus[0] & 1 == 1 && *modulus.last().unwrap_or(&0) != 0);
        let count = modulus.len();
        let bits = 64 * count - modulus[count - 1].leading_zeros() as usize;
        let n = bits.div_ceil(W as usize);
        let mut padded = vec![0; n + 2 * PAD];
        padded[PAD..PAD + n].copy_from_slice(&split_limbs::<W>(modulus, n));

        let inverse = limbs::inverse_of_word(padded[PAD]);
        let mut kernel = Self {
            padded: Zeroizing::new(padded),
            one: Zeroizing::new(vec![0; n]),
            one_entered: Zeroizing::default(),
            negative_inverse: inverse.wrapping_neg() & word_mask::<W>(),
            limbs: count,
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
        kernel.one_entered = Zeroizing::new(power);
        kernel
    }

    fn n(&self) -> usize {
        self.one.len()
    }

    fn modulus(&self) -> &[u64] {
        &self.padded[PAD..PAD + self.n()]
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
        let borrow = is_below::<W>(x, self.modulus());
        // Keep x only if it is below p: the subtraction borrows and there is no carry to pay for it.
        let subtract = !mask::less(high, borrow as u64);
        subtract_row::<W>(x, self.modulus(), subtract);
    }

    /// `out ← t / 2^(W·rows) mod p` for the n + rows words `t < p·2^(W·rows)`, or less than p above that.
    fn reduce(&self, out: &mut [u64], t: &mut [u64]) {
        let n = self.n();
        let rows = t.len() - n;
        // The carry out of the words reduced so far, 0 or 1; it belongs to t[i + n].
        let mut high = 0;
        for i in (0..rows - rows % ROWS).step_by(ROWS) {
            let t = &mut t[i..=i + n + PAD];
            for t in &mut t[n..] {
                (*t, high) = add_carry::<W>(*t, 0, high);
            }
            let quotients = self.quotients::<ROWS>(core::array::from_fn(|m| t[m]));
            let rows = self.padded.windows(ROWS).map(|p| [p[3], p[2], p[1], p[0]]);
            let carry = add_four_rows::<W>(&mut t[..n + PAD], rows, quotients);
            let overflow;
            (t[n + PAD], overflow) = add_rows_carry::<W>(t[n + PAD], carry);
            high += overflow;
        }
        for i in rows - rows % ROWS..rows {
            let quotient = t[i].wrapping_mul(self.negative_inverse) & word_mask::<W>();
            let carry = add_row::<W>(&mut t[i..i + n], self.modulus(), quotient);
            (t[i + n], high) = add_carry::<W>(t[i + n], carry, high);
        }
        out.copy_from_slice(&t[rows..]);
        self.subtract_once(out, high);
    }

    /// The multiples of the modulus, each shifted up by one more word, that clear the words `low`.
    #[inline(always)]
    fn quotients<const N: usize>(&self, mut low: [u64; N]) -> [u64; N] {
        core::array::from_fn(|m| {
            let quotient = low[m].wrapping_mul(self.negative_inverse) & word_mask::<W>();
            add_row::<W>(&mut low[m..], &self.padded[PAD..PAD + N - m], quotient);
            quotient
        })
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
        // Of all operations the combined pair needs most: the operand on its way up, and two sums.
        4 * self.n() + 2 * PAD + 2 * ROWS + 3
    }

    fn limbs(&self) -> usize {
        self.limbs
    }

    fn one(&self) -> &[u64] {
        &self.one
    }

    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.load(out, value, scratch);
        self.mul(out, &self.one_entered, scratch);
    }

    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
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
        let mut carry = 0;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, carry) = add_carry::<W>(*x, b, carry);
        }
        self.subtract_once(x, carry);
    }

    fn sub(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {
        let mut borrow = false;
        for (x, &b) in x.iter_mut().zip(b) {
            (*x, borrow) = subtract_borrow::<W>(*x, b, borrow);
        }
        let add = mask::less(0, borrow as u64);
        let mut carry = 0;
        for (x, &p) in x.iter_mut().zip(self.modulus()) {
            (*x, carry) = add_carry::<W>(*x, p & add, carry);
        }
    }

    // Two words of x at a time, and the two words of reduction that they call for, in one pass of four rows.
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = self.n();
        let (t, padded) = scratch[..3 * n + 2 * PAD + 1].split_at_mut(2 * n + 1);
        t[..=n].fill(0);
        pad(padded, b);
        let (pairs, last) = x.as_chunks::<2>();
        for (i, &[x0, x1]) in (0..).step_by(2).zip(pairs) {
            // Between the passes t is below 2p: its top word t[i + n] is 0 or 1.
            let t = &mut t[i..i + n + 3];
            let (low, carry) = multiply_add::<W>(t[0], x0, b[0], 0);
            let (next, _) = multiply_add::<W>(t[1], x0, padded[PAD + 1], carry);
            let (next, _) = multiply_add::<W>(next, x1, b[0], 0);
            let q = self.quotients([low, next]);
            let rows = padded[PAD - 1..].windows(2).zip(self.padded[PAD - 1..].windows(2));
            let rows = rows.map(|(b, p)| [b[1], b[0], p[1], p[0]]);
            let carry = add_four_rows::<W>(&mut t[..=n], rows, [x0, x1, q[0], q[1]]);
            (t[n + 1], t[n + 2]) = add_rows_carry::<W>(0, carry);
        }
        let mut high = t[2 * n];
        if let &[word] = last {
            let t = &mut t[n - 1..];
            let carry = add_row::<W>(&mut t[..n], b, word);
            (t[n], high) = add_carry::<W>(t[n], carry, 0);
            let quotient = t[0].wrapping_mul(self.negative_inverse) & word_mask::<W>();
            let carry = add_row::<W>(&mut t[..n], self.modulus(), quotient);
            let overflow;
            (t[n], overflow) = add_carry::<W>(t[n], carry, 0);
            high += overflow;
        }
        x.copy_from_slice(&t[n..2 * n]);
        self.subtract_once(x, high);
    }

    // The words above the diagonal, doubled, and the diagonal.
    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        let n = self.n();
        let (t, padded) = scratch[..3 * n + 2 * PAD].split_at_mut(2 * n);
        t.fill(0);
        pad(padded, x);
        for (i, &words) in (0..).step_by(2).zip(x.as_chunks::<2>().0) {
            // The first row meets two words before the second one has crossed the diagonal.
            let row = &padded[PAD + i + 1..];
            let carry = add_row::<W>(&mut t[2 * i + 1..2 * i + 3], &row[..2], words[0]);
            let above = &mut t[2 * i + 3..i + n + 1];
            let carry = add_two_rows::<W>(above, shifted(&row[1..]), words, carry as u128);
            t[i + n + 1] = carry as u64;
        }
        let (mut lifted, mut carry) = (0, 0);
        for (i, &word) in x.iter().enumerate() {
            let (low, high) = multiply_add::<W>(0, word, word, 0);
            let doubled = (t[2 * i] << 1 | lifted) & word_mask::<W>();
            lifted = t[2 * i] >> (W - 1);
            (t[2 * i], carry) = add_carry::<W>(doubled, low, carry);
            let doubled = (t[2 * i + 1] << 1 | lifted) & word_mask::<W>();
            lifted = t[2 * i + 1] >> (W - 1);
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
        // From a·2^(W·n) down to the highest piece, and then from piece to piece.
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

    // Canonical, pieces included.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        words.chunks_exact(self.n()).all(|residue| residue.iter().rev().lt(self.modulus().iter().rev()))
    }

    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        if split == 1 {
            return self.mul(x, b, scratch);
        }
        let n = self.n();
        let c = n.div_ceil(split);
        let t = &mut scratch[..n + c + 1];
        t.fill(0);
        for k in 0..c {
            // Word k of every part of x that has one, each with its piece of b.
            let parts = (n - k).div_ceil(c);
            let word = |part: usize| x[k + part * c];
            let piece = |part: usize| &b[part * n..(part + 1) * n];
            let mut part = 0;
            while part < parts {
                let row = &mut t[k..k + n];
                let (carry, done) = match parts - part {
                    1 => (add_row::<W>(row, piece(part), word(part)) as u128, 1),
                    2 | 3 => {
                        let [first, second] = [part, part + 1];
                        let words = [word(first), word(second)];
                        (add_two_rows::<W>(row, [piece(first), piece(second)], words, 0), 2)
                    }
                    _ => {
                        let parts: [usize; ROWS] = core::array::from_fn(|m| part + m);
                        let [first, second, third, fourth] = parts.map(piece);
                        let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
                        let rows = rows.map(|((&a, &b), (&c, &d))| [a, b, c, d]);
                        (add_four_rows::<W>(row, rows, parts.map(word)), ROWS)
                    }
                };
                let overflow;
                (t[k + n], overflow) = add_rows_carry::<W>(t[k + n], carry);
                t[k + n + 1] += overflow;
                part += done;
            }
        }
        self.reduce(x, t);
    }

    // Each factor meets the common operand, which is reduced only once for both: ARITH 2015, Algorithm 5, four words
    // at a time. The top `tail` words of the factors meet a itself, four more words each time a has lost four; the
    // tail is longer than that so that all but its own part of the sum is small.
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let n = self.n();
        let blocks = n.saturating_sub(ROWS + 1) / ROWS;
        if n < pair_words::<W>() || blocks > word_mask::<W>() as usize {
            self.mul(x, a, scratch);
            return self.mul(y, a, scratch);
        }
        let tail = n - ROWS * blocks;
        // The operand moves up by four words each time: below it are the words that the reduction has cleared. It may
        // reach p, hence a word more.
        let (operand, scratch) = scratch.split_at_mut(n + 1 + ROWS * blocks + 2 * PAD);
        let (left, scratch) = scratch.split_at_mut(n + tail + 1);
        let right = &mut scratch[..n + tail + 1];
        pad(operand, a);
        left.fill(0);
        right.fill(0);
        add_products::<W>(left, &operand[..n + 1 + 2 * PAD], &x[n - tail..]);
        add_products::<W>(right, &operand[..n + 1 + 2 * PAD], &y[n - tail..]);
        for start in (0..n - tail).rev().step_by(ROWS).map(|last| last + 1 - ROWS) {
            let low = n - tail - ROWS - start;
            let t = &mut operand[low + PAD..low + PAD + n + 1 + PAD];
            let quotients = self.quotients::<ROWS>(core::array::from_fn(|m| t[m]));
            let rows = self.padded.windows(ROWS).map(|p| [p[3], p[2], p[1], p[0]]);
            let carry = add_four_rows::<W>(&mut t[..n + PAD], rows, quotients);
            t[n + PAD] = carry as u64;
            let padded = &operand[low + ROWS..low + ROWS + n + 1 + 2 * PAD];
            add_products::<W>(left, padded, &x[start..start + ROWS]);
            add_products::<W>(right, padded, &y[start..start + ROWS]);
        }
        for (product, sum) in [(x, left), (y, right)] {
            // Below (1 + blocks/2^W)·p·2^(W·tail), hence below twice what `reduce` takes.
            let (sum, high) = sum.split_at_mut(n + tail);
            self.subtract_once(&mut sum[tail..], high[0]);
            self.reduce(product, sum);
        }
    }
}
