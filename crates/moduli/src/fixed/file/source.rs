//! Reads a table file once, from start to end, and computes its checksum.

use alloc::{format, vec::Vec};
use sha2::{Digest, Sha256};
use std::io::{ErrorKind, Read};

use crate::error::FileReason;
use moduli_kernel::Words;

/// The length of the checksum at the end.
pub(super) const DIGEST_BYTES: usize = 32;
/// Bytes per read.
const BLOCK: usize = 1 << 16;

/// A stream of known length. Its errors are reasons, to which the caller adds the path.
pub(super) struct Source<R> {
    inner: R,
    length: u64,
    hash: Sha256,
}

impl<R: Read> Source<R> {
    /// `length` is the claimed length of the stream, which reading verifies.
    pub(super) fn new(inner: R, length: u64) -> Self {
        Self { inner, length, hash: Sha256::new() }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    fn read_unhashed(&mut self, out: &mut [u8]) -> Result<(), FileReason> {
        self.inner.read_exact(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => FileReason::from("ends early"),
            _ => error.into(),
        })
    }

    /// Fills `out`.
    pub(super) fn read(&mut self, out: &mut [u8]) -> Result<(), FileReason> {
        self.read_unhashed(out)?;
        self.hash.update(out);
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileReason> {
        let mut bytes = [0; N];
        self.read(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, FileReason> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, FileReason> {
        self.array().map(u64::from_le_bytes)
    }

    /// Calls `f` for each of the next `count` words.
    fn for_each_word(&mut self, count: u64, mut f: impl FnMut(u64)) -> Result<(), FileReason> {
        let mut block = alloc::vec![0; BLOCK];
        let mut left = count;
        while left > 0 {
            let words = left.min(BLOCK as u64 / 8);
            let block = &mut block[..8 * words as usize];
            self.read(block)?;
            let (chunks, _) = block.as_chunks();
            chunks.iter().for_each(|&word| f(u64::from_le_bytes(word)));
            left -= words;
        }
        Ok(())
    }

    /// Returns the next `count` words. The caller has compared `count` with the length of the
    /// stream.
    pub(super) fn words(&mut self, count: u64) -> Result<Words, FileReason> {
        let words = usize::try_from(count).ok().and_then(Words::try_zero);
        let mut words =
            words.ok_or_else(|| format!("needs {count} words of memory, which are not available"))?;
        let mut slots = words.iter_mut();
        self.for_each_word(count, |word| {
            if let Some(slot) = slots.next() {
                *slot = word;
            }
        })?;
        Ok(words)
    }

    /// Skips the next `count` words.
    pub(super) fn skip_words(&mut self, count: u64) -> Result<(), FileReason> {
        self.for_each_word(count, |_| {})
    }

    /// Reads the checksum, compares it, and checks that nothing follows.
    pub(super) fn finish(mut self) -> Result<[u8; DIGEST_BYTES], FileReason> {
        let mut stored = [0; DIGEST_BYTES];
        self.read_unhashed(&mut stored)?;
        let mut more = Vec::new();
        self.inner.take(1).read_to_end(&mut more)?;
        if !more.is_empty() {
            return Err("continues after its checksum".into());
        }
        moduli_kernel::fault!("a table file whose checksum does not hold", "moduli-suite table_file::", {
            return Ok(stored);
        });
        if self.hash.finalize()[..] != stored {
            return Err("is damaged: its checksum is wrong".into());
        }
        Ok(stored)
    }
}
