//! Buffers.

use alloc::{vec, vec::Vec};

use crate::fixed::layout::Layout;
use moduli_kernel::{Session, Words};

/// What an exponentiation writes to besides its result, allocated once and wiped on drop.
pub(crate) struct Workspace {
    /// A looked-up table entry, prepared.
    pub(super) entry: Words,
    /// One residue, plain: the bucket at work, a running product, or a last factor.
    pub(super) residue: Words,
    /// Radix digits, and what is left of the exponent while they are cut; of a comb, the teeth of the next column.
    pub(super) digits: Words,
    pub(super) rest: Words,
    pub(super) buckets: Words,
    /// Public form only: which buckets hold something.
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
