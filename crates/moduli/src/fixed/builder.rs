//! Builds the table of a fixed base.

use crypto_bigint::BoxedUint;
use moduli_kernel::Maker;

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

/// The description of a table for a fixed base; [`Builder::build`] computes the table.
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
    /// Sets the length of exponents: they are below 2^bits. Default: the length of the modulus.
    #[must_use]
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { planner: self.planner.exponent_bits(bits), ..self }
    }

    /// Sets the most bytes that the table may occupy, including padding. Default: 1 MiB, or no
    /// limit if a method is set ([`Planner`]).
    #[must_use]
    pub fn budget(self, budget: MemorySize) -> Self {
        Self { planner: self.planner.budget(budget), ..self }
    }

    /// Sets what the planner optimises for. Default: [`Secrecy::Secret`].
    #[must_use]
    pub fn secrecy(self, secrecy: Secrecy) -> Self {
        Self { planner: self.planner.secrecy(secrecy), ..self }
    }

    /// Sets the number of exponentiations for which the table will be used: the planner then includes the
    /// time to build it.
    #[must_use]
    pub fn count(self, count: u64) -> Self {
        Self { planner: self.planner.count(count), ..self }
    }

    /// Sets the method, instead of the planner's choice.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { planner: self.planner.method(method), ..self }
    }

    /// Sets the number of pieces in which entries are prepared (1: not split). By default the
    /// planner chooses; if a method is set, the default is 1.
    #[must_use]
    pub fn split(self, split: u32) -> Self {
        Self { planner: self.planner.split(split), ..self }
    }

    /// Sets the number of exponents per call, as [`Planner::batch`].
    #[must_use]
    pub fn batch(self, exponents: u64) -> Self {
        Self { planner: self.planner.batch(exponents), ..self }
    }

    /// Sets the maker of the processors for which to plan, as [`Planner::maker`].
    #[must_use]
    pub fn maker(self, maker: Maker) -> Self {
        Self { planner: self.planner.maker(maker), ..self }
    }

    /// Sets the costs that the planner uses, as [`Planner::costs`].
    #[must_use]
    pub fn costs(self, costs: &'a Costs) -> Self {
        Self { planner: self.planner.costs(costs), ..self }
    }

    /// Sets an order of the base (or a multiple of it): exponents that are too long for the table are reduced
    /// modulo it.
    #[must_use]
    pub fn order(self, order: &'a BoxedUint) -> Self {
        Self { order: Some(order), ..self }
    }

    /// Sets a function that is called with the number of entries done, from any thread, while the table is
    /// built.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// The planner for this base: it uses residue methods only if the base has an inverse.
    fn planner(&self) -> Planner<'a> {
        // If the caller chose a method that needs the inverse, `build` reports that it is missing.
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
    /// Variable-time in the base, which is public. Cost: about one product per entry, three if split.
    ///
    /// # Errors
    /// [`Error::Table`]; [`Error::Parameter`] for parameters out of range, for an order that is wrong or does
    /// not fit the exponents, and for a table that does not fit into memory; [`Error::BudgetTooSmall`] with
    /// the smallest budget that works; [`Error::NotInvertible`] if the requested method needs the inverse of
    /// the base and there is none.
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
