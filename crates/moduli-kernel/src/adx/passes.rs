//! The passes in assembly as one set.

use super::rows::{BLOCK, Mulx};
use crate::{
    assembly::Assembly,
    dimensions::{ADX, Dimensions},
    fma50::look_up,
    karatsuba, mask,
    montgomery::Montgomery,
};

/// Montgomery arithmetic on 64-bit limbs with `mulx`, `adcx` and `adox`, and look-ups with AVX2. All data
/// derived from the modulus is wiped on drop.
pub type Adx = Montgomery<64, Mulx>;

impl Adx {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        Mulx::detect().is_some()
    }

    /// Creates a kernel for the odd modulus `modulus > 1`, given as little-endian limbs without leading zero
    /// limbs, and its sizes. Returns None if the machine lacks the instructions. Variable-time in the
    /// modulus.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Option<Self> {
        Some(Self::prepared(modulus, dimensions, Mulx::detect()?))
    }
}

impl Assembly for Mulx {
    const BLOCK: usize = BLOCK;
    const SHORT: usize = 8;
    const PRODUCT_WORDS: usize = ADX.karatsuba;
    const SQUARE_WORDS: usize = 48;
    const UNEVEN_PRODUCT_WORDS: usize = 40;
    const UNEVEN_SQUARE_WORDS: usize = 96;
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

    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        if a.len() == b.len() && a.len().is_multiple_of(4) {
            return Mulx::difference(self, out, a, b);
        }
        karatsuba::difference::<64, Self>(self, out, a, b)
    }

    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        if t.len() == 2 * middle.len() && middle.len().is_multiple_of(8) {
            karatsuba::complement_if::<64>(middle, negative);
            return Mulx::combine(self, t, middle, negative & 1);
        }
        karatsuba::combine::<64, Self>(self, t, middle, sum, negative);
    }

    fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64) {
        Mulx::subtract(self, out, t, p, high);
    }

    fn select(self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        let size = out.len();
        if !size.is_multiple_of(4) {
            return mask::select(out, first, row, index);
        }
        assert!(first.len() == size && row.len().is_multiple_of(size));
        // SAFETY: `self` guarantees the instructions, the condition and the assertion the lengths.
        unsafe { look_up::select(out, first, row, index) }
    }

    fn multiply_short(self, x: &mut [u64], b: Option<&[u64]>, p: &[u64], negative_inverse: u64) {
        match b {
            Some(b) => Mulx::multiply_short(self, x, b, p, negative_inverse),
            None => Mulx::square_short(self, x, p, negative_inverse),
        }
    }
}
