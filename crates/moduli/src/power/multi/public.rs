//! Products of powers, for public bases and exponents.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{
    buckets::buckets_vartime,
    cost::{Method, Times, cheapest},
    euclid::euclid_vartime,
    factors::Factors,
};
use crate::{
    error::Error,
    exponent::SignedExponent,
    modulus::Modulus,
    parallel::{map_init, threads},
    power::sliding::SlidingWindows,
    running::{Running, Work, walk},
};
use moduli_kernel::{Session, Words, limbs};

/// The fewest powers per core for which a further core pays.
const FEWEST: usize = 16;

impl Modulus {
    /// The product of `x_i^e_i mod p` for public bases and public exponents; 1 if there are none. Uses all
    /// cores with the feature `rayon`. Variable-time.
    ///
    /// The exponents may have different lengths. The function uses the method that needs the fewest
    /// products for these lengths: interleaved sliding windows (Straus 1964), buckets (Pippenger
    /// 1976), or Euclid's algorithm on the exponents (Bos and Coster; de Rooij 1994).
    ///
    /// Cost: for n exponents of b bits, about b squarings and n·(b/(w + 1) + 2^(w−1)) products with
    /// windows of w bits; or ⌈b/w⌉·(n + 2^w) products with buckets; or n·b/(0.3 + 0.8·log2 n)
    /// products with Euclid's algorithm. Euclid's algorithm needs the fewest from a dozen bases on,
    /// and is used there for long moduli: at 256 bits and 1000 bases it takes 31 products per base,
    /// compared with about 300 one by one. Each negative exponent costs three more products, and up
    /// to 1024 of them share an inversion.
    ///
    /// # Errors
    /// [`Error::NotInvertible`], with the common factor, for a negative exponent of a base without an
    /// inverse.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # let p = moduli::Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let [x, y, a, b] = [2u64, 3, 10, 5].map(BoxedUint::from);
    /// assert_eq!(p.multi_pow_vartime([(&x, &a), (&y, &b)])?, p.reduce(&BoxedUint::from(248_832u64)));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn multi_pow_vartime<'e, E: Into<SignedExponent<'e>>>(
        &self,
        pairs: impl IntoIterator<Item = (&'e BoxedUint, E)>,
    ) -> Result<BoxedUint, Error> {
        // x^0 is 1, whatever x is.
        let pairs: Vec<(&BoxedUint, SignedExponent<'e>)> = pairs
            .into_iter()
            .map(|(x, e)| (x, e.into()))
            .filter(|(_, e)| !bool::from(e.magnitude().is_zero()))
            .collect();
        let share = pairs.len().div_ceil(threads()).max(FEWEST);
        let products = map_init(pairs.chunks(share).collect(), || (), |(), pairs| self.share_vartime(pairs));
        self.joined(products)
    }

    /// The product of the partial products of several cores.
    pub(super) fn joined(&self, products: Vec<Result<Words, Error>>) -> Result<BoxedUint, Error> {
        let mut session = self.session();
        let mut product = Running::new(&session);
        for factor in products {
            product.multiply(&mut session, &factor?);
        }
        Ok(self.from_montgomery(&product.finish(&session)))
    }

    /// The product of some of the powers.
    fn share_vartime(&self, pairs: &[(&BoxedUint, SignedExponent<'_>)]) -> Result<Words, Error> {
        let mut session = self.session();
        let exponents = pairs.iter().map(|(_, e)| limbs::to_limbs(e.magnitude(), 1)).collect();
        let mut factors = Factors::new(session.residue_words(), exponents);
        for (residue, x) in factors.residues.chunks_exact_mut(session.residue_words()).zip(pairs) {
            session.to_montgomery(residue, &self.reduced_limbs(x.0));
        }
        let negative: Vec<usize> =
            (0..pairs.len()).filter(|&index| pairs[index].1.negative_mask() != 0).collect();
        let bases: Vec<&BoxedUint> = negative.iter().map(|&index| pairs[index].0).collect();
        for ((index, &x), inverse) in negative.into_iter().zip(&bases).zip(self.invert_batch(&bases)) {
            // If there is no inverse, this returns the error with the common factor.
            let inverse = inverse.or_else(|_| self.invert_vartime(x))?;
            session.to_montgomery(factors.residue(index), &self.reduced_limbs(&inverse));
        }
        let method = cheapest(&factors.lengths, Times::of(self.dimensions()));
        Ok(product_vartime(&mut session, factors, method))
    }
}

/// The product of all powers by the given method.
pub(super) fn product_vartime(session: &mut Session<'_>, mut factors: Factors, method: Method) -> Words {
    if let Method::Straus = method {
        let windows = factors.iter().map(|(x, e)| SlidingWindows::new_vartime(session, x, e));
        let mut windows: Vec<SlidingWindows> = windows.collect();
        let mut work = Work::new(session);
        walk(&mut work, &mut windows[..]);
        return work.finish();
    }
    let mut product = Running::new(session);
    match method {
        Method::Buckets { width } => buckets_vartime(session, &factors, width, &mut product),
        _ => euclid_vartime(session, &mut factors, &mut product),
    }
    product.finish(session)
}
