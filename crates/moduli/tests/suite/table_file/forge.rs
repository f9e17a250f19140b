//! Table files with wrong content and a right checksum.

use sha2::{Digest, Sha256};

// Offsets as in docs/table-file.md.
pub(crate) const LAYOUT: usize = 16;
pub(crate) const RESIDUE_WORDS: usize = 24;
pub(crate) const ENTRY_WORDS: usize = 32;
pub(crate) const ENTRIES: usize = 40;
pub(crate) const METHOD: usize = 48;
pub(crate) const PARAMETERS: usize = 52;
pub(crate) const SPLIT: usize = 64;
pub(crate) const EXPONENT_BITS: usize = 68;
pub(crate) const MODULUS_BYTES: usize = 72;
pub(crate) const BASE_BYTES: usize = 76;
pub(crate) const ORDER_BYTES: usize = 80;
pub(crate) const NUMBERS: usize = 84;

pub(crate) fn digest(file: &[u8]) -> [u8; 32] {
    *file.last_chunk().unwrap()
}

/// Recomputes the checksum.
pub(crate) fn seal(mut file: Vec<u8>) -> Vec<u8> {
    let end = file.len() - 32;
    let digest = Sha256::digest(&file[..end]);
    file[end..].copy_from_slice(&digest);
    file
}

pub(crate) fn u32_at(file: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(file[offset..offset + 4].try_into().unwrap())
}

/// The file with these bytes at `offset`.
pub(crate) fn with(file: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut forged = file.to_vec();
    forged[offset..offset + bytes.len()].copy_from_slice(bytes);
    seal(forged)
}
