//! Multi-exponentiation: products of powers that share their squarings, either of several fixed
//! bases, or of a fixed and a variable base.

use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;

use super::{
    evaluate::{Evaluate, Evaluation, Workspace},
    fixed_base::FixedBase,
};
use crate::{
    access::{Indexed, Masked},
    error::{Error, ModulusError},
    exponent::{Given, Magnitude, SignedExponent},
    power::{SlidingWindows, Windows},
    running::{Columns, Work, walk},
};
use moduli_kernel::{Counts, Observer, Session, count, limbs};

/// Multi-exponentiation, `g^a·h^b·…`, for fixed bases of one modulus, each with its own exponent
/// length. Combs share the squarings of the longest.
#[derive(Clone, Debug)]
pub struct MultiExponentiation<'a> {
    bases: Vec<&'a FixedBase>,
}

impl<'a> MultiExponentiation<'a> {
    /// Prepares the product of powers of `bases`, one or more, with the same modulus.
    ///
    /// # Errors
    /// [`Error::Modulus`]; [`Error::Parameter`] if there is no base.
    pub fn new(bases: impl IntoIterator<Item = &'a FixedBase>) -> Result<Self, Error> {
        let bases: Vec<_> = bases.into_iter().collect();
        let first = bases.first().ok_or_else(|| Error::parameter("bases", "none; one at least"))?;
        if bases.iter().any(|base| !base.modulus().is_same(first.modulus())) {
            return Err(Error::Modulus(ModulusError::Mismatch));
        }
        Ok(Self { bases })
    }

    /// The product of `base_i^exponent_i`. Constant-time in all exponents and their signs.
    ///
    /// Cost: the products of [`FixedBase::pow`] for each base, and the squarings of the comb with the most
    /// columns.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are not as many exponents as bases; otherwise as for [`FixedBase::pow`].
    pub fn pow<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        self.run::<Masked, _>(None, exponents)
    }

    /// The same for public exponents. Variable-time.
    ///
    /// # Errors
    /// As for [`MultiExponentiation::pow`].
    pub fn pow_vartime<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        self.run::<Indexed, _>(None, exponents)
    }

    /// [`MultiExponentiation::pow`], which also counts the operations. Constant-time.
    ///
    /// # Errors
    /// As for [`MultiExponentiation::pow`].
    pub fn pow_with_counts<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<(BoxedUint, Counts), Error> {
        count(|observer| self.run::<Masked, _>(Some(observer), exponents))
    }

    /// [`MultiExponentiation::pow_vartime`], which also counts the operations. Variable-time.
    ///
    /// # Errors
    /// As for [`MultiExponentiation::pow`].
    pub fn pow_with_counts_vartime<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<(BoxedUint, Counts), Error> {
        count(|observer| self.run::<Indexed, _>(Some(observer), exponents))
    }

    fn run<'e, A: Evaluate, E: Into<SignedExponent<'e>>>(
        &self,
        observer: Option<&dyn Observer>,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        let exponents: Given<SignedExponent<'e>> = Given::collect(exponents.into_iter().map(Into::into));
        if exponents.len() != self.bases.len() {
            let reason = format!("{} for {} bases", exponents.len(), self.bases.len());
            return Err(Error::parameter("exponents", reason));
        }
        let modulus = self.bases[0].modulus();
        let mut session = modulus.session().observed(observer);
        let pairs = self.bases.iter().zip(&exponents[..]);
        let mut factors =
            pairs.map(|(base, e)| Factor::new::<A>(base, &session, e)).collect::<Result<Vec<_>, _>>()?;
        let mut evaluations: Vec<_> = factors.iter_mut().map(Factor::evaluation::<A>).collect();
        let mut work = Work::new(&mut session);
        walk(&mut work, &mut evaluations[..]);
        for (evaluation, (base, e)) in evaluations.iter_mut().zip(self.bases.iter().zip(&exponents[..])) {
            finish(evaluation, &mut work, base, e)?;
        }
        Ok(modulus.from_montgomery(&work.finish()))
    }
}

