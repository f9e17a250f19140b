//! Algorithms 1, 2 and 3, with which the paper compares m0m1.

use alloc::{vec, vec::Vec};

use crypto_bigint::BoxedUint;

use super::power::{Power, Run};
use moduli::{Element, Error};
use moduli_kernel::limbs;

/// The digits of `k` in radix R, low digit first. There are as many as exponents below 2^t need:
/// the least ℓ with R^ℓ ≥ 2^t. This function counts the digits of 2^t − 1, because a floating-point
/// logarithm fails near powers of R.
pub(super) fn digits(k: &BoxedUint, radix: u64, t: u32) -> Vec<u64> {
    let mut digits = cut(&limbs::to_limbs(k, 1), radix);
    digits.resize(digit_count(radix, t), 0);
    digits
}

pub(super) fn digit_count(radix: u64, t: u32) -> usize {
    let mut longest = vec![u64::MAX; t.div_ceil(64) as usize];
    if let (Some(top), true) = (longest.last_mut(), !t.is_multiple_of(64)) {
        *top >>= 64 - t % 64;
    }
    cut(&longest, radix).len()
}

/// The digits of a number without leading zeros.
fn cut(number: &[u64], radix: u64) -> Vec<u64> {
    let mut rest = number.to_vec();
    let mut digits = Vec::new();
    while rest.iter().any(|&limb| limb != 0) {
        let mut remainder = 0;
        for limb in rest.iter_mut().rev() {
            let value = u128::from(remainder) << 64 | u128::from(*limb);
            *limb = (value / u128::from(radix)) as u64;
            remainder = (value % u128::from(radix)) as u64;
        }
        digits.push(remainder);
    }
    digits
}

fn bit(k: &BoxedUint, i: u32) -> bool {
    i < k.bits_precision() && k.bit_vartime(i)
}

/// Algorithm 1, square-and-multiply: g^k for k below 2^t, bit by bit from the top.
pub fn square_multiply(k: &BoxedUint, t: u32) -> Run {
    let mut run = Run::new(t);
    let mut x = None;
    for i in (0..t).rev() {
        run.square(&mut x);
        if bit(k, i) {
            run.multiply(&mut x, &Power::generator(t));
        }
    }
    run.finish(x)
}

/// Algorithm 1 over elements: x^e, bit by bit from the top. Variable-time in e. Cost: a squaring
/// per bit and a product per one bit.
///
/// # Errors
/// None: the operands have one modulus.
pub fn square_multiply_vartime(x: &Element, e: &BoxedUint) -> Result<Element, Error> {
    let mut power = x.modulus().element(&BoxedUint::one());
    for i in (0..e.bits_vartime()).rev() {
        power = power.square();
        if bit(e, i) {
            power = power.try_mul(x)?;
        }
    }
    Ok(power)
}

/// Algorithm 2, the radix-R method: g^k for k below 2^t, where G_{k_i,i} = g^(k_i·R^i) is entry (i,
/// k_i).
///
/// A digit 0 has no entry in the table and is skipped. If `radix` < 2, the exponent counts as 0.
pub fn radix(k: &BoxedUint, radix: u32, t: u32) -> Run {
    let mut run = Run::new(t);
    let mut x = None;
    let radix = u64::from(radix);
    let digits = if radix < 2 { Vec::new() } else { digits(k, radix, t) };
    let mut powers = vec![Power::generator(t)];
    for i in 1..digits.len() {
        powers.push(powers[i - 1].to_the(radix));
    }
    for i in (0..digits.len()).rev() {
        if digits[i] != 0 {
            run.multiply_entry(&mut x, (i, digits[i] as i64), &powers[i].to_the(digits[i]));
        }
    }
    run.finish(x)
}

/// Algorithm 3, the fixed-base comb of one table with w teeth: g^k for k below 2^t.
///
/// A column of zeros has no entry in the table and is skipped. If w is not from 1 to 62, the
/// exponent counts as 0.
pub fn comb(k: &BoxedUint, w: u32, t: u32) -> Run {
    let mut run = Run::new(t);
    let mut x = None;
    let d = if (1..63).contains(&w) { t.div_ceil(w) } else { 0 };
    let tooth = |power: &Power| Some((0..d).fold(power.clone(), |power, _| power.to_the(2)));
    let teeth: Vec<Power> =
        core::iter::successors(Some(Power::generator(t)), tooth).take(w.min(62) as usize).collect();
    for i in (0..d).rev() {
        run.square(&mut x);
        // a_j is bit i of K^j, the j-th string of d bits.
        let mut column = 0;
        let mut entry = Power::one(t);
        for (j, tooth) in (0..).zip(&teeth).filter(|&(j, _)| bit(k, j * d + i)) {
            column |= 1 << j;
            entry = entry.times(tooth);
        }
        if column != 0 {
            run.multiply_entry(&mut x, (0, column), &entry);
        }
    }
    run.finish(x)
}
