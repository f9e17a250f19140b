//! The layout that a shape determines: the position of each entry, and the power of the base that
//! it is.

use alloc::vec::Vec;

#[cfg(feature = "std")]
use crypto_bigint::BoxedUint;

use super::{
    comb::{self, Block},
    digits::{RadixDigits, ResidueRecoder},
    method::Method,
    shape::Shape,
};
#[cfg(feature = "std")]
use moduli_kernel::limbs;

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

    /// The number of buckets in which an exponentiation collects digits.
    pub(crate) fn buckets(&self) -> usize {
        match *self {
            Self::Radix { .. } | Self::Comb { .. } => 0,
            Self::M0m1 { m1, .. } | Self::ResidueDigits { m1, .. } => m1,
        }
    }

    /// Whether the entry with this index is a negative power base^−e of the base, and e. Uses no
    /// other entry.
    #[cfg(feature = "std")]
    pub(crate) fn exponent(&self, entry: usize) -> (bool, BoxedUint) {
        // radix^i·factor
        let place = |radix: usize, i: usize, factor: usize| {
            let mut value = alloc::vec![factor as u64];
            for _ in 0..i {
                limbs::multiply_vartime(&mut value, radix as u64);
            }
            limbs::from_limbs(&value)
        };
        match self {
            Self::Radix { row, .. } => (false, place(row + 1, entry / row, entry % row + 1)),
            Self::Comb { blocks, .. } => {
                let block = blocks.partition_point(|block| block.first_entry <= entry).saturating_sub(1);
                let Block { teeth, columns, first_bit, first_entry } = blocks[block];
                let subset = entry - first_entry + 1;
                let mut sum = alloc::vec![0; (first_bit + teeth * columns) as usize / 64 + 1];
                for bit in
                    (0..teeth).filter(|tooth| subset >> tooth & 1 == 1).map(|i| first_bit + i * columns)
                {
                    sum[bit as usize / 64] |= 1 << (bit % 64);
                }
                (false, limbs::from_limbs(&sum))
            }
            Self::M0m1 { recoder, m0, m1 } | Self::ResidueDigits { recoder, m0, m1 } => {
                let inverses = recoder.count() * m0;
                if entry < inverses {
                    return (false, place(m0 * m1, entry / m0, 1 + m1 * (entry % m0)));
                }
                let row = match self {
                    Self::ResidueDigits { .. } => recoder.count(),
                    _ => entry - inverses,
                };
                (true, place(m0 * m1, row, 1))
            }
        }
    }

    /// The number of squarings plus one.
    pub(crate) fn columns(&self) -> u32 {
        match *self {
            Self::Comb { columns, .. } => columns,
            Self::Radix { .. } | Self::M0m1 { .. } | Self::ResidueDigits { .. } => 1,
        }
    }
}
