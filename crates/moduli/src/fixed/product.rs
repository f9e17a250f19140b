//! Multi-exponentiation: products of powers that share their squarings, of several fixed bases, or of a fixed and a variable one.

use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;

use super::{
    evaluate::{Accumulator, Workspace},
    fixed_base::FixedBase,
    secrecy::Secrecy,
};
use crate::{
    error::Error,
    exponent::Exponent,
    power::{LookUp, WindowTable, regular_width},
};
use moduli_kernel::{Counts, Observer, Session, count, limbs};

/// Multi-exponentiation, `g^a·h^b·…`, for fixed bases of one modulus, each with its own exponent length: the combs among them
/// share the squarings of the longest.
pub struct Product<'a> {
    bases: Vec<&'a FixedBase>,
}

impl<'a> Product<'a> {
    /// The product of powers of `bases`, one or more, of one modulus.
    ///
    /// # Errors
    /// [`Error::ModulusMismatch`]; [`Error::Parameter`] if there is no base.
    pub fn new(bases: impl IntoIterator<Item = &'a FixedBase>) -> Result<Self, Error> {
        let bases: Vec<_> = bases.into_iter().collect();
        let first = bases.first().ok_or_else(|| Error::parameter("bases", "none; one at least"))?;
        if bases.iter().any(|base| !base.modulus().is_same(first.modulus())) {
            return Err(Error::ModulusMismatch);
        }
        Ok(Self { bases })
    }

    /// The product of `base_i^exponent_i`. Constant-time in all exponents and their signs.
    ///
    /// Cost: the products of [`FixedBase::pow`] for each base, and the squarings of the comb that has most.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are not as many exponents as bases; else as for [`FixedBase::pow`].
    pub fn pow<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        self.run(None, Secrecy::Secret, exponents)
    }

    /// The same for public exponents. Variable-time.
    ///
    /// # Errors
    /// As for [`Product::pow`].
    pub fn pow_vartime<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        self.run(None, Secrecy::Public, exponents)
    }

    /// Either of the two, with the operations counted as they happen.
    ///
    /// # Errors
    /// As for [`Product::pow`].
    pub fn pow_with_counts<'e, E: Into<Exponent<'e>>>(
        &self,
        secrecy: Secrecy,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<(BoxedUint, Counts), Error> {
        count(|observer| self.run(Some(observer), secrecy, exponents))
    }

    fn run<'e, E: Into<Exponent<'e>>>(
        &self,
        observer: Option<&dyn Observer>,
        secrecy: Secrecy,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<BoxedUint, Error> {
        let exponents: Vec<Exponent<'e>> = exponents.into_iter().map(Into::into).collect();
        if exponents.len() != self.bases.len() {
            let reason = format!("{} for {} bases", exponents.len(), self.bases.len());
            return Err(Error::parameter("exponents", reason));
        }
        let modulus = self.bases[0].modulus();
        let session = || modulus.session().observed(observer);
        let mut factors = Vec::new();
        for (base, exponent) in self.bases.iter().zip(&exponents) {
            factors.push(Factor::new(base, session(), secrecy, exponent)?);
        }
        let mut session = session();
        let mut power = session.residue();
        let mut accumulator = Accumulator { value: &mut power, started: false };
        let columns = self.bases.iter().map(|base| base.columns()).max().unwrap_or(1);
        for k in (0..columns).rev() {
            accumulator.square(&mut session);
            for factor in factors.iter_mut().filter(|factor| k < factor.base.columns()) {
                factor.multiply_column(&mut accumulator, k);
            }
        }
        for factor in &mut factors {
            factor.multiply_rest(&mut accumulator)?;
        }
        accumulator.finish(&session);
        Ok(modulus.leave(&power))
    }
}

/// One fixed base at work in a product.
struct Factor<'a> {
    base: &'a FixedBase,
    secrecy: Secrecy,
    exponent: zeroize::Zeroizing<Vec<u64>>,
    /// All ones if the exponent is negative; None if it carries no sign.
    sign: Option<u64>,
    workspace: Workspace<'a>,
}

