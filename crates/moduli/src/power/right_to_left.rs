//! Right-to-left 2^t-ary exponentiation (ARITH 2015, Algorithm 9): a bucket for each digit.

use super::{recode::regular_digits, room::entries};
use crate::{access::Access, error::Error, exponent::Magnitude};
use moduli_kernel::{Session, Words};

/// Y_0 … Y_m for m = 2^t. Y_j is the product of those powers x^(m^i) whose digit is j. Y_0 is not
/// used.
struct DigitBuckets {
    all: Words,
    current: Words,
}

impl DigitBuckets {
    /// All buckets are 1.
    fn new(session: &Session<'_>, window: u32) -> Result<Self, Error> {
        let size = session.one().len();
        let mut all = entries((1 << window) + 1, size)?;
        for bucket in all.chunks_exact_mut(size) {
            bucket.copy_from_slice(session.one());
        }
        Ok(Self { all, current: Words::zero(size) })
    }

    /// Y_(i−1) and Y_i.
    fn neighbours(&mut self, i: usize) -> [&mut [u64]; 2] {
        let size = self.current.len();
        let (below, own) = self.all.split_at_mut(i * size);
        [&mut below[(i - 1) * size..], &mut own[..size]]
    }

    /// `x ← Π Y_j^j`: for each j, forms the product of the buckets from the top down to j, and
    /// multiplies these products.
    fn gather(&mut self, session: &mut Session<'_>, x: &mut [u64], common_operand: bool) {
        let top = self.all.len() / self.current.len() - 1;
        let [below, own] = self.neighbours(top);
        x.copy_from_slice(own);
        session.mul(below, own);
        for i in (2..top).rev() {
            let [below, own] = self.neighbours(i);
            if common_operand {
                session.mul_pair(x, below, own);
            } else {
                session.mul(x, own);
                session.mul(below, own);
            }
        }
        let [_, lowest] = self.neighbours(1);
        session.mul(x, lowest);
    }
}

/// `x ← x^exponent`. Regular; constant-time if entries are [`Masked`](crate::access::Masked).
///
/// Each digit takes a product and t squarings; with `common_operand`, the product and the first
/// squaring are a combined pair. The end takes 2·(2^t − 1) products; with `common_operand`, all but
/// two of them are in pairs.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for 2^t + 1 residues.
pub(super) fn right_to_left<A: Access>(
    session: &mut Session<'_>,
    x: &mut [u64],
    exponent: &Magnitude,
    window: u32,
    common_operand: bool,
) -> Result<(), Error> {
    let mut buckets = DigitBuckets::new(session, window)?;
    let digits = regular_digits(exponent, window);
    let mut operand = Words::zero(x.len());
    for (i, &digit) in (1..).zip(digits.iter()) {
        // No digit after the last needs a power of x.
        let squarings = if i < digits.len() { window } else { 0 };
        let is_pair = common_operand && squarings > 0;
        A::update(session, &mut buckets.current, &mut buckets.all, digit, |session, bucket| {
            if is_pair {
                operand.copy_from_slice(x);
                session.mul_pair(bucket, x, &operand);
            } else {
                session.mul(bucket, x);
            }
        });
        for _ in u32::from(is_pair)..squarings {
            session.square(x);
        }
    }
    buckets.gather(session, x, common_operand);
    Ok(())
}
