//! The options and results of the planner.

use alloc::{borrow::Cow, vec::Vec};

use super::work::ExpectedCounts;
use crate::{
    error::Error,
    fixed::{memory_size::MemorySize, method::Method, secrecy::Secrecy, shape::Shape},
    modulus::Modulus,
};
use moduli_kernel::{Costs, Dimensions, KernelChoice, Maker};

/// The default budget.
const DEFAULT_BUDGET: MemorySize = MemorySize::mib(1);

/// The chosen table and its predicted cost.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The method with its parameters, the split, and the length of exponents.
    pub shape: Shape,
    /// The size of the table in bytes.
    pub bytes: MemorySize,
    /// The bytes that one exponentiation writes, in addition to the table.
    pub scratch_bytes: MemorySize,
    /// Operations of one exponentiation: exact for [`Secrecy::Secret`], otherwise the average over random
    /// exponents.
    pub counts: ExpectedCounts,
    /// Predicted time of one exponentiation on one core, in nanoseconds, if no other program uses the shared
    /// cache. With [`Planner::batch`], its share of a batch.
    pub nanoseconds: f64,
    /// The same, in nanoseconds, if other programs use the last-level cache. If a table exceeds the
    /// 1 MiB that a core has for itself, the prediction treats it as up to four times as large, but
    /// at most as 128 MiB, beyond which there are no measurements. At least `nanoseconds`, and
    /// equal for smaller tables.
    pub crowded_nanoseconds: f64,
    /// Predicted time to build the table, on all cores with the feature `rayon`.
    pub build_nanoseconds: f64,
    /// The number of exponentiations from which the table pays, compared with [`Modulus::pow`] (for
    /// [`Secrecy::Public`], [`Modulus::pow_vartime`]) with exponents of the same length. `None`:
    /// never.
    pub break_even: Option<u64>,
    /// The best plans of the other methods, the best without split, and the best with half the
    /// bytes. Best first, without their own runners-up.
    pub runners_up: Vec<Plan>,
}

/// Chooses the table for a modulus, an exponent length and a memory budget.
///
/// Without a budget, the planner chooses the best table of at most 1 MiB, for every modulus and exponent
/// length. The table may be smaller: a look-up for a secret exponent reads a whole row, so from some size on
/// larger rows do not pay. If you set a method without a budget, the only limit is 2^32 entries.
///
/// ```
/// use crypto_bigint::BoxedUint;
/// use moduli::{MemorySize, Modulus, Planner};
///
/// # fn main() -> Result<(), moduli::Error> {
/// let p = Modulus::new(&BoxedUint::from(u64::MAX - 58))?;
/// let plan = Planner::new(&p).exponent_bits(64).budget(MemorySize::kib(16)).plan()?;
/// assert!(plan.bytes <= MemorySize::kib(16));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Planner<'a> {
    pub(super) modulus: &'a Modulus,
    pub(super) exponent_bits: u32,
    pub(super) budget: Option<MemorySize>,
    pub(super) secrecy: Secrecy,
    pub(super) count: Option<u64>,
    pub(super) batch: u64,
    pub(super) method: Option<Method>,
    pub(super) split: Option<u32>,
    pub(super) invertible: bool,
    pub(super) costs: Option<&'a Costs>,
    pub(super) kernel: KernelChoice,
    pub(super) maker: Maker,
}

impl<'a> Planner<'a> {
    /// Creates a planner for bases modulo `modulus`. Defaults: exponents as long as the modulus, 1 MiB,
    /// secret exponents.
    pub fn new(modulus: &'a Modulus) -> Self {
        Self {
            modulus,
            exponent_bits: modulus.bits(),
            budget: None,
            secrecy: Secrecy::Secret,
            count: None,
            batch: 1,
            method: None,
            split: None,
            invertible: true,
            costs: None,
            kernel: KernelChoice::DETECT,
            maker: Maker::of_this_machine(),
        }
    }

