//! The comb: Lim–Lee with h teeth and v tables, and shapes in between.
//!
//! Each table processes one block of the exponent. The block of a table with h teeth and c columns
//! has h·c bits; tooth i reads its bits i·c … i·c + c − 1. Column k of all tables is multiplied in
//! after the k-th last squaring. Rounding up leaves spare bits: for as many of these as a table has
//! teeth, the table gets one column less. So the number of products is exactly Lim–Lee's ⌈t/h⌉.

use alloc::vec::Vec;

use super::method::Method;
use moduli_kernel::limbs;

/// One table of a comb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) teeth: u32,
    pub(crate) columns: u32,
    /// The lowest exponent bit of the block.
    pub(crate) first_bit: u32,
    /// The index of the first table entry. Entry `first_entry + I − 1` is for the teeth I.
    pub(crate) first_entry: usize,
}

impl Block {
    pub(crate) fn entries(&self) -> usize {
        (1 << self.teeth) - 1
    }

    /// The bits that the teeth read in column `k`: tooth i in bit i.
    pub(crate) fn teeth_at(&self, exponent: &[u64], k: u32) -> u64 {
        moduli_kernel::fault!(
            "a branch on a bit in the recoding of a comb",
            "moduli checkmem::powers::powers_of_fixed_bases",
            {
                return (0..self.teeth).fold(0, |teeth, i| {
                    let bit = limbs::bit(exponent, self.first_bit + i * self.columns + k);
                    if moduli_kernel::faults::branch_on(bit) { teeth } else { teeth | 1 << i }
                });
            }
        );
        (0..self.teeth)
            .fold(0, |teeth, i| teeth | limbs::bit(exponent, self.first_bit + i * self.columns + k) << i)
    }
}

fn teeth_of(method: &Method) -> impl Iterator<Item = u32> + Clone {
    let (teeth, tables, short_tables) = match *method {
        Method::Comb { teeth, tables, short_tables } => (teeth, tables, short_tables),
        _ => (1, 0, 0),
    };
    (0..tables).map(move |table| if table < tables - short_tables { teeth } else { teeth - 1 })
}

/// The columns of the longest block: the number of squarings plus one.
pub(crate) fn columns(method: &Method, bits: u32) -> u32 {
    let total = teeth_of(method).map(u64::from).sum::<u64>().max(1);
    u64::from(bits).div_ceil(total) as u32
}

/// The blocks of a comb for exponents of `bits` bits. Omits tables without a column.
pub(crate) fn blocks(method: &Method, bits: u32) -> Vec<Block> {
    let longest = columns(method, bits);
    let teeth = teeth_of(method);
    let total: u64 = teeth.clone().map(u64::from).sum();
    let mut spare = total * u64::from(longest) - u64::from(bits);
    let (mut first_bit, mut first_entry) = (0, 0);
    let mut blocks = Vec::new();
    for teeth in teeth {
        let shorter = u64::from(teeth) <= spare;
        if shorter {
            spare -= u64::from(teeth);
        }
        let columns = longest - u32::from(shorter);
        if columns > 0 {
            let block = Block { teeth, columns, first_bit, first_entry };
            first_bit += teeth * columns;
            first_entry += block.entries();
            blocks.push(block);
        }
    }
    blocks
}

/// The number of table entries of all blocks.
pub(crate) fn entries(method: &Method, bits: u32) -> u64 {
    blocks(method, bits).iter().map(|block| block.entries() as u64).sum()
}
