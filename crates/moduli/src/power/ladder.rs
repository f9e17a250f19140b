//! The Montgomery ladder (Joye and Yen, CHES 2002; ARITH 2015, Algorithm 8).

use crate::exponent::Magnitude;
use moduli_kernel::{Session, Words, mask};

/// `x ← x^exponent`, by a product and a squaring per bit. With `common_operand` they are a combined
/// pair, because they share a factor. Constant-time: the registers are swapped under a mask.
pub(crate) fn ladder(session: &mut Session<'_>, x: &mut [u64], exponent: &Magnitude, common_operand: bool) {
    // x^p and x^(p+1), where p is the number formed by the bits read so far; in this order unless
    // swapped.
    let mut above = Words::copy_of(x);
    x.copy_from_slice(session.one());
    let mut operand = Words::zero(x.len());
    let mut swapped = 0;
    for i in (0..exponent.bits()).rev() {
        let bit = mask::equal(exponent.digit(i, 1), 1);
        session.swap(x, &mut above, swapped ^ bit);
        swapped = bit;
        if common_operand {
            operand.copy_from_slice(x);
            session.mul_pair(x, &mut above, &operand);
        } else {
            session.mul(&mut above, x);
            session.square(x);
        }
    }
    session.swap(x, &mut above, swapped);
}
