//! Bare residues of a kernel, for contests between single operations.

use moduli::Modulus;
use moduli_kernel::{Arithmetic, Session, Words, limbs};

use crate::numbers::{Limbs, trim};

/// A running value x and a second operand b, plain or prepared.
pub struct Residues {
    session: Session<'static>,
    /// The running value.
    pub x: Words,
    b: Words,
    split: usize,
    prepared: Words,
}

impl Residues {
    /// x and b must be below the modulus, in its number of limbs; b is prepared in `split` pieces.
    pub fn new(modulus: &Modulus, x: &[u64], b: &[u64], split: usize) -> Self {
        let words = limbs::to_limbs(modulus.value().as_ref(), 1);
        let arithmetic = Arithmetic::new(&words, modulus.kernel()).expect("the kernel of the modulus");
        // It is never freed, as it is used as long as the program runs.
        let mut session = Box::leak(Box::new(arithmetic)).session(None);
        let mut enter = |value: &[u64]| {
            let mut residue = session.residue();
            session.to_montgomery(&mut residue, value);
            residue
        };
        let (x, b) = (enter(x), enter(b));
        let mut prepared = Words::zero(session.prepared_words(split));
        session.prepare(&mut prepared, &b, split);
        Self { session, x, b, split, prepared }
    }

    /// `x ← x·b`.
    pub fn multiply(&mut self) {
        self.session.mul(&mut self.x, &self.b);
    }

    /// `x ← x²`.
    pub fn square(&mut self) {
        self.session.square(&mut self.x);
    }

    /// `x ← x·b` by the pieces of b.
    pub fn multiply_prepared(&mut self) {
        self.session.mul_prepared(&mut self.x, &self.prepared, self.split);
    }

    /// Prepares b again.
    pub fn prepare(&mut self) {
        self.session.prepare(&mut self.prepared, &self.b, self.split);
    }

    /// The value of x.
    pub fn value(&mut self) -> Limbs {
        let mut value = vec![0; self.session.limbs()];
        self.session.from_montgomery(&mut value, &self.x);
        trim(value)
    }
}
