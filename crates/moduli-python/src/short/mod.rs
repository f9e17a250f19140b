//! Powers and inverses modulo numbers of at most four words, and powers by an exponent of one word modulo at
//! most eight. The modulus may be odd or even. These functions are for public numbers, work on the stack, and
//! prepare nothing. All of them are variable-time.
//!
//! Preparing such a modulus, or finding it in a cache of many, would take longer than the arithmetic.

use moduli_kernel::invert_vartime;
use pyo3::{ffi, prelude::*, types::PyInt};
use std::ffi::c_int;

use crate::{digits, mpz};

mod divisor;
mod ring;
mod words;

pub use words::WORDS;

use divisor::Divisor;
use ring::{Binary, Montgomery, Ring, inverse_modulo_binary, window_power};
use words::{MORE_WORDS, difference, masked, resized, shifted_down, sum, trailing_zeros, unit};

/// A public number of at most W words.
#[derive(Clone, Copy)]
pub struct Number<const W: usize> {
    /// Whether it is below zero.
    pub negative: bool,
    /// Its absolute value, the least word first.
    pub words: [u64; W],
}

/// A public number of at most four words.
pub type Short = Number<WORDS>;

/// A public number of at most eight words.
pub type Longer = Number<MORE_WORDS>;

impl<const W: usize> Number<W> {
    /// Whether the batches support it as a modulus.
    pub fn is_odd_and_positive(&self) -> bool {
        !self.negative && self.words[0] & 1 == 1
    }

    /// The number of words without leading zeros.
    fn len(&self) -> usize {
        self.words.iter().rposition(|&word| word != 0).map_or(0, |top| top + 1)
    }

    /// The number that an object is, if it is an integer or `mpz` of at most W words. Cost: some nanoseconds;
    /// 25 ns a word if integers cannot be read directly from memory.
    pub fn read(object: &Bound<'_, PyAny>) -> Option<Self> {
        let Ok(integer) = object.cast_exact::<PyInt>() else {
            return mpz::gmpy2(object.py())?.read(object, |negative, limbs| {
                let mut words = [0; W];
                words.get_mut(..limbs.len())?.copy_from_slice(limbs);
                Some(Self { negative, words })
            })?;
        };
        let read = digits::read(integer, |negative, digits| {
            let bits = digits.bits();
            let mut words = [0; W];
            digits.to_limbs(words.get_mut(..bits.div_ceil(64))?);
            Some(Self { negative, words })
        });
        read.unwrap_or_else(|| Self::by_shifts(integer))
    }

    /// Reads an integer by the stable interface.
    fn by_shifts(integer: &Bound<'_, PyInt>) -> Option<Self> {
        let negative = match small(integer) {
            Ok(value) => return Some(Self { negative: value < 0, words: resized(&[value.unsigned_abs()]) }),
            Err(negative) => negative,
        };
        let mut rest = if negative { integer.neg().ok()? } else { integer.clone().into_any() };
        let mut words = [0; W];
        for i in 0..W {
            // SAFETY: the pointer is that of a live Python integer, and this thread is attached. The call
            // cannot fail for an integer.
            #[allow(unsafe_code)]
            let low = unsafe { ffi::PyLong_AsUnsignedLongLongMask(rest.as_ptr()) };
            words[i] = low;
            rest = rest.rshift(64).ok()?;
            if let Ok(last) = small(&rest) {
                if last != 0 {
                    *words.get_mut(i + 1)? = last as u64;
                }
                return Some(Self { negative, words });
            }
        }
        None
    }
}

/// The sign and the magnitude of an integer or `mpz` of one word. Cost: some nanoseconds.
#[inline]
pub fn word(object: &Bound<'_, PyAny>) -> Option<(bool, u64)> {
    if object.is_exact_instance_of::<PyInt>() {
        return small(object).ok().map(|value| (value < 0, value.unsigned_abs()));
    }
    mpz::gmpy2(object.py())?.read(object, |negative, limbs| match limbs {
        [] => Some((false, 0)),
        &[word] => Some((negative, word)),
        _ => None,
    })?
}

