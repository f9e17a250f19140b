//! AVX-512 IFMA: 52-bit digits, eight to a vector.
//!
//! The modulus N is replaced by its multiple M = k·N ≡ −1 (mod 2^52), so that each quotient digit of the Montgomery
//! reduction is simply the lowest digit of the running sum: no multiplication stands in the dependency chain.
//! With H = (M + 1)/2^52, one step is t ← (t − t_0)/2^52 + t_0·H. Residues are x·2^(52·D) modulo M, below 2M, with
//! D digits such that 2^(52·D) > 4M: then a product of two residues is again below 2M, and nothing is subtracted.
//!
//! Eight steps make a block. In a block the lowest vector is worked off first, because all eight quotient digits
//! depend on it alone; the other vectors then take 8 digits of the multiplier and 8 quotient digits at once, which
//! is pure throughput. A factor shifted by s digits is an unaligned load (b) or a prepared copy (H).
//!
//! Bounds: a digit of a sum collects at most 4 parts below 2^52 for each digit of the factors, and D < 2^10, so that
//! 64 bits never overflow (longer moduli are left to the portable kernel). Carries are resolved exactly at the end of each operation: `vpmadd52` reads 52 bits.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use crypto_bigint::{BoxedUint, NonZero, Resize};

use super::{contract::Kernel, mask, words::Words};
use crate::limbs;

const DIGIT: u64 = (1 << 52) - 1;
/// So that no sum of 4·D parts overflows 64 bits.
const MAX_DIGITS: usize = 1000;

/// The AVX-512 IFMA kernel for one odd modulus.
pub struct Ifma52 {
    /// D = 8·vectors.
    digits: usize,
    vectors: usize,
    /// H shifted by 0..8 digits, `vectors + 1` vectors each.
    shifted: Words,
    /// H itself, for the scalar steps.
    high: Vec<u64>,
    one: Words,
    one_entered: Words,
    /// 2M in D digits.
    twice: Vec<u64>,
    /// N in 52-bit digits, and −N^(−1) mod 2^52.
    modulus: Vec<u64>,
    negative_inverse: u64,
    limbs: usize,
}

/// D digits of 52 bits.
fn to_digits(limbs: &[u64], digits: usize) -> Vec<u64> {
    (0..digits)
        .map(|i| {
            let bit = 52 * i;
            let low = limbs.get(bit / 64).copied().unwrap_or(0);
            let high = limbs.get(bit / 64 + 1).copied().unwrap_or(0);
            ((u128::from(high) << 64 | u128::from(low)) >> (bit % 64)) as u64 & DIGIT
        })
        .collect()
}

/// Inverse of [`to_digits`].
fn from_digits(out: &mut [u64], digits: &[u64]) {
    out.fill(0);
    for (i, &digit) in digits.iter().enumerate() {
        let bit = 52 * i;
        let wide = u128::from(digit) << (bit % 64);
        for (limb, part) in [(bit / 64, wide as u64), (bit / 64 + 1, (wide >> 64) as u64)] {
            if let Some(limb) = out.get_mut(limb) {
                *limb |= part;
            }
        }
    }
}

impl Ifma52 {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        #[cfg(feature = "std")]
        return std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512ifma");
        #[cfg(not(feature = "std"))]
        return cfg!(all(target_feature = "avx512f", target_feature = "avx512ifma"));
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs; None where the
    /// machine lacks the instructions.
    pub fn new(modulus: &[u64]) -> Option<Self> {
        if !Self::is_supported() {
            return None;
        }
        let limbs = modulus.len();
        let n = limbs::from_limbs(modulus);
        let bits = n.bits_vartime();
        // 2^(52·D) > 4M, M < 2^(bits + 52), in whole vectors.
        let vectors = (bits as usize + 54).div_ceil(52 * 8);
        let digits = 8 * vectors;
        if digits > MAX_DIGITS {
            return None;
        }

        let low = modulus[0];
        let mut inverse = low;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(low.wrapping_mul(inverse)));
        }
        let negative_inverse = inverse.wrapping_neg() & DIGIT;

        let wide = |x: &BoxedUint| x.resize(64 * (limbs as u32 + 2));
        let multiple = wide(&n).wrapping_mul(BoxedUint::from(negative_inverse));
        let twice = multiple.wrapping_add(&multiple);
        let high = multiple.wrapping_add(BoxedUint::one()).shr(52);
        let to_words = |x: &BoxedUint| limbs::to_limbs(x, 1).to_vec();
        let high = to_digits(&to_words(&high), digits);

        let mut shifted = Words::zero(8 * 8 * (vectors + 1));
        for (s, copy) in shifted.chunks_exact_mut(8 * (vectors + 1)).enumerate() {
            let length = digits.min(copy.len() - s);
            copy[s..s + length].copy_from_slice(&high[..length]);
        }
        let divisor: Option<NonZero<BoxedUint>> = n.to_nz().into();
        let divisor = divisor?;
        let power_of_two = |exponent: u32| {
            let power = BoxedUint::one_with_precision(exponent + 1).shl(exponent).rem_vartime(&divisor);
            let mut residue = Words::zero(8 * vectors);
            residue.copy_from_slice(&to_digits(&to_words(&power), digits));
            residue
        };
        Some(Self {
            digits,
            vectors,
            shifted,
            high,
            one: power_of_two(52 * digits as u32),
            one_entered: power_of_two(104 * digits as u32),
            twice: to_digits(&to_words(&twice), digits),
            modulus: to_digits(modulus, digits),
            negative_inverse,
            limbs,
        })
    }

    /// Digits of a piece of a prepared operand: c = 8·b − 1 for b blocks of reduction.
    fn piece(&self, split: usize) -> usize {
        8 * (self.digits.div_ceil(split) + 1).div_ceil(8) - 1
    }

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
        for (x, &twice) in x.iter_mut().zip(&self.twice) {
            let sum = *x + (twice & negative) + carry;
            *x = sum & DIGIT;
            carry = sum >> 52;
        }
    }
}

