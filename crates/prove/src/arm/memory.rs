//! The memory of an interpreted program, in pages that exist or not.

use std::{collections::HashMap, ops::Range};

/// Bytes of a page.
const PAGE: u64 = 4096;

/// Pages by their numbers.
#[derive(Clone, Default)]
pub struct Memory {
    pages: HashMap<u64, Box<[u8; PAGE as usize]>>,
}

impl Memory {
    /// Makes these bytes exist. New ones are 0.
    pub fn map(&mut self, range: Range<u64>) {
        for page in range.start / PAGE..range.end.div_ceil(PAGE) {
            self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE as usize]));
        }
    }

    /// Reads `size` bytes, 8 at most, as a number. None if they do not exist.
    pub fn read(&self, address: u64, size: usize) -> Option<u64> {
        let at = (address % PAGE) as usize;
        let mut bytes = [0; 8];
        match self.pages.get(&(address / PAGE))?.get(at..at + size) {
            Some(all) => bytes[..size].copy_from_slice(all),
            // The bytes continue in the next page.
            None => {
                for (byte, address) in bytes[..size].iter_mut().zip(address..) {
                    *byte = self.pages.get(&(address / PAGE))?[(address % PAGE) as usize];
                }
            }
        }
        Some(u64::from_le_bytes(bytes))
    }

    /// Writes these bytes. None if they do not exist.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Option<()> {
        let (mut address, mut bytes) = (address, bytes);
        while !bytes.is_empty() {
            let at = (address % PAGE) as usize;
            let count = bytes.len().min(PAGE as usize - at);
            self.pages.get_mut(&(address / PAGE))?[at..at + count].copy_from_slice(&bytes[..count]);
            (address, bytes) = (address.wrapping_add(count as u64), &bytes[count..]);
        }
        Some(())
    }

    /// Reads `count` bytes. None if they do not exist.
    pub fn bytes(&self, address: u64, count: usize) -> Option<Vec<u8>> {
        (address..address.checked_add(count as u64)?)
            .map(|address| Some(self.pages.get(&(address / PAGE))?[(address % PAGE) as usize]))
            .collect()
    }

    /// Reads `count` words. None if they do not exist.
    pub fn words(&self, address: u64, count: usize) -> Option<Vec<u64>> {
        (0..count as u64).map(|i| self.read(address.wrapping_add(8 * i), 8)).collect()
    }

    /// Writes words. None if their bytes do not exist.
    pub fn write_words(&mut self, address: u64, words: &[u64]) -> Option<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.write(address, &bytes)
    }
}
