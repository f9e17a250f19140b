//! Products, squares and reductions out of the passes in assembly.

use super::{
    karatsuba,
    rows::{BLOCK, Mulx},
};
use crate::kernel::montgomery::{Montgomery, Passes};

/// Montgomery arithmetic on 64-bit limbs by `mulx`, `adcx` and `adox`. What it holds of the modulus is wiped on drop.
pub type Adx = Montgomery<64, Mulx>;

impl Adx {
    /// Whether this machine has the instructions.
    pub fn is_supported() -> bool {
        Mulx::detect().is_some()
    }

    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs: what
    /// [`Modulus::new`](crate::Modulus::new) has checked. None where the machine lacks the instructions. Variable-time in
    /// the modulus.
    ///
    /// # Panics
    /// If there are no limbs.
    pub fn new(modulus: &[u64]) -> Option<Self> {
        Some(Self::prepared(modulus, Mulx::detect()?))
    }
}

/// Up to so many words a product stays in registers.
const SHORT: usize = 8;

impl Passes<64> for Mulx {
    const NAME: &'static str = "adx";
    const BLOCK: usize = BLOCK;
    const PAIR_WORDS: usize = 28;

    fn scratch_words(n: usize) -> usize {
        2 * n + karatsuba::scratch_words(n)
    }

    fn multiply(m: &Montgomery<64, Self>, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= SHORT {
            return m.passes.multiply_short(x, b, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        m.passes.product(t, x, b, scratch);
        m.reduce(x, t);
    }

    fn square(m: &Montgomery<64, Self>, x: &mut [u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= SHORT {
            return m.passes.square_short(x, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        m.passes.square(t, x, scratch);
        m.reduce(x, t);
    }

    fn clear(m: &Montgomery<64, Self>, t: &mut [u64]) -> u64 {
        m.passes.clear_words(t, m.modulus(), m.negative_inverse, 0)
    }

    fn subtract(m: &Montgomery<64, Self>, out: &mut [u64], t: &[u64], high: u64) {
        m.passes.subtract(out, t, m.modulus(), high);
    }

    fn clear_block(m: &Montgomery<64, Self>, t: &mut [u64]) {
        m.passes.clear_words(t, m.modulus(), m.negative_inverse, 0);
    }

    fn add_products(m: &Montgomery<64, Self>, sum: &mut [u64], row: &[u64], words: &[u64]) {
        m.passes.add_rows(sum, row, words);
    }

    fn add_pieces(m: &Montgomery<64, Self>, t: &mut [u64], x: &[u64], b: &[u64], part: usize) {
        for (part, piece) in x.chunks(part).zip(b.chunks_exact(x.len())) {
            m.passes.add_rows(t, piece, part);
        }
    }
}
