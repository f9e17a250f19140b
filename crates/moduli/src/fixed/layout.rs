//! A shape worked out: where each entry lies and which power of the base it is.

use alloc::vec::Vec;

use super::{
    comb::{self, Block},
    digits::{RadixDigits, ResidueRecoder},
    shape::{Method, Shape},
};

/// How a method reads its table.
pub(crate) enum Layout {
    Radix { digits: RadixDigits, row: usize },
    Comb { blocks: Vec<Block>, columns: u32 },
    M0m1 { recoder: ResidueRecoder, m0: usize, m1: usize },
    ResidueDigits { recoder: ResidueRecoder, m0: usize, m1: usize },
}

impl Layout {
    pub(crate) fn new(shape: &Shape) -> Self {
        let bits = shape.exponent_bits();
        match shape.method() {
            Method::Radix { radix } => {
                Self::Radix { digits: RadixDigits::new(radix, bits), row: radix as usize - 1 }
            }
            method @ Method::Comb { .. } => {
                Self::Comb { blocks: comb::blocks(&method, bits), columns: comb::columns(&method, bits) }
            }
            Method::M0m1 { m0, m1 } => {
                Self::M0m1 { recoder: ResidueRecoder::new(m0, m1, bits), m0: m0 as usize, m1: m1 as usize }
            }
            Method::ResidueDigits { m0, m1 } => Self::ResidueDigits {
                recoder: ResidueRecoder::new(m0, m1, bits),
                m0: m0 as usize,
                m1: m1 as usize,
            },
        }
    }

    /// Buckets that an exponentiation collects digits in.
    pub(crate) fn buckets(&self) -> usize {
        match *self {
            Self::Radix { .. } | Self::Comb { .. } => 0,
            Self::M0m1 { m1, .. } | Self::ResidueDigits { m1, .. } => m1,
        }
    }

    /// Squarings plus one.
    pub(crate) fn columns(&self) -> u32 {
        match *self {
            Self::Comb { columns, .. } => columns,
            _ => 1,
        }
    }
}
