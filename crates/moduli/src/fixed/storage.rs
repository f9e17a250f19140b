//! Where the words of a table lie.

use moduli_kernel::Words;

/// The entries of a table, in memory of its own or shared with other processes.
pub(crate) enum Storage {
    /// Built here, or read as they are.
    Owned(Words),
    /// Read from a file for a kernel of another layout.
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
