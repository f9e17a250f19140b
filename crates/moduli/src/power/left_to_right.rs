//! The published left-to-right 2^t-ary exponentiation (ARITH 2015, Algorithm 10): regular digits
//! and a table of prepared powers.

use alloc::vec::Vec;
use core::{marker::PhantomData, ops::DerefMut};
use zeroize::Zeroizing;

use super::{recode::regular_digits, room::entries, windows::fill_powers};
use crate::{
    access::Access,
    error::Error,
    exponent::Magnitude,
    running::{Columns, Running, Work, walk},
};
use moduli_kernel::{Session, Words};

/// A digit of `width` bits at every multiple of `width`, and the powers x^0 … x^(2^width).
struct RegularWindows<A> {
    table: Words,
    found: Words,
    digits: Zeroizing<Vec<u64>>,
    width: u32,
    /// The number of pieces of each prepared power.
    split: usize,
    access: PhantomData<A>,
}

impl<A: Access, V: DerefMut<Target = [u64]>> Columns<Work<'_, '_, V>> for RegularWindows<A> {
    fn columns(&self) -> u32 {
        self.digits.len() as u32 * self.width
    }

    fn multiply_column(&mut self, work: &mut Work<'_, '_, V>, k: u32) {
        if k.is_multiple_of(self.width) {
            let (first, others) = self.table.split_at(self.found.len());
            let digit = self.digits[(k / self.width) as usize];
            let factor = A::entry(work.session, &mut self.found, first, others, digit);
            work.product.multiply_prepared(work.session, factor, self.split);
        }
    }
}

/// `x ← x^exponent` by windows of `width` bits over powers prepared in `split` pieces. Regular; constant-time
/// if entries are [`Masked`](crate::access::Masked).
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for 2^width + 1 entries.
pub(super) fn left_to_right<A: Access>(
    session: &mut Session<'_>,
    x: &mut [u64],
    exponent: &Magnitude,
    width: u32,
    split: usize,
) -> Result<(), Error> {
    let size = session.prepared_words(split);
    let mut table = entries((1 << width) + 1, size)?;
    if split == 1 {
        fill_powers(session, &mut table, x);
    } else {
        fill_prepared_powers(session, &mut table, x, split);
    }
    let digits = regular_digits(exponent, width);
    let mut windows =
        RegularWindows::<A> { table, found: Words::zero(size), digits, width, split, access: PhantomData };
    let mut work = Work { session, product: Running::within(x) };
    walk(&mut work, &mut windows);
    work.product.finish(work.session);
    Ok(())
}

/// Fills `table` with the powers x^0, x^1, x^2 …, prepared in `split` pieces. Multiplies by the
/// prepared x.
fn fill_prepared_powers(session: &mut Session<'_>, table: &mut [u64], x: &[u64], split: usize) {
    let size = session.prepared_words(split);
    let (first, rest) = table.split_at_mut(size);
    let (prepared, rest) = rest.split_at_mut(size);
    session.prepare(first, session.one(), split);
    session.prepare(prepared, x, split);
    let mut power = Words::copy_of(x);
    for entry in rest.chunks_exact_mut(size) {
        session.mul_prepared(&mut power, prepared, split);
        session.prepare(entry, &power, split);
    }
}
