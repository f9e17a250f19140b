//! Square-and-multiply (WAIFI 2016, Algorithm 1).

use moduli_kernel::{Session, Words, limbs};

/// `x ← x^exponent`, bit by bit from the top. Variable-time.
pub(crate) fn square_multiply_vartime(session: &mut Session<'_>, x: &mut [u64], exponent: &[u64]) {
    let bits = limbs::bit_length_vartime(exponent);
    if bits == 0 {
        x.copy_from_slice(session.one());
        return;
    }
    let base = Words::copy_of(x);
    for i in (0..bits - 1).rev() {
        session.square(x);
        if limbs::bit(exponent, i) == 1 {
            session.mul(x, &base);
        }
    }
}