impl<'a> Factor<'a> {
    fn new(
        base: &'a FixedBase,
        session: Session<'a>,
        secrecy: Secrecy,
        exponent: &Exponent<'_>,
    ) -> Result<Self, Error> {
        base.check_trust(secrecy)?;
        let sign = exponent.is_signed().then(|| exponent.negative_mask());
        if sign.is_some() {
            base.complement()?;
        }
        let (exponent, mut workspace) = (base.exponent(exponent)?, base.workspace(session));
        base.table().start_columns(secrecy, &exponent, &mut workspace);
        Ok(Self { base, secrecy, exponent, sign, workspace })
    }

    fn multiply_column(&mut self, accumulator: &mut Accumulator<'_>, k: u32) {
        let table = self.base.table();
        table.multiply_column(self.secrecy, accumulator, &self.exponent, k, &mut self.workspace);
    }

    fn multiply_rest(&mut self, accumulator: &mut Accumulator<'_>) -> Result<(), Error> {
        let table = self.base.table();
        table.multiply_digits(self.secrecy, accumulator, &self.exponent, &mut self.workspace);
        if let Some(mask) = self.sign {
            let complement = self.base.complement()?;
            accumulator.multiply_if(self.secrecy, mask, complement, &mut self.workspace);
        }
        Ok(())
    }
}

impl FixedBase {
    /// `base^a · x^b` for a variable `x` and secret exponents: the squarings for `x` serve the comb of the base.
    ///
    /// Constant-time in `a`, `x`, `b` and the signs. Cost: the squarings and products of [`crate::Modulus::pow`] for `b`
    /// and the products of [`FixedBase::pow`] for `a`.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`]; [`Error::NotInvertible`] for a signed `b` and an `x` without inverse.
    pub fn pow_times<'e>(
        &self,
        a: impl Into<Exponent<'e>>,
        x: &BoxedUint,
        b: impl Into<Exponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        self.run_times(Secrecy::Secret, &a.into(), x, &b.into())
    }

    /// `base^a · x^b` for public `a`, `x` and `b`, as DSA verification wants it without a table for the key.
    /// Variable-time.
    ///
    /// # Errors
    /// As for [`FixedBase::pow_times`].
    pub fn pow_times_vartime<'e>(
        &self,
        a: impl Into<Exponent<'e>>,
        x: &BoxedUint,
        b: impl Into<Exponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        self.run_times(Secrecy::Public, &a.into(), x, &b.into())
    }

    fn run_times(
        &self,
        secrecy: Secrecy,
        a: &Exponent<'_>,
        x: &BoxedUint,
        b: &Exponent<'_>,
    ) -> Result<BoxedUint, Error> {
        let mut fixed = Factor::new(self, self.modulus().session(), secrecy, a)?;
        let mut session = self.modulus().session();
        let element = self.modulus().element(x);
        let windows = match secrecy {
            Secrecy::Secret => {
                let x = element.signed(b)?;
                let exponent = b.limbs(b.bits())?;
                let width = regular_width(x.residue().len(), b.bits());
                WindowTable::regular(
                    &mut session,
                    x.residue(),
                    (&exponent, b.bits()),
                    width,
                    1,
                    LookUp::Masked,
                )?
            }
            Secrecy::Public => {
                let x = if b.negative_mask() != 0 { element.invert()? } else { element };
                WindowTable::sliding_vartime(&mut session, x.residue(), &limbs::to_limbs(b.magnitude(), 1))
            }
        };
        let mut power = session.residue();
        let mut accumulator = Accumulator { value: &mut power, started: false };
        let mut place = windows.place(&session);
        for k in (0..self.columns().max(windows.positions())).rev() {
            accumulator.square(&mut session);
            if k < self.columns() {
                fixed.multiply_column(&mut accumulator, k);
            }
            if let Some(factor) = windows.factor(&session, k, &mut place) {
                accumulator.multiply(&mut session, factor);
            }
        }
        fixed.multiply_rest(&mut accumulator)?;
        accumulator.finish(&session);
        Ok(self.modulus().leave(&power))
    }
}
