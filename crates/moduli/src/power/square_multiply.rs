//! Square-and-multiply (WAIFI 2016, Algorithm 1).

use crate::{
    kernel::{Kernel, Words},
    limbs,
};

/// `x ← x^exponent`, bit by bit from the top. Variable-time.
pub(crate) fn square_multiply_vartime(
    kernel: &dyn Kernel,
    x: &mut [u64],
    exponent: &[u64],
    scratch: &mut [u64],
) {
    let bits = limbs::bit_length_vartime(exponent);
    if bits == 0 {
        x.copy_from_slice(kernel.one());
        return;
    }
    let base = Words::copy_of(x);
    for i in (0..bits - 1).rev() {
        kernel.square(x, scratch);
        if limbs::bit_field(exponent, i, 1) == 1 {
            kernel.mul(x, &base, scratch);
        }
    }
}
