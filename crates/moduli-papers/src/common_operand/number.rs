//! Numbers as words, Algorithm 1, and sums.

use alloc::{format, vec, vec::Vec};

use crypto_bigint::BoxedUint;

use super::word::{Meter, Word};
use moduli::{Error, MAX_MODULUS_BITS};
use moduli_kernel::limbs;

/// A number with a given number of W-bit words, low word first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number<const W: u32>(pub(super) Vec<Word<W>>);

impl<const W: u32> Number<W> {
    /// `value` in `words` words.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it does not fit, or if there are more words than any product of two
    /// numbers needs.
    pub fn new(value: &BoxedUint, words: usize) -> Result<Self, Error> {
        let limbs = limbs::to_limbs(value, 1);
        let room = u64::from(W).saturating_mul(words as u64);
        if u64::from(limbs::bit_length_vartime(&limbs)) > room || room > 4 * u64::from(MAX_MODULUS_BITS) {
            return Err(Error::parameter(
                "number",
                format!("{words} words of {W} bits are too few or too many"),
            ));
        }
        let field = |start: u32| {
            let high = if W > 32 { limbs::bit_field(&limbs, start + 32, W - 32) << 32 } else { 0 };
            Word::new(limbs::bit_field(&limbs, start, W.min(32)) | high)
        };
        Ok(Self((0..words as u32).map(|i| field(i * W)).collect()))
    }

    /// Its value.
    pub fn value(&self) -> BoxedUint {
        let mut limbs = vec![0u64; (self.0.len() * W as usize).div_ceil(64).max(1)];
        for (i, word) in self.0.iter().enumerate() {
            let (limb, shift) = (i * W as usize / 64, i * W as usize % 64);
            limbs[limb] |= word.value() << shift;
            if shift + W as usize > 64 {
                limbs[limb + 1] |= word.value() >> (64 - shift);
            }
        }
        limbs::from_limbs(&limbs)
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.0.len()
    }
}

/// Algorithm 1, Word-multiplication: a·B, one word longer than B. n MUL and n ADD.
pub(super) fn word_multiplication<const W: u32>(
    meter: &mut Meter,
    a: Word<W>,
    b: &[Word<W>],
) -> Vec<Word<W>> {
    let mut x = vec![Word::ZERO; b.len() + 1];
    let mut carry = false;
    for (j, &b_j) in b.iter().enumerate() {
        let (v, u) = meter.multiply(a, b_j);
        x[j] = if j == 0 { u } else { meter.add(x[j], u, &mut carry) };
        x[j + 1] = v;
    }
    x[b.len()] = meter.add(x[b.len()], Word::ZERO, &mut carry);
    assert!(!carry, "a·B is below 2^(w(n+1))");
    x
}

/// X ← X + Y over all words of X, one ADD each. Y may be shorter, and the sum must fit.
pub(super) fn accumulate<const W: u32>(meter: &mut Meter, x: &mut [Word<W>], y: &[Word<W>]) {
    let mut carry = false;
    for (i, x_i) in x.iter_mut().enumerate() {
        *x_i = meter.add(*x_i, y.get(i).copied().unwrap_or(Word::ZERO), &mut carry);
    }
    assert!(!carry && y.len() <= x.len(), "the sum fits");
}

/// X − N if X ≥ N, otherwise X. Both cases take the n ADD of the subtraction, so that the count
/// reveals nothing.
pub(super) fn subtract_once<const W: u32>(meter: &mut Meter, x: &[Word<W>], n: &[Word<W>]) -> Vec<Word<W>> {
    let mut borrow = false;
    let difference: Vec<_> = x.iter().zip(n).map(|(&x, &n)| meter.subtract(x, n, &mut borrow)).collect();
    if borrow { x.to_vec() } else { difference }
}

/// X if `first`, otherwise Y. Reads both.
pub(super) fn choose<const W: u32>(
    meter: &mut Meter,
    first: bool,
    x: &[Word<W>],
    y: &[Word<W>],
) -> Vec<Word<W>> {
    x.iter().zip(y).map(|(&x, &y)| meter.select(first, x, y)).collect()
}

/// Whether constant + Σ factor·X is negative. For assertions and checks, so nothing is counted.
pub(super) fn is_negative<const W: u32>(constant: i64, terms: &[(i64, &[Word<W>])]) -> bool {
    let length = terms.iter().map(|(_, x)| x.len()).max().unwrap_or(0);
    let mut carry = i128::from(constant);
    for i in 0..length {
        for (factor, x) in terms {
            carry += i128::from(*factor) * x.get(i).map_or(0, |x| i128::from(x.value()));
        }
        carry >>= W;
    }
    carry < 0
}
