//! What the passes in assembly are together.

use super::rows::{BLOCK, Mulx};
use crate::{
    assembly::Assembly,
    dimensions::{ADX, Dimensions},
    montgomery::Montgomery,
};

/// Montgomery arithmetic on 64-bit limbs by `mulx`, `adcx` and `adox`. What it holds of the modulus is wiped on drop.
pub type Adx = Montgomery<64, Mulx>;

impl Adx {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        Mulx::detect().is_some()
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs, and its sizes. None where the
    /// machine lacks the instructions. Variable-time in the modulus.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        Some(Self::prepared(modulus, dimensions, Mulx::detect()?))
    }
}

impl Assembly for Mulx {
    const BLOCK: usize = BLOCK;
    const SHORT: usize = 8;
    const PRODUCT_WORDS: usize = ADX.karatsuba;
    const SQUARE_WORDS: usize = 96;
    const PAIR_WORDS: usize = 28;

    fn add_words(self, t: &mut [u64], row: &[u64], words: &[u64], carry: u64) -> u64 {
        Mulx::add_words(self, t, row, words, carry)
    }

    fn clear_words(self, t: &mut [u64], p: &[u64], negative_inverse: u64, carry: u64) -> u64 {
        Mulx::clear_words(self, t, p, negative_inverse, carry)
    }

    fn triangle(self, t: &mut [u64], a: &[u64]) {
        Mulx::triangle(self, t, a);
    }

    fn double_and_square(self, t: &mut [u64], a: &[u64]) {
        Mulx::double_and_square(self, t, a);
    }

    fn add_chain(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        Mulx::add_chain(self, t, a, carry)
    }

    fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64) {
        Mulx::subtract(self, out, t, p, high);
    }

    fn multiply_short(self, x: &mut [u64], b: Option<&[u64]>, p: &[u64], negative_inverse: u64) {
        match b {
            Some(b) => Mulx::multiply_short(self, x, b, p, negative_inverse),
            None => Mulx::square_short(self, x, p, negative_inverse),
        }
    }
}