/// The value of an integer, if it is a signed one of 64 bits; else whether it is below zero.
fn small(integer: &Bound<'_, PyAny>) -> Result<i64, bool> {
    let mut overflow: c_int = 0;
    // SAFETY: the pointer is that of a live Python integer, this thread is attached, and `overflow` outlives
    // the call.
    #[allow(unsafe_code)]
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(integer.as_ptr(), &mut overflow) };
    if overflow == 0 { Ok(value) } else { Err(overflow < 0) }
}

/// x^y modulo m, with the sign of m; None if m is 0, or y negative and x not invertible.
pub fn power(x: &Short, y: &Short, m: &Short) -> Option<Short> {
    match m.len() {
        0 => None,
        1 => signed_power::<1, WORDS>(x, y, m),
        2 => signed_power::<2, WORDS>(x, y, m),
        3 => signed_power::<3, WORDS>(x, y, m),
        _ => signed_power::<4, WORDS>(x, y, m),
    }
}

/// As `power`, modulo five to eight words, by an exponent of a word. None for other lengths of m, too.
pub fn power_by_word(x: &Longer, y: (bool, u64), m: &Longer) -> Option<Longer> {
    let y = Number { negative: y.0, words: resized(&[y.1]) };
    match m.len() {
        5 => signed_power::<5, MORE_WORDS>(x, &y, m),
        6 => signed_power::<6, MORE_WORDS>(x, &y, m),
        7 => signed_power::<7, MORE_WORDS>(x, &y, m),
        8 => signed_power::<8, MORE_WORDS>(x, &y, m),
        _ => None,
    }
}

/// x^y modulo m, with the sign of m, for an m of N words.
fn signed_power<const N: usize, const W: usize>(
    x: &Number<W>,
    y: &Number<W>,
    m: &Number<W>,
) -> Option<Number<W>> {
    let words = resized(&power_modulo::<N, W>(x, y, m)?);
    if m.negative && words != [0; W] {
        return Some(Number { negative: true, words: difference(&m.words, &words).0 });
    }
    Some(Number { negative: false, words })
}

/// x^(−1) modulo |m|, for words with their signs; None if there is none, or m is 0.
pub fn inverse_of_word((negative, x): (bool, u64), (_, m): (bool, u64)) -> Option<u64> {
    if m <= 1 {
        return (m == 1).then_some(0);
    }
    let x = if x < m { x } else { x % m };
    invert_word(x, m).map(|inverse| if negative { m - inverse } else { inverse })
}

/// x^(−1) modulo |m|; None if there is none, or m is 0.
pub fn inverse(x: &Short, m: &Short) -> Option<[u64; WORDS]> {
    match m.len() {
        0 => None,
        1 => inverse_modulo::<1>(x, m),
        2 => inverse_modulo::<2>(x, m),
        3 => inverse_modulo::<3>(x, m),
        _ => inverse_modulo::<4>(x, m),
    }
}

fn inverse_modulo<const N: usize>(x: &Short, m: &Short) -> Option<[u64; WORDS]> {
    let modulus: [u64; N] = resized(&m.words);
    if modulus == unit() {
        return Some([0; WORDS]);
    }
    invert(&remainder::<N, WORDS>(x, m), &modulus).map(|inverse| resized(&inverse))
}

