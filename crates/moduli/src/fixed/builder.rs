//! Building the table of a fixed base.

use crypto_bigint::BoxedUint;

use super::{
    build::Recipe,
    fixed_base::FixedBase,
    layout::Layout,
    memory_size::MemorySize,
    method::Method,
    plan::{Plan, Planner},
    secrecy::Secrecy,
    storage::Storage,
};
use crate::{
    error::{Error, TableError},
    modulus::Modulus,
};
use moduli_kernel::Costs;

/// Collects what is known about a fixed base; [`Builder::build`] computes the table.
#[derive(Clone)]
pub struct Builder<'a> {
    planner: Planner<'a>,
    base: &'a BoxedUint,
    order: Option<&'a BoxedUint>,
    progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl FixedBase {
    /// Starts the description of a table for `base` modulo `modulus`; [`Builder::build`] checks both.
    pub fn builder<'a>(modulus: &'a Modulus, base: &'a BoxedUint) -> Builder<'a> {
        Builder { planner: Planner::new(modulus), base, order: None, progress: None }
    }
}

impl<'a> Builder<'a> {
    /// Exponents will be below 2^bits. Default: the length of the modulus.
    #[must_use]
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { planner: self.planner.exponent_bits(bits), ..self }
    }

    /// The most bytes the table may take, padding included. Default: 1 MiB; where a method is named, what that method
    /// needs, without a limit ([`Planner`]).
    #[must_use]
    pub fn budget(self, budget: MemorySize) -> Self {
        Self { planner: self.planner.budget(budget), ..self }
    }

    /// What the planner optimises for. Default: [`Secrecy::Secret`].
    #[must_use]
    pub fn secrecy(self, secrecy: Secrecy) -> Self {
        Self { planner: self.planner.secrecy(secrecy), ..self }
    }

    /// How many exponentiations the table will serve: the planner then counts the time to build it.
    #[must_use]
    pub fn count(self, count: u64) -> Self {
        Self { planner: self.planner.count(count), ..self }
    }

    /// A method of the caller's choice instead of the planner's.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { planner: self.planner.method(method), ..self }
    }

    /// Entries prepared in this many pieces (1: not split); without it the planner chooses, and a method of the
    /// caller's choice is not split.
    #[must_use]
    pub fn split(self, split: u32) -> Self {
        Self { planner: self.planner.split(split), ..self }
    }

    /// Exponents that will be given at once, as [`Planner::batch`].
    #[must_use]
    pub fn batch(self, exponents: u64) -> Self {
        Self { planner: self.planner.batch(exponents), ..self }
    }

    /// Costs for the planner to reckon with, as [`Planner::costs`].
    #[must_use]
    pub fn costs(self, costs: &'a Costs) -> Self {
        Self { planner: self.planner.costs(costs), ..self }
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

    /// The planner for this very base: residue methods only if it has an inverse.
    fn planner(&self) -> Planner<'a> {
        // A method of the caller's choice meets the missing inverse, if it needs one, when the table is built.
        let invertible = !self.planner.is_free() || self.planner.modulus().invert_vartime(self.base).is_ok();
        self.planner.invertible(invertible)
    }

    /// The plan that [`Builder::build`] follows, without building.
    ///
    /// # Errors
    /// As for [`Planner::plan`].
    pub fn plan(&self) -> Result<Plan, Error> {
        self.planner().plan()
    }

    /// Computes the table, on all cores with the feature `rayon`.
    ///
    /// Variable-time in the base, which is public. Cost: about a product an entry, three if split.
    ///
    /// # Errors
    /// [`Error::Table`]; [`Error::Parameter`] for parameters out of range and for an order that is none, or does
    /// not fit the exponents, and for a table that does not fit into memory; [`Error::BudgetTooSmall`] with the smallest that works; [`Error::NotInvertible`] if
    /// the method asked for needs the inverse of the base and there is none.
    pub fn build(self) -> Result<FixedBase, Error> {
        let modulus = self.planner.modulus();
        let base = modulus.reduce(self.base);
        if bool::from(base.is_zero()) {
            return Err(Error::Table(TableError::BaseZero));
        }
        let shape = self.planner().shape()?;
        let layout = Layout::new(&shape);
        let recipe = Recipe::new(modulus, &modulus.to_montgomery(&base), &layout, shape.split())?;
        let table = recipe.table(self.progress.unwrap_or(&|_| {}))?;
        FixedBase::assemble(modulus, base, shape, Storage::Owned(table), self.order, true)
    }
}