/// One fixed base of a product, with its exponent and the buffers of its evaluation.
struct Factor<'a> {
    base: &'a FixedBase,
    exponent: Magnitude,
    workspace: Workspace,
}

impl<'a> Factor<'a> {
    fn new<A: Evaluate>(
        base: &'a FixedBase,
        session: &Session<'_>,
        e: &SignedExponent<'_>,
    ) -> Result<Self, Error> {
        base.check_trust::<A>()?;
        if e.is_signed() {
            base.complement()?;
        }
        moduli_kernel::fault!("no wipe of an exponent in multi-exponentiation", "moduli-wiped all", {
            drop(core::hint::black_box(base.exponent::<A>(e)?.limbs().to_vec()));
        });
        Ok(Self { base, exponent: base.exponent::<A>(e)?, workspace: base.workspace(session) })
    }

    fn evaluation<A: Evaluate>(&mut self) -> Evaluation<'_, A> {
        Evaluation::new(self.base.table(), &self.exponent, &mut self.workspace)
    }
}

/// Multiplies by the factors that need no squarings and, for a negative exponent, by the
/// complement.
fn finish<A: Evaluate>(
    evaluation: &mut Evaluation<'_, A>,
    work: &mut Work<'_, '_>,
    base: &FixedBase,
    e: &SignedExponent<'_>,
) -> Result<(), Error> {
    evaluation.multiply_digits(work);
    if e.is_signed() {
        evaluation.multiply_if(work, e.negative_mask(), base.complement()?);
    }
    Ok(())
}

impl FixedBase {
    /// `base^a · x^b` for a variable `x` and secret exponents: the comb of the base shares the squarings for
    /// `x`.
    ///
    /// Constant-time in `a`, `x`, `b` and the signs. Cost: the squarings and products of
    /// [`crate::Modulus::pow`] for `b` and the products of [`FixedBase::pow`] for `a`.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`]; [`Error::NotInvertible`] for a signed `b` and an `x` without an inverse.
    pub fn pow_times<'e>(
        &self,
        a: impl Into<SignedExponent<'e>>,
        x: &BoxedUint,
        b: impl Into<SignedExponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        let (a, b) = (a.into(), b.into());
        let mut session = self.modulus().session();
        let (x, exponent) = (self.modulus().element(x).signed(&b)?, b.declared());
        let windows = Windows::new(&mut session, x.residue(), &exponent);
        self.run_times::<Masked, _>(&mut session, &a, windows)
    }

    /// `base^a · x^b` for public `a`, `x` and `b`, as in DSA verification without a table for the
    /// key. Variable-time.
    ///
    /// # Errors
    /// As for [`FixedBase::pow_times`].
    pub fn pow_times_vartime<'e>(
        &self,
        a: impl Into<SignedExponent<'e>>,
        x: &BoxedUint,
        b: impl Into<SignedExponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        let (a, b) = (a.into(), b.into());
        let mut session = self.modulus().session();
        let x = self.modulus().element(x);
        let x = if b.negative_mask() != 0 { x.invert()? } else { x };
        let exponent = limbs::to_limbs(b.magnitude(), 1);
        let windows = SlidingWindows::new_vartime(&mut session, x.residue(), &exponent);
        self.run_times::<Indexed, _>(&mut session, &a, windows)
    }

    /// base^a times the power that the windows compute.
    fn run_times<'s, A: Evaluate, W>(
        &self,
        session: &mut Session<'s>,
        a: &SignedExponent<'_>,
        windows: W,
    ) -> Result<BoxedUint, Error>
    where
        W: for<'w> Columns<Work<'w, 's>>,
    {
        let mut fixed = Factor::new::<A>(self, session, a)?;
        let mut both = (fixed.evaluation::<A>(), windows);
        let mut work = Work::new(session);
        walk(&mut work, &mut both);
        finish(&mut both.0, &mut work, self, a)?;
        Ok(self.modulus().from_montgomery(&work.finish()))
    }
}
