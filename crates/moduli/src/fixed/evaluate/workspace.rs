//! Buffers of an evaluation.

use alloc::{vec, vec::Vec};

use crate::fixed::layout::Layout;
use moduli_kernel::{Session, Words};

/// The buffers of an exponentiation, except the result. Allocated once and wiped on drop.
pub(crate) struct Workspace {
    /// A looked-up table entry, prepared.
    pub(super) entry: Words,
    /// One plain residue: a bucket being updated, a running product, or a last factor.
    pub(super) residue: Words,
    /// Radix digits, and the rest of the exponent during the division into digits. For a comb: the
    /// teeth of the next column.
    pub(super) digits: Words,
    pub(super) rest: Words,
    pub(super) buckets: Words,
    /// Which buckets are not empty; used by the variable-time forms only.
    pub(super) filled: Vec<bool>,
}

impl Workspace {
    pub(crate) fn new(session: &Session<'_>, layout: &Layout, split: usize, exponent_limbs: usize) -> Self {
        let digits = match layout {
            Layout::Radix { digits, .. } => digits.count(),
            Layout::Comb { blocks, .. } => blocks.len(),
            Layout::M0m1 { .. } | Layout::ResidueDigits { .. } => 0,
        };
        let size = session.residue_words();
        Self {
            entry: Words::zero(session.prepared_words(split)),
            residue: Words::zero(size),
            digits: Words::zero(digits),
            rest: Words::zero(exponent_limbs),
            buckets: Words::zero(layout.buckets() * size),
            filled: vec![false; layout.buckets()],
        }
    }
}