/// What a block multiplies: pieces of a factor and the multiplier digits of each.
struct Factor {
    pieces: *const u64,
    /// Words from one piece to the next.
    stride: usize,
    count: usize,
    multiplier: *const u64,
    /// Digits from one piece's multiplier to the next.
    step: usize,
    /// Digits of the multiplier: what lies beyond is zero.
    digits: usize,
}

impl Factor {
    /// Multiplier digits `first .. first + 8` of a piece, each in all lanes; those outside its range are 0.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn multipliers(&self, piece: usize, first: usize) -> [__m512i; 8] {
        let start = piece * self.step;
        let end = self.digits.min(start + self.step);
        core::array::from_fn(|s| {
            let index = start + first + s;
            if index < end {
                // SAFETY: the index lies within the multiplier's digits.
                _mm512_set1_epi64(unsafe { *self.multiplier.add(index) } as i64)
            } else {
                _mm512_setzero_si512()
            }
        })
    }
}

/// What the vectors above the lowest take from a block.
struct Step {
    /// The multiplier digits of the first piece, each in all lanes.
    x: [__m512i; 8],
    /// Their index: the other pieces' digits are read when their turn comes.
    first: usize,
    /// The quotient digits, each in all lanes.
    quotients: [__m512i; 8],
    /// The carry out of the lowest vector, in lane 0.
    carry: __m512i,
}

