//! Bare residues of a kernel, for contests between single operations.

use moduli::Modulus;

use crate::numbers::{Limbs, trim};

/// A running value x and a second operand b, plain or prepared.
pub struct Residues {
    modulus: Modulus,
    /// The running value.
    pub x: Vec<u64>,
    b: Vec<u64>,
    split: usize,
    prepared: Vec<u64>,
    scratch: Vec<u64>,
}

impl Residues {
    /// Both below the modulus, in its limbs; b in `split` pieces.
    pub fn new(modulus: &Modulus, x: &[u64], b: &[u64], split: usize) -> Self {
        let kernel = modulus.kernel();
        let mut scratch = vec![0; kernel.scratch_words()];
        let mut enter = |value: &[u64]| {
            let mut residue = vec![0; kernel.residue_words()];
            kernel.enter(&mut residue, value, &mut scratch);
            residue
        };
        let (x, b) = (enter(x), enter(b));
        let mut prepared = vec![0; kernel.prepared_words(split)];
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