/// x^y modulo |m|, for an m of N words.
fn power_modulo<const N: usize, const W: usize>(
    x: &Number<W>,
    y: &Number<W>,
    m: &Number<W>,
) -> Option<[u64; N]> {
    let modulus: [u64; N] = resized(&m.words);
    if modulus == unit() {
        return Some([0; N]);
    }
    let mut base = remainder::<N, W>(x, m);
    if y.negative {
        base = invert(&base, &modulus)?;
    }
    let y = &y.words[..y.len()];
    let zeros = trailing_zeros(&modulus);
    if zeros == 0 {
        return Some(Montgomery::new(modulus).power(&base, y));
    }
    // m = odd·2^zeros, by the Chinese remainder theorem.
    let odd = shifted_down(&modulus, zeros);
    let binary = Binary::<N>;
    let high = |words: [u64; N]| masked(words, zeros);
    let modulo_binary = high(if y.is_empty() { unit() } else { window_power(&binary, &base, y) });
    if odd == unit() {
        return Some(modulo_binary);
    }
    let reduced =
        remainder::<N, N>(&Number { negative: false, words: base }, &Number { negative: false, words: odd });
    let modulo_odd = Montgomery::new(odd).power(&reduced, y);
    let quotient =
        high(binary.product(&difference(&modulo_binary, &modulo_odd).0, &inverse_modulo_binary(&odd)));
    Some(sum(&modulo_odd, &binary.product(&odd, &quotient)).0)
}

/// x modulo |m|, from 0 to |m|, for an m of N words.
fn remainder<const N: usize, const W: usize>(x: &Number<W>, m: &Number<W>) -> [u64; N] {
    let (modulus, mut words): ([u64; N], [u64; N]) = (resized(&m.words), resized(&x.words));
    let is_below = x.words[N..].iter().all(|&word| word == 0) && difference(&words, &modulus).1;
    if !is_below {
        words = if x.len() == 1 { resized(&[x.words[0] % modulus[0]]) } else { divide(x, &modulus) };
    }
    if x.negative && words != [0; N] { difference(&modulus, &words).0 } else { words }
}

/// |x| modulo a modulus that is not 0.
fn divide<const N: usize, const W: usize>(x: &Number<W>, modulus: &[u64; N]) -> [u64; N] {
    if N == 1 {
        let m = u128::from(modulus[0]);
        let rest = x.words.iter().rev().fold(0, |rest, &word| (rest << 64 | u128::from(word)) % m);
        return resized(&[rest as u64]);
    }
    Divisor::new(modulus).rest(&x.words)
}

/// The inverse of a value modulo a modulus above 1; None if there is none.
fn invert<const N: usize>(value: &[u64; N], modulus: &[u64; N]) -> Option<[u64; N]> {
    if N == 1 {
        return invert_word(value[0], modulus[0]).map(|inverse| resized(&[inverse]));
    }
    let mut scratch = [0; 4 * MORE_WORDS + 2];
    let inverse = invert_vartime(modulus, value, &mut scratch).ok()?;
    Some(std::array::from_fn(|i| inverse[i]))
}

/// The inverse of one word modulo another by Euclid's algorithm, for a value below the modulus, which is
/// above 1.
fn invert_word(value: u64, modulus: u64) -> Option<u64> {
    // d·value ≡ ±a and e·value ≡ ∓b; neither d nor e exceeds the modulus.
    let (mut a, mut b, mut d, mut e) = (modulus, value, 0, 1);
    let mut negative = true;
    while b > u64::from(u32::MAX) {
        let quotient = a / b;
        (a, b, d, e) = (b, a % b, e, d + quotient * e);
        negative = !negative;
    }
    if a > u64::from(u32::MAX) {
        if b == 0 {
            return None;
        }
        let quotient = a / b;
        (a, b, d, e) = (b, a % b, e, d + quotient * e);
        negative = !negative;
    }
    // Division is faster on words of 32 bits.
    let (mut short_a, mut short_b) = (a as u32, b as u32);
    while short_b != 0 {
        let quotient = short_a / short_b;
        (short_a, short_b, d, e) = (short_b, short_a % short_b, e, d + u64::from(quotient) * e);
        negative = !negative;
    }
    a = u64::from(short_a);
    if a != 1 {
        return None;
    }
    Some(if negative { modulus - d } else { d })
}