impl Ifma52 {
    /// Eight words of a factor, lanes 8·j − s …; lanes outside its `8·vectors` words are 0.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn load<const EDGE: bool>(&self, factor: *const u64, j: usize, s: usize) -> __m512i {
        // SAFETY: masked lanes are not accessed; the others lie within the factor.
        unsafe {
            let address = factor.wrapping_offset(8 * j as isize - s as isize) as *const i64;
            if !EDGE {
                return _mm512_loadu_epi64(address);
            }
            let valid: u8 = if j == 0 { ((0xffu32 << s) & 0xff) as u8 } else { ((1u32 << s) - 1) as u8 };
            _mm512_maskz_loadu_epi64(valid, address)
        }
    }

    /// H shifted by s digits, vector j.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn high(&self, j: usize, s: usize) -> __m512i {
        let index = (s % 8) * (self.vectors + 1) + j - s / 8;
        // SAFETY: the index lies within the eight copies of vectors + 1 vectors.
        unsafe { _mm512_loadu_epi64(self.shifted.as_ptr().add(8 * index) as *const i64) }
    }

    /// Adds a block of multiplier digits times the factor to `sums`, vectors j … j + G − 1, low and high halves.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn multiply_block<const G: usize, const EDGE: bool>(
        &self,
        sums: &mut [[__m512i; 2]; G],
        factor: *const u64,
        j: usize,
        x: &[__m512i; 8],
    ) {
        for s in 0..=8 {
            for (g, [low, high]) in sums.iter_mut().enumerate() {
                // SAFETY: as for `load`.
                let b = unsafe { self.load::<EDGE>(factor, j + g, s) };
                if s < 8 {
                    *low = _mm512_madd52lo_epu64(*low, b, x[s]);
                }
                if s > 0 {
                    *high = _mm512_madd52hi_epu64(*high, b, x[s - 1]);
                }
            }
        }
    }

    /// Works vectors j … j + G − 1 of a block off and moves them one vector down.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn advance<const G: usize, const EDGE: bool>(
        &self,
        acc: *mut __m512i,
        j: usize,
        factor: &Factor,
        step: &Step,
    ) {
        // SAFETY: acc has vectors + 1 vectors, j + G − 1 ≤ vectors; as for `load` and `high`.
        unsafe {
            let zero = _mm512_setzero_si512();
            let mut sums = [[zero; 2]; G];
            self.multiply_block::<G, EDGE>(&mut sums, factor.pieces, j, &step.x);
            for piece in 1..factor.count {
                let x = factor.multipliers(piece, step.first);
                self.multiply_block::<G, EDGE>(&mut sums, factor.pieces.add(piece * factor.stride), j, &x);
            }
            let mut reductions = [[zero; 2]; G];
            for s in 1..=9 {
                for (g, [low, high]) in reductions.iter_mut().enumerate() {
                    let h = self.high(j + g, s);
                    if s < 9 {
                        *low = _mm512_madd52lo_epu64(*low, h, step.quotients[s - 1]);
                    }
                    if s > 1 {
                        *high = _mm512_madd52hi_epu64(*high, h, step.quotients[s - 2]);
                    }
                }
            }
            for g in 0..G {
                let old = _mm512_loadu_si512(acc.add(j + g));
                let product = _mm512_add_epi64(sums[g][0], sums[g][1]);
                let reduction = _mm512_add_epi64(reductions[g][0], reductions[g][1]);
                let mut sum = _mm512_add_epi64(_mm512_add_epi64(old, product), reduction);
                if j + g == 1 {
                    sum = _mm512_add_epi64(sum, step.carry);
                }
                _mm512_storeu_si512(acc.add(j + g - 1), sum);
            }
        }
    }

    /// One block: eight digits of each multiplier from `first` on, and eight steps of reduction.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn block(&self, acc: *mut __m512i, factor: &Factor, first: usize) {
        // SAFETY: acc has vectors + 1 vectors; as for `load` and `high`.
        unsafe {
            let zero = _mm512_setzero_si512();
            let x = factor.multipliers(0, first);
            let mut sums = [[zero; 2]; 1];
            self.multiply_block::<1, true>(&mut sums, factor.pieces, 0, &x);
            for piece in 1..factor.count {
                let x = factor.multipliers(piece, first);
                let pieces = factor.pieces.add(piece * factor.stride);
                self.multiply_block::<1, true>(&mut sums, pieces, 0, &x);
            }
            let base = _mm512_add_epi64(sums[0][0], sums[0][1]);
            let mut base = _mm512_add_epi64(base, _mm512_loadu_si512(acc));

            // The quotient digits, one after the other: lane s of the sum and the carry of the lane below.
            let mut quotients = [zero; 8];
            let mut reduction = zero;
            let mut carry = zero;
            for (s, quotient) in quotients.iter_mut().enumerate() {
                let lane = _mm512_set1_epi64(s as i64);
                let sum = _mm512_add_epi64(base, reduction);
                let digit = _mm512_add_epi64(_mm512_permutexvar_epi64(lane, sum), carry);
                carry = _mm512_srli_epi64::<52>(digit);
                *quotient = digit;
                if s < 7 {
                    reduction = _mm512_madd52lo_epu64(reduction, self.high(0, s + 1), digit);
                }
                if s < 6 {
                    base = _mm512_madd52hi_epu64(base, self.high(0, s + 2), digit);
                }
            }
            let step = Step { x, first, quotients, carry: _mm512_maskz_mov_epi64(1, carry) };

            let inner = self.vectors - 1;
            let mut j = 1;
            while j < inner {
                self.advance::<2, false>(acc, j, factor, &step);
                j += 2;
            }
            if j <= inner {
                self.advance::<1, false>(acc, j, factor, &step);
            }
            self.advance::<1, true>(acc, self.vectors, factor, &step);
            _mm512_storeu_si512(acc.add(self.vectors), zero);
        }
    }

    /// `out` ← the sums in `acc` with all carries resolved.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn normalise(&self, out: *mut u64, acc: *mut __m512i) {
        // SAFETY: acc and out have `vectors` vectors.
        unsafe {
            let digit = _mm512_set1_epi64(DIGIT as i64);
            let one = _mm512_set1_epi64(1);
            let mut below = _mm512_setzero_si512();
            let mut carry = 0u64;
            for start in (0..self.vectors).step_by(8) {
                let count = (self.vectors - start).min(8);
                let (mut generate, mut propagate) = (0u64, 0u64);
                for i in 0..count {
                    let sum = _mm512_loadu_si512(acc.add(start + i));
                    let high = _mm512_srli_epi64::<52>(sum);
                    let carried = _mm512_alignr_epi64::<7>(high, below);
                    below = high;
                    let sum = _mm512_add_epi64(_mm512_and_si512(sum, digit), carried);
                    generate |= u64::from(_mm512_cmpgt_epu64_mask(sum, digit)) << (8 * i);
                    propagate |= u64::from(_mm512_cmpeq_epu64_mask(sum, digit)) << (8 * i);
                    _mm512_storeu_si512(acc.add(start + i), sum);
                }
                // A carry runs through lanes of all ones as it does in an addition of the masks.
                let (sum, overflow) = propagate.overflowing_add(generate << 1 | carry);
                let carries = sum ^ propagate;
                carry = generate >> 63 | u64::from(overflow);
                if count < 8 {
                    carry = 0;
                }
                for i in 0..count {
                    let sum = _mm512_loadu_si512(acc.add(start + i));
                    let sum = _mm512_mask_add_epi64(sum, (carries >> (8 * i)) as u8, sum, one);
                    let sum = _mm512_and_si512(sum, digit);
                    _mm512_storeu_si512(out.add(8 * (start + i)) as *mut __m512i, sum);
                }
            }
        }
    }

    /// `x` ← the factor times its multiplier digits, reduced by `blocks` blocks.
    #[target_feature(enable = "avx512f,avx512ifma")]
    unsafe fn multiply(&self, x: *mut u64, factor: &Factor, blocks: usize, scratch: &mut [u64]) {
        assert!(scratch.len() >= self.scratch_words());
        // SAFETY: the scratch space holds vectors + 1 vectors; factor and x are valid for this kernel.
        unsafe {
            let acc = scratch.as_mut_ptr() as *mut __m512i;
            for i in 0..=self.vectors {
                _mm512_storeu_si512(acc.add(i), _mm512_setzero_si512());
            }
            for block in 0..blocks {
                self.block(acc, factor, 8 * block);
            }
            self.normalise(x, acc);
        }
    }

    /// The masked look-up, eight vectors of the entries at a time.
    #[target_feature(enable = "avx512f")]
    unsafe fn select_vectors(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        let size = out.len();
        let none = mask::equal(index, 0) as i64;
        for (block, out) in out.chunks_mut(64).enumerate() {
            let vectors = out.len() / 8;
            // SAFETY: every address lies within its slice: block·64 + 8·v + 8 ≤ size.
            unsafe {
                let at = |entry: *const u64, v: usize| {
                    _mm512_loadu_epi64(entry.add(64 * block + 8 * v) as *const i64)
                };
                let mut found: [__m512i; 8] = core::array::from_fn(|v| {
                    let word = if v < vectors { at(first.as_ptr(), v) } else { _mm512_setzero_si512() };
                    _mm512_and_si512(word, _mm512_set1_epi64(none))
                });
                for (i, entry) in row.chunks_exact(size).enumerate() {
                    let keep = _mm512_set1_epi64(mask::equal(i as u64 + 1, index) as i64);
                    for (v, found) in found.iter_mut().enumerate() {
                        if v < vectors {
                            // found | (word & keep)
                            *found = _mm512_ternarylogic_epi64::<0xf8>(*found, at(entry.as_ptr(), v), keep);
                        }
                    }
                }
                for (v, found) in found.iter().enumerate().take(vectors) {
                    _mm512_storeu_si512(out.as_mut_ptr().add(8 * v) as *mut __m512i, *found);
                }
            }
        }
    }

    /// `out ← multiplier·b` for two residues, any of which may be `out`.
    fn product(&self, out: *mut u64, multiplier: *const u64, b: *const u64, scratch: &mut [u64]) {
        let digits = self.digits;
        let factor = Factor { pieces: b, stride: 0, count: 1, multiplier, step: digits, digits };
        // SAFETY: the constructor saw the instructions; callers pass residues of this kernel.
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
        let difference = t.iter().zip(&self.modulus).fold(0, |difference, (t, n)| difference | (t ^ n));
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
        self.product(x.as_mut_ptr(), x.as_ptr(), b.as_ptr(), scratch);
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.residue_words());
        self.product(x.as_mut_ptr(), x.as_ptr(), x.as_ptr(), scratch);
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
        let multiplier = x.as_ptr();
        let factor =
            Factor { pieces: b.as_ptr(), stride, count: split, multiplier, step: c, digits: self.digits };
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply(x.as_mut_ptr(), &factor, (c + 1) / 8, scratch) }
    }
}
