//! A buffer of words that starts at a cache line and is wiped on drop.

use alloc::{vec, vec::Vec};
use zeroize::Zeroize;

const LINE_WORDS: usize = 8;

/// Up to this many words, the zeros are written here and not requested from the allocator.
const SHORT: usize = 1 << 12;

/// Words that start at a 64-byte boundary and are wiped on drop. The length is fixed at creation.
pub struct Words {
    storage: Vec<u64>,
    start: usize,
    len: usize,
}

impl Words {
    /// `len` words, all zero.
    #[expect(clippy::slow_vector_initialization, reason = "it is the faster one for short ones")]
    #[inline]
    pub fn zero(len: usize) -> Self {
        let padded = len + LINE_WORDS - 1;
        // Short buffers are not requested as zeroed memory: glibc's allocator does not take it from its
        // cache, which costs more than the rest of a product of 256 bits.
        let storage = if padded > SHORT {
            vec![0; padded]
        } else {
            let mut storage = Vec::with_capacity(padded);
            storage.resize(padded, 0);
            storage
        };
        Self::aligned(storage, len)
    }

    #[inline]
    fn aligned(storage: Vec<u64>, len: usize) -> Self {
        // The storage never moves afterwards, because it is neither grown nor cloned.
        let start = storage.as_ptr().align_offset(8 * LINE_WORDS).min(LINE_WORDS - 1);
        Self { storage, start, len }
    }

    /// `len` words, all zero; `None` if there is not enough memory. The system provides large buffers as
    /// zeros: the first write to each page waits for it, so the threads that fill a table share that cost.
    pub fn try_zero(len: usize) -> Option<Self> {
        let padded = len.checked_add(LINE_WORDS - 1)?;
        Some(Self::aligned(bytemuck::allocation::try_zeroed_vec(padded).ok()?, len))
    }

    /// A copy of `words`.
    #[inline]
    pub fn copy_of(words: &[u64]) -> Self {
        let mut copy = Self::zero(words.len());
        copy.copy_from_slice(words);
        copy
    }
}

impl core::ops::Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl core::ops::DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

impl Clone for Words {
    #[inline]
    fn clone(&self) -> Self {
        Self::copy_of(self)
    }
}

impl Drop for Words {
    #[inline]
    fn drop(&mut self) {
        crate::fault!("residues that are not wiped", "moduli-wiped all", {
            return;
        });
        self.storage.zeroize();
    }
}
