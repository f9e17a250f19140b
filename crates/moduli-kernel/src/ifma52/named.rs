//! The places of a kernel's constants, for proofs.

use alloc::vec::Vec;

use super::constants::{Code, Ifma52};
use crate::places::{Constant, Places, bytes_of};

impl Ifma52 {
    /// Everything in the kernel that products, sums and conversions of one number read.
    pub(super) fn named(&self) -> Places {
        let words = [
            ("high", &self.high),
            ("step", &self.step),
            ("modulus", &self.modulus),
            ("negative inverse", &self.inverse),
            ("one", &self.one),
            ("one entered", &self.one_entered),
            ("bound", &self.bound),
            ("modulus digits", &self.modulus_digits),
        ];
        let mut constants: Vec<_> = words.iter().map(|(name, words)| Constant::of(name, words)).collect();
        constants.push(self.barrett.reciprocal_place());
        let mut public: Vec<_> = words.iter().map(|(_, words)| bytes_of(*words)).collect();
        public.extend([bytes_of(&self.blocks), bytes_of(&self.digits), bytes_of(&self.dimensions)]);
        public.extend(self.barrett.public_places());
        if let Code::InOrder(long) = &self.code {
            constants.push(long.named());
        }
        // The address of the code for strips; for long residues, lengths and the address of their own
        // constants.
        public.push(bytes_of(&self.code));
        Places { constants, public }
    }
}
