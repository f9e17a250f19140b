//! Where a kernel stores its constants, for proofs of its machine code. Always compiled, so that the code
//! that is proved is the code that ships.

use alloc::vec::Vec;
use core::ops::Range;

/// Words derived from the modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The name of the field.
    pub name: &'static str,
    /// The address of the first word.
    pub address: usize,
    /// How many words.
    pub words: usize,
}

impl Constant {
    /// A slice of words.
    pub(crate) fn of(name: &'static str, words: &[u64]) -> Self {
        Self { name, address: words.as_ptr() as usize, words: words.len() }
    }
}

/// What a kernel's code reads of the kernel. What is named in neither list must not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// All that depends on the modulus.
    pub constants: Vec<Constant>,
    /// Addresses and lengths: the same for all moduli of one length.
    pub public: Vec<Range<usize>>,
}

/// The bytes of a field of addresses and lengths.
pub(crate) fn bytes_of<T>(field: &T) -> Range<usize> {
    let start = core::ptr::from_ref(field) as usize;
    start..start + size_of::<T>()
}
