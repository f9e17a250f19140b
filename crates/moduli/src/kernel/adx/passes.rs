//! Products, squares and reductions out of the passes in assembly.

use super::rows::{BLOCK, Mulx};
use crate::kernel::{
    karatsuba::{self, Rows, add_word},
    montgomery::{Montgomery, Passes},
};

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

impl Rows<64> for Mulx {
    const PRODUCT_WORDS: usize = 40;
    const SQUARE_WORDS: usize = 96;

    fn product_rows(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        t.fill(0);
        self.add_rows(t, b, a);
    }

    // The products above the diagonal, doubled, and the diagonal.
    fn square_rows(self, t: &mut [u64], a: &[u64]) {
        let n = a.len();
        for (t, block) in t.chunks_mut(2 * BLOCK).zip(a.chunks(BLOCK)) {
            self.triangle(t, block);
        }
        // Each block by the words above it: all blocks but the last.
        let mut carry = 0;
        let mut top = 0;
        for start in (BLOCK..n).step_by(BLOCK) {
            let (block, row) = a[start - BLOCK..].split_at(BLOCK);
            top = start + n;
            carry = self.add_words(&mut t[2 * start - BLOCK..top], row, block, carry);
        }
        add_word::<64>(&mut t[top..], carry);
        self.double_and_square(t, a);
    }

    fn add(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        self.add_chain(t, a, carry)
    }
}

impl Mulx {
    /// `t += words·row`; t has room for the carry.
    fn add_rows(self, t: &mut [u64], row: &[u64], words: &[u64]) {
        let (sum, high) = t.split_at_mut(row.len() + words.len());
        add_word::<64>(high, self.add_words(sum, row, words, 0));
    }
}

impl Passes<64> for Mulx {
    const NAME: &'static str = "adx";
    const BLOCK: usize = BLOCK;
    const PAIR_WORDS: usize = 28;

    fn scratch_words(n: usize) -> usize {
        2 * n + karatsuba::scratch_words::<64, Self>(n)
    }

    fn multiply(m: &Montgomery<64, Self>, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= SHORT {
            return m.passes.multiply_short(x, b, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::product::<64, _>(m.passes, t, x, b, scratch);
        m.reduce(x, t);
    }

    fn square(m: &Montgomery<64, Self>, x: &mut [u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= SHORT {
            return m.passes.square_short(x, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::square::<64, _>(m.passes, t, x, scratch);
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
