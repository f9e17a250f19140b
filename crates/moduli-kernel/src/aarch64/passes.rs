//! The passes in assembly as one set.

use super::rows::{BLOCK, Umulh};
use crate::{
    assembly::Assembly,
    dimensions::{AARCH64, Dimensions},
    karatsuba,
    montgomery::Montgomery,
    short,
};

/// Montgomery arithmetic on 64-bit limbs with `mul` and `umulh`, in assembly for 64-bit ARM processors. All
/// data derived from the modulus is wiped on drop.
pub type Aarch64 = Montgomery<64, Umulh>;

impl Aarch64 {
    /// Creates a kernel for the odd modulus `modulus > 1`, given as little-endian limbs without leading zero
    /// limbs, and its sizes. Variable-time in the modulus.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Self {
        Self::prepared(modulus, dimensions, Umulh)
    }
}

impl Assembly for Umulh {
    const BLOCK: usize = BLOCK;
    const SHORT: usize = 8;
    const PRODUCT_WORDS: usize = AARCH64.karatsuba;
    const SQUARE_WORDS: usize = 64;
    const PAIR_WORDS: usize = 28;

    fn add_words(self, t: &mut [u64], row: &[u64], words: &[u64], carry: u64) -> u64 {
        Umulh::add_words(self, t, row, words, carry)
    }

    fn multiply_words(self, t: &mut [u64], row: &[u64], words: &[u64]) {
        Umulh::multiply_words(self, t, row, words);
    }

    fn clear_words(self, t: &mut [u64], p: &[u64], negative_inverse: u64, carry: u64) -> u64 {
        Umulh::clear_words(self, t, p, negative_inverse, carry)
    }

    fn triangle(self, t: &mut [u64], a: &[u64]) {
        Umulh::triangle(self, t, a);
    }

    fn rectangles(self, t: &mut [u64], a: &[u64]) {
        Umulh::rectangles(self, t, a);
    }

    fn double_and_square(self, t: &mut [u64], a: &[u64]) {
        Umulh::double_and_square(self, t, a);
    }

    fn add_chain(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        Umulh::add_chain(self, t, a, carry)
    }

    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        if a.len() == b.len() {
            return Umulh::difference(self, out, a, b);
        }
        karatsuba::difference::<64, Self>(self, out, a, b)
    }

    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        if t.len() == 2 * middle.len() && middle.len().is_multiple_of(8) {
            return Umulh::combine(self, t, middle, negative);
        }
        karatsuba::combine::<64, Self>(self, t, middle, sum, negative);
    }

    fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64) {
        Umulh::subtract(self, out, t, p, high);
    }

    fn multiply_short(self, x: &mut [u64], b: Option<&[u64]>, p: &[u64], negative_inverse: u64) {
        short::multiply_short::<64>(x, b, p, negative_inverse);
    }
}
