//! Recombination: a number from its residues modulo two factors.

use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::{
    factor::{Factor, Sessions},
    reduction::Reduction,
};
use crate::{error::Error, modulus::Modulus};
use moduli_kernel::{Words, limbs};

/// The constants of Garner's formula: m_q + q·((m_p − m_q)·q^(−1) mod p) (Garner 1959; RFC 8017,
/// 5.1.2).
///
/// The residues may be modulo multiples p·r and q·s of the factors, where r and q are coprime. The
/// difference is then right modulo p, and the product by q depends on nothing else; m_q is right
/// modulo q.
#[derive(Clone)]
pub(crate) struct Recombination {
    /// q^(−1) modulo the modulus of m_p, loaded, so that a product by it can be stored.
    pub(crate) inverse: Words,
    /// The factors of m_q and of the other summand modulo n: 1 and q.
    low: Reduction,
    high: Reduction,
}

impl Recombination {
    /// For n = p·q. Cost: an inversion modulo p.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] if q has a factor with the modulus of m_p.
    pub(crate) fn new(n: &Modulus, [p, q]: [&Factor; 2], of_q: &BoxedUint) -> Result<Self, Error> {
        let inverse = Zeroizing::new(p.modulus.invert(of_q)?);
        let mut session = p.modulus.session();
        let count = session.value().len();
        let mut loaded = session.residue();
        session.load(&mut loaded, &limbs::to_limbs(&inverse, count)[..count]);
        let low = Reduction::loading(n, n.to_montgomery(&BoxedUint::one()), q.modulus.bits());
        let high = Reduction::loading(n, n.to_montgomery(of_q), p.modulus.bits());
        Ok(Self { inverse: loaded, low, high })
    }

    /// The number modulo n, loaded, from its residues in Montgomery form. Constant-time; cost: two
    /// products modulo n and two to four modulo p.
    pub(crate) fn number(
        &self,
        Sessions { n, p, q }: &mut Sessions<'_>,
        [of_p, of_q]: [&Factor; 2],
        [residue_p, residue_q]: [&[u64]; 2],
    ) -> Words {
        let mut low = q.value();
        q.from_montgomery(&mut low, residue_q);
        let low_modulo_p = of_p.reduce(p, &low, of_q.modulus.bits());
        let mut difference = Words::copy_of(residue_p);
        p.sub(&mut difference, &low_modulo_p);
        p.mul(&mut difference, &self.inverse);
        let mut high = p.value();
        p.store(&mut high, &difference);

        let mut number = self.high.residue(n, &high, of_p.modulus.bits());
        let low = self.low.residue(n, &low, of_q.modulus.bits());
        n.add(&mut number, &low);
        number
    }

    /// The constants that a test corrupts or classifies.
    #[cfg(test)]
    pub(crate) fn constants(&mut self) -> impl Iterator<Item = &mut Words> {
        let factors = self.low.factors.iter_mut().chain(&mut self.high.factors);
        core::iter::once(&mut self.inverse).chain(factors)
    }
}
