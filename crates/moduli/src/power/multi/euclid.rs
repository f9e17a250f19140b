//! Euclid's algorithm on the exponents (Bos and Coster; de Rooij, *Efficient Exponentiation using
//! Precomputation and Vector Addition Chains*, EUROCRYPT 1994). It applies x^a·y^b =
//! x^(a−b)·(x·y)^b to the two largest exponents until one is left.
//!
//! For n exponents of equal length, the difference of the two largest is about log2 n bits shorter,
//! so each product shortens the exponents by as many bits.

use super::{factors::Factors, queue::Queue};
use crate::{power::sliding::sliding_window_vartime, running::Running};
use moduli_kernel::{Session, prefetch_vartime};

/// Multiplies all powers into `product`. Overwrites the residues. Variable-time.
pub(super) fn euclid_vartime(session: &mut Session<'_>, factors: &mut Factors, product: &mut Running) {
    let mut queue = Queue::new(&factors.exponents);
    while let Some((first, second, is_far)) = queue.two() {
        if is_far {
            // x^a = (x²)^⌊a/2⌋, times x for odd a.
            if queue.halve() {
                product.multiply(session, factors.residue(first));
            }
            session.square(factors.residue(first));
        } else {
            queue.subtract(second);
            // The next product will be of the next two.
            for next in [queue.first(), queue.second()].into_iter().flatten() {
                prefetch_vartime(factors.residue(next));
            }
            let (y, x) = factors.pair(second, first);
            session.mul(y, x);
        }
    }
    if let Some(last) = queue.first() {
        sliding_window_vartime(session, factors.residue(last), queue.number(last));
        product.multiply(session, factors.residue(last));
    }
}
