//! Where a kernel stores its constants, for proofs of its machine code. This module is always compiled, so
//! that the proofs are about the code that ships.

use alloc::vec::Vec;
use core::ops::Range;

/// Words derived from the modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The name of the field.
    pub name: &'static str,
    /// The address of the first word.
    pub address: usize,
    /// The number of words.
    pub words: usize,
}

impl Constant {
    /// A slice of words.
    pub(crate) fn of(name: &'static str, words: &[u64]) -> Self {
        Self { name, address: words.as_ptr() as usize, words: words.len() }
    }
}

/// The data of the kernel that its code reads. The code must not read anything that neither list contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// All data that depends on the modulus.
    pub constants: Vec<Constant>,
    /// Addresses and lengths, which are the same for all moduli of one length.
    pub public: Vec<Range<usize>>,
}

/// The bytes of a field that holds addresses or lengths.
pub(crate) fn bytes_of<T>(field: &T) -> Range<usize> {
    let start = core::ptr::from_ref(field) as usize;
    start..start + size_of::<T>()
}
