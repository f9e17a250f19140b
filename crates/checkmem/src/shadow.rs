//! The marks of secret bytes in memory.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

const PAGE: u64 = 4096;
type Page = [u64; 64];

/// A multiplication is a sufficient hash of page numbers.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0 ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// One bit for each byte, set if it is secret. Bytes that were never marked are public.
#[derive(Default)]
pub(crate) struct Shadow {
    pages: HashMap<u64, Box<Page>, BuildHasherDefault<Spread>>,
}

/// A word whose `count` low bits are set.
pub(crate) fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Shadow {
    /// The marks of up to 64 bytes, lowest address first.
    pub(crate) fn get(&self, address: u64, length: usize) -> u64 {
        let (page, first) = (address / PAGE, (address % PAGE) as usize);
        let (word, bit) = (first / 64, first % 64);
        let word_of = |page: u64, word: usize| match word {
            64 => self.pages.get(&(page + 1)).map_or(0, |page| page[0]),
            _ => self.pages.get(&page).map_or(0, |page| page[word]),
        };
        let mut marks = word_of(page, word) >> bit;
        if bit + length > 64 {
            marks |= word_of(page, word + 1) << (64 - bit);
        }
        marks & low_bits(length)
    }

    /// Marks up to 64 bytes, lowest address first.
    pub(crate) fn set(&mut self, address: u64, length: usize, marks: u64) {
        let (page, first) = (address / PAGE, (address % PAGE) as usize);
        let (word, bit) = (first / 64, first % 64);
        let kept = low_bits(length);
        self.set_word(page, word, kept << bit, (marks & kept) << bit);
        if bit + length > 64 {
            let shift = 64 - bit;
            let (page, word) = if word == 63 { (page + 1, 0) } else { (page, word + 1) };
            self.set_word(page, word, kept >> shift, (marks & kept) >> shift);
        }
    }

    fn set_word(&mut self, page: u64, word: usize, kept: u64, marks: u64) {
        let words = match marks {
            0 => self.pages.get_mut(&page),
            _ => Some(self.pages.entry(page).or_insert_with(|| Box::new([0; 64]))),
        };
        if let Some(words) = words {
            words[word] = (words[word] & !kept) | marks;
        }
    }

    /// Splits a range into pieces of at most 64 bytes.
    fn pieces(address: u64, length: u64) -> impl Iterator<Item = (u64, usize)> {
        (0..length).step_by(64).map(move |at| (address.wrapping_add(at), (length - at).min(64) as usize))
    }

    pub(crate) fn fill(&mut self, address: u64, length: u64, secret: bool) {
        for (at, count) in Self::pieces(address, length) {
            self.set(at, count, if secret { u64::MAX } else { 0 });
        }
    }

    pub(crate) fn copy(&mut self, to: u64, from: u64, length: u64) {
        let marks: Vec<_> = Self::pieces(from, length).map(|(at, count)| self.get(at, count)).collect();
        for ((at, count), marks) in Self::pieces(to, length).zip(marks) {
            self.set(at, count, marks);
        }
    }

    pub(crate) fn any(&self, address: u64, length: u64) -> bool {
        Self::pieces(address, length).any(|(at, count)| self.get(at, count) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_as_they_were_written() {
        let mut shadow = Shadow::default();
        let mut plain = vec![false; 3 * PAGE as usize];
        let mut x = 1u64;
        for _ in 0..20_000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (at, length) = ((x >> 33) % (2 * PAGE + 100), (x >> 20) as usize % 64 + 1);
            let marks = x.rotate_left(17);
            shadow.set(PAGE + at, length, marks);
            (0..length).for_each(|i| plain[at as usize + i] = marks >> i & 1 == 1);
            let from = (x >> 44) % (2 * PAGE);
            let expected = (0..64).fold(0, |bits, i| bits | u64::from(plain[from as usize + i]) << i);
            assert_eq!(shadow.get(PAGE + from, 64), expected);
        }
    }
}
