//! The contract of every kernel.
//!
//! A kernel does arithmetic modulo one odd number on *residues*, here always Montgomery residues: fixed-size
//! arrays of 64-bit words whose meaning only the kernel knows (Montgomery factor, radix, redundancy). Code
//! above the kernels does not read them. A residue may also be *prepared*, an operand with precomputation:
//! stored as `split` shifted pieces, so that products by it need no full reduction (the split operand; `split
//! = 1` is the plain product).
//!
//! One shared suite checks these rules for every kernel (`tests/suite/kernels`):
//! - all methods except constructors are constant-time: branches and addresses depend on sizes alone;
//! - results are valid operands: any chain of operations is allowed, and no caller normalises;
//! - `from_montgomery` and `prepare` depend on the value only, not on its representation;
//! - callers provide a `scratch` of at least [`Dimensions::scratch_words`] words; its content is undefined
//!   afterwards, and as secret as the operands.

use alloc::boxed::Box;
use core::any::Any;

use super::{dimensions::Dimensions, dual::Dual, lanes::Lanes, mask, places::Places};

/// Arithmetic modulo one odd number, at the level of words: no algorithms, no policy.
pub trait Kernel: Send + Sync {
    /// The lengths of residues, prepared operands and scratch space.
    fn dimensions(&self) -> &Dimensions;

    /// The residue 1.
    fn one(&self) -> &[u64];

    /// To Montgomery form: `out` ← the residue of `value`, little-endian limbs, below the modulus.
    fn to_montgomery(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]);

    /// From Montgomery form: `out` ← the value of the residue `a`, below the modulus, little-endian limbs.
    fn from_montgomery(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]);

    /// `out` ← the residue of c·`value`, for some invertible c that only the kernel knows: the cheapest
    /// residue that distinguishes the values below the modulus. A Montgomery kernel uses the value itself as
    /// the residue, and saves the product that [`to_montgomery`](Kernel::to_montgomery) costs. Any value of
    /// as many bits as the modulus may be the `x` of a product by a residue in Montgomery form.
    fn load(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.to_montgomery(out, value, scratch);
    }

    /// `out` ← the value below the modulus of which [`load`](Kernel::load) makes this residue.
    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.from_montgomery(out, a, scratch);
    }

    /// `x` ← `x + b`.
    fn add(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]);

    /// `x` ← `x − b`.
    fn sub(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]);

    /// `x` ← `x·b`.
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]);

    /// `x` ← `x²`.
    fn square(&self, x: &mut [u64], scratch: &mut [u64]);

    /// `out` ← `a`, prepared in `split` pieces; bit for bit the same for equal values.
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]);

    /// Whether `words`, read from a file, are consecutive (prepared) residues, as far as single words can
    /// show: every word is one that [`mul_prepared`](Kernel::mul_prepared) accepts. Variable-time, because
    /// tables are public. Kernels that accept any words use this default.
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        let _ = words;
        true
    }

    /// `x` ← `x·b` for a prepared `b`.
    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]);

    /// `x` ← `x·a` and `y` ← `y·a`: the combined pair. Kernels without a faster way use this default.
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.mul(x, a, scratch);
        self.mul(y, a, scratch);
    }

    /// This kernel and another side by side, if that is faster. Callers use
    /// [`one_by_one::dual`](super::one_by_one::dual).
    fn dual<'a>(&'a self, other: &'a dyn Kernel) -> Option<Box<dyn Dual + 'a>> {
        let _ = other;
        None
    }

    /// The kernel itself, for another kernel whose [`dual`](Kernel::dual) needs its type. Kernels without a
    /// `dual` use this default.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// The places of the kernel's constants, for proofs. Without them, a kernel cannot be proved correct.
    fn places(&self) -> Places {
        Places::default()
    }

    /// Arithmetic on several of this kernel's residues side by side, if that is faster.
    fn lanes(&self) -> Option<&dyn Lanes> {
        None
    }

    /// `out` ← entry `index` of a row: entry 0 is `first`, entry `i` is the i-th chunk of `row`. All entries
    /// are read. An index past the row gives zero words, which are not a residue.
    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        mask::select(out, first, row, index);
    }

    /// Entry `index` (from 0) of `row` ← `entry`. All entries are read and written.
    fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        for (i, slot) in row.chunks_exact_mut(entry.len()).enumerate() {
            mask::assign(slot, entry, mask::equal(i as u64, index));
        }
    }

    /// Swaps `a` and `b` if the mask is all ones; leaves them if it is zero. Reads and writes all of both.
    fn swap(&self, a: &mut [u64], b: &mut [u64], mask: u64) {
        mask::swap(a, b, mask);
    }
}
