//! The interpretation of a fuzzer's bytes and, for the modules of the command, files and standard input.

use std::io::{self, Read};

use crypto_bigint::BoxedUint;
use num_bigint::BigUint;

use crate::failure::Failure;

/// Bytes that are consumed from the front. Zeros follow after the end, so every input is valid.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    /// The next `count` bytes, or fewer if there are fewer.
    pub fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// A little-endian word of at most 8 bytes.
    pub fn word(&mut self, bytes: usize) -> u64 {
        self.take(bytes).iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// From 0 to `bound` − 1.
    pub fn below(&mut self, bound: usize) -> usize {
        let bytes = if bound <= 256 { 1 } else { 4 };
        self.word(bytes) as usize % bound
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number below 2^bits, where carries are long and words extreme more often than by chance.
    pub fn number(&mut self, bits: u32) -> BigUint {
        let one = BigUint::from(1u32);
        let power = |exponent: usize| &one << exponent;
        let number = match self.byte() % 6 {
            // Any bytes.
            0 | 1 => BigUint::from_bytes_le(self.take(bits.div_ceil(8) as usize)),
            // 2^k − 1 to 2^k − 256, and 2^k to 2^k + 255.
            2 => {
                let (exponent, less) = (self.below(bits as usize + 1), u32::from(self.byte()) + 1);
                if power(exponent) > less.into() { power(exponent) - less } else { power(exponent) }
            }
            3 => power(self.below(bits as usize)) + u32::from(self.byte()),
            // Runs of ones and zeros of any length.
            4 => {
                let (mut number, mut used, mut ones) = (BigUint::ZERO, 0, true);
                while used < bits && !self.is_empty() {
                    let run = 1 + u32::from(self.byte());
                    if ones {
                        number += (power(run as usize) - 1u32) << used;
                    }
                    (used, ones) = (used + run, !ones);
                }
                number
            }
            // Words of ones, of zeros, and others.
            _ => {
                let mut bytes = Vec::new();
                while 8 * bytes.len() < bits as usize && !self.is_empty() {
                    let word = match self.byte() % 5 {
                        0 => 0,
                        1 => u64::MAX,
                        2 => 1 << 63,
                        3 => u64::MAX - 1,
                        _ => self.word(8),
                    };
                    bytes.extend(word.to_le_bytes());
                }
                BigUint::from_bytes_le(&bytes)
            }
        };
        number & (power(bits as usize) - 1u32)
    }

    /// An odd number of exactly `bits` bits, at least 2.
    pub fn odd(&mut self, bits: u32) -> BigUint {
        self.number(bits) | BigUint::from(1u32) | BigUint::from(1u32) << (bits - 1)
    }
}

pub fn boxed(x: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&x.to_bytes_be())
}

pub fn big(x: &BoxedUint) -> BigUint {
    BigUint::from_bytes_le(&x.to_le_bytes())
}

/// Stands for the command's module of this name, which reads standard input; here it is empty.
pub fn standard() -> Result<Box<dyn Read>, Failure> {
    Ok(Box::new(io::empty()))
}
