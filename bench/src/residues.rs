//! Bare residues of a kernel, for contests between single operations.

use std::ops::{Deref, DerefMut};

use moduli::Modulus;

use crate::numbers::{Limbs, trim};

/// Words at a cache line, as the library keeps its own: a vector that crosses lines takes longer.
pub struct Words {
    storage: Vec<u64>,
    start: usize,
    len: usize,
}

impl Words {
    fn zero(len: usize) -> Self {
        const LINE: usize = 8;
        let storage = vec![0; len + LINE - 1];
        let start = storage.as_ptr().align_offset(8 * LINE).min(LINE - 1);
        Self { storage, start, len }
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.storage[self.start..][..self.len]
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.storage[self.start..][..self.len]
    }
}

/// A running value x and a second operand b, plain or prepared.
pub struct Residues {
    modulus: Modulus,
    /// The running value.
    pub x: Words,
    b: Words,
    split: usize,
    prepared: Words,
    scratch: Words,
}

impl Residues {
    /// Both below the modulus, in its limbs; b in `split` pieces.
    pub fn new(modulus: &Modulus, x: &[u64], b: &[u64], split: usize) -> Self {
        let kernel = modulus.kernel();
        let mut scratch = Words::zero(kernel.scratch_words());
        let mut enter = |value: &[u64]| {
            let mut residue = Words::zero(kernel.residue_words());
            kernel.enter(&mut residue, value, &mut scratch);
            residue
        };
        let (x, b) = (enter(x), enter(b));
        let mut prepared = Words::zero(kernel.prepared_words(split));
        kernel.prepare(&mut prepared, &b, split, &mut scratch);
        Self { modulus: modulus.clone(), x, b, split, prepared, scratch }
    }

    /// `x ← x·b`.
    pub fn multiply(&mut self) {
        self.modulus.kernel().mul(&mut self.x, &self.b, &mut self.scratch);
    }

    /// `x ← x²`.
    pub fn square(&mut self) {
        self.modulus.kernel().square(&mut self.x, &mut self.scratch);
    }

    /// `x ← x·b` by the pieces of b.
    pub fn multiply_prepared(&mut self) {
        self.modulus.kernel().mul_prepared(&mut self.x, &self.prepared, self.split, &mut self.scratch);
    }

    /// Prepares b once more.
    pub fn prepare(&mut self) {
        self.modulus.kernel().prepare(&mut self.prepared, &self.b, self.split, &mut self.scratch);
    }

    /// The value of x.
    pub fn value(&mut self) -> Limbs {
        let kernel = self.modulus.kernel();
        let mut value = vec![0; kernel.limbs()];
        kernel.leave(&mut value, &self.x, &mut self.scratch);
        trim(value)
    }
}
