//! Buckets (Pippenger 1976; Bernstein, Doumen, Lange and Oosterwijk 2012, Section 4): processes one
//! window of all exponents at a time, and multiplies each base into the bucket of its digit.

use alloc::vec;

use super::factors::Factors;
use crate::running::Running;
use moduli_kernel::{Session, Words, limbs};

/// Multiplies all powers into the empty `product`, by windows of `width` bits. Variable-time.
///
/// Cost for each window: a product for each digit that is not 0, and 2^width products to gather the buckets.
pub(super) fn buckets_vartime(
    session: &mut Session<'_>,
    factors: &Factors,
    width: u32,
    product: &mut Running,
) {
    let size = factors.size;
    let mut buckets = Words::zero(size << width);
    let mut filled = vec![false; 1 << width];
    let mut sum = Running::new(session);
    let longest = factors.lengths.iter().max().copied().unwrap_or(0);
    for window in (0..longest.div_ceil(width)).rev() {
        for _ in 0..width {
            product.square(session);
        }
        for (residue, exponent) in factors.iter() {
            let digit = limbs::bit_field(exponent, window * width, width) as usize;
            if digit == 0 {
                continue;
            }
            let bucket = &mut buckets[size * digit..][..size];
            if filled[digit] {
                session.mul(bucket, residue);
            } else {
                bucket.copy_from_slice(residue);
                filled[digit] = true;
            }
        }
        // Bucket d must be counted d times. It is a factor of d partial products, which are formed
        // from the top bucket down.
        sum.restart();
        for digit in (1..1 << width).rev() {
            if core::mem::take(&mut filled[digit]) {
                sum.multiply(session, &buckets[size * digit..][..size]);
            }
            if let Some(sum) = sum.get() {
                product.multiply(session, sum);
            }
        }
    }
}
