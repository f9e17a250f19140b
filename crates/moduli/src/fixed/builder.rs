//! Building the table of a fixed base.

use alloc::format;
use crypto_bigint::BoxedUint;

use super::{
    bytes::Bytes,
    fixed_base::FixedBase,
    secrecy::Secrecy,
    shape::{Method, Shape},
};
use crate::{error::Error, modulus::Modulus};

/// Collects what is known about a fixed base; [`Builder::build`] computes the table.
#[derive(Clone)]
pub struct Builder<'a> {
    pub(crate) modulus: &'a Modulus,
    pub(crate) base: &'a BoxedUint,
    pub(crate) exponent_bits: u32,
    pub(crate) budget: Bytes,
    pub(crate) secrecy: Secrecy,
    pub(crate) count: Option<u64>,
    pub(crate) method: Option<Method>,
    pub(crate) split: Option<u32>,
    pub(crate) order: Option<&'a BoxedUint>,
    pub(crate) progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self {
            modulus,
            base,
            exponent_bits: modulus.bits(),
            budget: Bytes::mib(1),
            secrecy: Secrecy::Uniform,
            count: None,
            method: None,
            split: None,
            order: None,
            progress: None,
        }
    }

    /// Exponents will be below 2^bits. Default: the length of the modulus.
    #[must_use]
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { exponent_bits: bits, ..self }
    }

    /// The most bytes the table may take, padding included. Default: 1 MiB.
    #[must_use]
    pub fn budget(self, budget: Bytes) -> Self {
        Self { budget, ..self }
    }

    /// What the planner optimises for. Default: [`Secrecy::Uniform`].
    #[must_use]
    pub fn secrecy(self, secrecy: Secrecy) -> Self {
        Self { secrecy, ..self }
    }

    /// How many exponentiations the table will serve: the planner then counts the time to build it.
    #[must_use]
    pub fn count(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// A method of the caller's choice instead of the planner's; the budget is then not consulted.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// Entries prepared in this many pieces (1: not split); without it the planner chooses, and a method of the
    /// caller's choice is not split.
    #[must_use]
    pub fn split(self, split: u32) -> Self {
        Self { split: Some(split), ..self }
    }

    /// An order of the base (a multiple of it will do): exponents too long for the table are reduced modulo it.
    #[must_use]
    pub fn order(self, order: &'a BoxedUint) -> Self {
        Self { order: Some(order), ..self }
    }

    /// Told the number of entries done, from any thread, while the table is built.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// The shape that [`Builder::build`] would give the table.
    ///
    /// # Errors
    /// As for [`Builder::build`].
    pub fn shape(&self) -> Result<Shape, Error> {
        let method = self.method.ok_or_else(|| Error::parameter("method", "none"))?;
        let split = self.split.unwrap_or(1);
        let max_split = self.modulus.kernel().max_split();
        if split as usize > max_split {
            return Err(Error::parameter(
                "split",
                format!("{split} pieces; this modulus splits into at most {max_split}"),
            ));
        }
        Shape::new(method, split, self.exponent_bits)
    }

    /// Computes the table, on all cores with the feature `rayon`.
    ///
    /// Variable-time in the base, which is public. Cost: about a product an entry, three if split.
    ///
    /// # Errors
    /// [`Error::BaseZero`]; [`Error::Parameter`] for parameters out of range and for an order that is none, or does
    /// not fit the exponents; [`Error::BudgetTooSmall`] with the smallest that works; [`Error::NotInvertible`] if
    /// the method asked for needs the inverse of the base and there is none.
    pub fn build(self) -> Result<FixedBase, Error> {
        let shape = self.shape()?;
        FixedBase::compute(&self, shape)
    }
}
