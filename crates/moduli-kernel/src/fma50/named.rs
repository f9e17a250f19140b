//! Where the kernel stores the data derived from its modulus, for proofs.

use alloc::vec;

use super::constants::Fma50;
use crate::places::{Constant, Places, bytes_of};

impl Fma50 {
    /// All data of the kernel that products, sums and conversions of one number read.
    pub(super) fn named(&self) -> Places {
        let constants = vec![
            Constant::of("modulus", &self.modulus),
            Constant::of("negative inverse", core::slice::from_ref(&self.negative_inverse)),
            Constant::of("reciprocal", core::slice::from_ref(&self.reciprocal)),
            Constant::of("one", &self.one),
            Constant::of("one entered", &self.one_entered),
            Constant::of("limit", &self.limit),
            Constant::of("multiple", &self.multiple),
            Constant::of("offsets", &self.offsets),
            Constant::of("fold offsets", &self.fold_offsets),
            Constant::of("fold", &self.fold),
        ];
        let multiples = self.multiples.as_ptr_range();
        let public = vec![
            bytes_of(&self.digits),
            bytes_of(&self.vectors),
            bytes_of(&self.dimensions),
            // Depends only on the length of the modulus.
            bytes_of(&self.top_bit),
            bytes_of(&self.modulus),
            bytes_of(&self.one),
            bytes_of(&self.one_entered),
            bytes_of(&self.limit),
            bytes_of(&self.multiple),
            bytes_of(&self.offsets),
            bytes_of(&self.fold),
            bytes_of(&self.fold_offsets),
            bytes_of(&self.multiples),
            // The initial values of sums, which are the same for all moduli.
            multiples.start as usize..multiples.end as usize,
        ];
        Places { constants, public }
    }
}
