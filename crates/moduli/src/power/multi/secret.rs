//! Products of powers, for secret bases and exponents.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use crate::{
    error::Error,
    exponent::{Given, SignedExponent},
    modulus::Modulus,
    parallel::{map_init, threads},
    power::windows::{Windows, window_width},
    running::{Work, walk},
};
use moduli_kernel::{Words, mask};

/// The fewest powers per core for which a further core pays.
const FEWEST: usize = 4;

/// The most bytes of tables that are read together. They should fit in a cache near the core,
/// because every digit reads a whole row.
const NEAR_BYTES: usize = 1 << 19;

impl Modulus {
    /// The product of `x_i^e_i mod p` for secret bases and secret exponents; 1 if there are none. Uses all
    /// cores with the feature `rayon`.
    ///
    /// Constant-time in the bases, in the exponents and in their signs; reveals how many there are,
    /// the declared precision of each exponent, and which of them carry a sign. Bases are reduced
    /// first; `0^0 = 1`. Interleaved fixed windows (Straus 1964): each base has a table as for
    /// [`Modulus::pow`]. Bases share the squarings as long as their tables occupy at most half a
    /// megabyte together.
    ///
    /// Cost: as many squarings as the longest exponent has bits, and ⌈b/t⌉ + 2^t products and ⌈b/t⌉ look-ups
    /// of 2^t entries for an exponent of b bits: for 8 exponents of 256 bits about 900 products in all,
    /// compared with 2700 one by one. Each exponent that carries a sign, whatever it is, costs three more
    /// products, and there is one inversion for up to 1024 of them.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) of a base without an inverse.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # let p = moduli::Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let [x, y, a, b] = [2u64, 3, 10, 5].map(BoxedUint::from);
    /// let product = p.multi_pow([(&x, &a), (&y, &b)])?;
    /// assert_eq!(product, p.mul(&p.pow(&x, &a), &p.pow(&y, &b)));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn multi_pow<'e, E: Into<SignedExponent<'e>>>(
        &self,
        pairs: impl IntoIterator<Item = (&'e BoxedUint, E)>,
    ) -> Result<BoxedUint, Error> {
        let pairs = Given::collect(pairs.into_iter().map(|(x, e)| (x, e.into())));
        let words = self.dimensions().residue_words;
        let entries = pairs.iter().map(|(_, e)| 1 << window_width(words, e.bits())).max().unwrap_or(1);
        let near = NEAR_BYTES / (8 * words * entries);
        let share = pairs.len().div_ceil(threads()).min(near).max(FEWEST);
        let products = map_init(pairs.chunks(share).collect(), || (), |(), pairs| self.share(pairs));
        self.joined(products)
    }

    /// The product of some of the powers.
    fn share(&self, pairs: &[(&BoxedUint, SignedExponent<'_>)]) -> Result<Words, Error> {
        let mut session = self.session();
        let signed: Vec<&BoxedUint> = pairs.iter().filter(|(_, e)| e.is_signed()).map(|&(x, _)| x).collect();
        let mut inverses = self.invert_batch(&signed).into_iter();
        let exponents = pairs.iter().map(|(_, e)| e.declared()).collect::<Vec<_>>();
        let mut tables = Vec::with_capacity(pairs.len());
        for ((x, e), exponent) in pairs.iter().zip(&exponents) {
            let mut residue = self.to_montgomery(x);
            if e.is_signed()
                && let Some(inverse) = inverses.next()
            {
                let inverse = Zeroizing::new(inverse?);
                mask::assign(&mut residue, &self.to_montgomery(&inverse), e.negative_mask());
            }
            tables.push(Windows::new(&mut session, &residue, exponent));
        }
        let mut work = Work::new(&mut session);
        walk(&mut work, &mut tables[..]);
        Ok(work.finish())
    }
}