    /// Sets the length of exponents: they are below 2^bits. Default: the length of the modulus.
    #[must_use]
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { exponent_bits: bits, ..self }
    }

    /// Sets the most bytes that the table may occupy, including padding. Default: 1 MiB, or no
    /// limit if a method is set.
    #[must_use]
    pub fn budget(self, budget: MemorySize) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Sets whether exponents are secret. Default: [`Secrecy::Secret`].
    #[must_use]
    pub fn secrecy(self, secrecy: Secrecy) -> Self {
        Self { secrecy, ..self }
    }

    /// Sets the number of exponentiations for which the table will be used, at least 1: the plan then
    /// includes the time to build it. Default: it does not.
    #[must_use]
    pub fn count(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// Sets the number of exponents, at least 1, in each call of
    /// [`FixedBase::pow_batch`](crate::FixedBase::pow_batch) or its variable-time counterpart. If
    /// they fill the kernel's lanes on all cores, the plan and its times are for such batches: they
    /// share look-ups, so larger rows pay. Default: 1.
    #[must_use]
    pub fn batch(self, exponents: u64) -> Self {
        Self { batch: exponents, ..self }
    }

    /// Sets the method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// Sets the number of pieces of each entry. Default: the planner's choice; 1 if a method is set.
    #[must_use]
    pub fn split(self, split: u32) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Sets whether the base has an inverse, which the residue methods need. Default: yes.
    #[must_use]
    pub fn invertible(self, invertible: bool) -> Self {
        Self { invertible, ..self }
    }

    /// Sets the costs to use instead of the built-in ones, such as [`Modulus::measured_costs`] on this
    /// machine. Planning fails with costs of another kernel or size.
    #[must_use]
    pub fn costs(self, costs: &'a Costs) -> Self {
        Self { costs: Some(costs), ..self }
    }

    /// Plans with the built-in costs on processors of this maker. Default: the maker of this machine's
    /// processor. So the same request gives the same plan on all machines of one maker that use one kernel,
    /// and with this choice on all others as well.
    #[must_use]
    pub fn maker(self, maker: Maker) -> Self {
        Self { maker, ..self }
    }

    /// Plans for a machine that uses this kernel, with its built-in costs, even if this machine cannot run
    /// it. Default, and for [`KernelChoice::DETECT`]: the kernel of the modulus.
    #[must_use]
    pub fn kernel(self, kernel: KernelChoice) -> Self {
        Self { kernel, ..self }
    }

    pub(crate) fn modulus(&self) -> &'a Modulus {
        self.modulus
    }

    /// Whether the choice depends on the existence of an inverse.
    pub(crate) fn is_free(&self) -> bool {
        self.method.is_none()
    }

    pub(super) fn dimensions(&self) -> Result<Dimensions, Error> {
        let kernel = match self.kernel == KernelChoice::DETECT {
            true => *self.modulus.dimensions(),
            false => self.kernel.foreseen(self.modulus.bits())?,
        };
        self.costs.map_or(Ok(()), |costs| costs.check(&kernel))?;
        Ok(kernel)
    }

    /// The costs of operations for a free shared cache, and for one that other programs crowd.
    pub(super) fn conditions(&self, kernel: &Dimensions) -> [Cow<'a, Costs>; 2] {
        let costs = self.costs.map_or_else(|| Cow::Owned(Costs::built_in(kernel, self.maker)), Cow::Borrowed);
        let crowded = Cow::Owned(costs.crowded());
        [costs, crowded]
    }

    /// The shape that the caller's choices determine, if they do.
    pub(super) fn forced(&self, kernel: &Dimensions) -> Result<Option<Shape>, Error> {
        for (name, given) in [("count", self.count), ("batch", Some(self.batch))] {
            if given == Some(0) {
                return Err(Error::parameter(name, "0; it must be at least 1"));
            }
        }
        let split = self.split.unwrap_or(1);
        let max_split = kernel.max_split;
        if split as usize > max_split {
            return Err(Error::out_of_range("split", split, [1, max_split as u32]));
        }
        // A comb of one table with one tooth works for any exponent.
        let smallest = Method::Comb { teeth: 1, tables: 1, short_tables: 0 };
        let shape = Shape::new(self.method.unwrap_or(smallest), split, self.exponent_bits)?;
        let budget = self.budget.or(if self.is_free() { Some(DEFAULT_BUDGET) } else { None });
        let needed = bytes(kernel, &shape);
        match budget {
            Some(MemorySize(budget)) if budget < needed.0 => {
                Err(Error::BudgetTooSmall { budget, smallest: needed.0 })
            }
            _ => Ok(self.method.map(|_| shape)),
        }
    }

    pub(super) fn limit(&self) -> MemorySize {
        self.budget.unwrap_or(DEFAULT_BUDGET)
    }
}

/// The size of a table in bytes.
pub(super) fn bytes(kernel: &Dimensions, shape: &Shape) -> MemorySize {
    let entry = 8 * kernel.prepared_words(shape.split() as usize) as u64;
    MemorySize(shape.entries().saturating_mul(entry))
}
