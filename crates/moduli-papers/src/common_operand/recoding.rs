//! The regular recoding of Joye and Tunstall (AFRICACRYPT 2009): digits from 1 to 2^t.

use alloc::{vec, vec::Vec};

use crypto_bigint::BoxedUint;

use moduli::{Error, Exponent};
use moduli_kernel::limbs;

/// The digits e_i of an exponent below 2^bits, low digit first. There are k = ⌈bits/t⌉ digits, with
/// e = Σ e_i·2^(ti) and 1 ≤ e_i ≤ 2^t.
///
/// Each exponent has exactly one such sum, of some length. So an exponent below (2^(tk) − 1)/(2^t −
/// 1), for which all k digits are 1, has fewer than k digits; 0 has none. The digits above these
/// are 0 here and mean that a digit is missing, so nothing is multiplied. Masks determine the
/// missing digits from the digits alone.
///
/// 1 ≤ t ≤ 32. Regular; one pass over all words of the exponent for each digit.
///
/// # Errors
/// [`Error::ExponentTooLong`] for exponents of 2^bits or more, [`Error::Parameter`] for another t.
pub fn regular_digits(exponent: &BoxedUint, bits: u32, t: u32) -> Result<Vec<u64>, Error> {
    if !(1..=32).contains(&t) {
        return Err(Error::parameter("t", "a window has 1 to 32 bits"));
    }
    let mut rest = limbs::to_limbs(Exponent::from(exponent).with_bits(bits)?.magnitude(), 1);
    let mut digits = vec![0; bits.div_ceil(t) as usize];
    for digit in &mut digits {
        let low = limbs::bit_field(&rest, 0, t);
        // All ones while the rest is not zero. The rest never becomes negative: if its low digit is
        // 0 and it is not zero, it is at least 2^t.
        let left = mask(rest.iter().fold(0, |any, limb| any | limb));
        let borrow = !mask(low) & left & 1;
        *digit = low + (borrow << t);
        // rest ← (rest − digit)/2^t
        let count = rest.len();
        let mut taken = borrow;
        for i in 0..count {
            let shifted = rest[i] >> t | rest.get(i + 1).map_or(0, |next| next << (64 - t));
            (rest[i], taken) = (shifted.wrapping_sub(taken), taken & !mask(shifted));
        }
    }
    Ok(digits)
}

/// All ones if x ≠ 0, otherwise zero.
fn mask(x: u64) -> u64 {
    ((x | x.wrapping_neg()) >> 63).wrapping_neg()
}
