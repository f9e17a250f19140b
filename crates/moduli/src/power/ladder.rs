//! The Montgomery ladder (Joye and Yen, CHES 2002; ARITH 2015, Algorithm 8).

use crate::{
    kernel::{Kernel, Words, mask},
    limbs,
};

/// `x ← x^exponent` for an exponent of `bits` public bits: a product and a squaring a bit, or with `common_operand`
/// the combined pair, for both have a factor in common. Constant-time: the registers are swapped under a mask.
pub(crate) fn ladder(
    kernel: &dyn Kernel,
    x: &mut [u64],
    exponent: &[u64],
    bits: u32,
    common_operand: bool,
    scratch: &mut [u64],
) {
    // x^p and x^(p+1) for the bits p read so far, in this order unless they are swapped.
    let mut above = Words::copy_of(x);
    x.copy_from_slice(kernel.one());
    let mut operand = Words::zero(x.len());
    let mut swapped = 0;
    for i in (0..bits).rev() {
        let bit = mask::equal(limbs::bit_field(exponent, i, 1), 1);
        kernel.swap(x, &mut above, swapped ^ bit);
        swapped = bit;
        if common_operand {
            operand.copy_from_slice(x);
            kernel.mul_pair(x, &mut above, &operand, scratch);
        } else {
            kernel.mul(&mut above, x, scratch);
            kernel.square(x, scratch);
        }
    }
    kernel.swap(x, &mut above, swapped);
}
