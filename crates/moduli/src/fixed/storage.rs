//! Where the words of a table are stored.

use moduli_kernel::Words;

/// The entries of a table: in this process's memory, or shared with other processes.
pub(crate) enum Storage {
    /// Built here, or read without conversion.
    Owned(Words),
    /// Read from a file for a kernel with another layout, and converted.
    #[cfg(feature = "std")]
    Converted(Words),
    /// A file mapped into memory.
    #[cfg(feature = "mmap")]
    Mapped(alloc::boxed::Box<dyn AsRef<[u64]> + Send + Sync>),
}

impl Storage {
    pub(crate) fn words(&self) -> &[u64] {
        match self {
            Self::Owned(words) => words,
            #[cfg(feature = "std")]
            Self::Converted(words) => words,
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => (**map).as_ref(),
        }
    }
}
