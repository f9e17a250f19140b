//! The planner: which table makes the most of a memory budget.
//!
//! It searches radix-R, combs of every shape and the two residue methods, all in every split, by exact operation
//! counts and the cost table of the kernel that runs. A look-up for a secret exponent reads its whole row; those
//! bytes count.

mod average;
mod predict;
mod radices;
mod regions;
mod search;
#[cfg(test)]
mod tests;
mod work;

use alloc::{format, vec::Vec};
use core::slice;

pub use work::ExpectedCounts;

use self::{
    predict::{Predictor, Split},
    regions::Family,
    search::{Found, Search},
    work::Work,
};
use super::{bytes::Bytes, method::Method, secrecy::Secrecy, shape::Shape};
use crate::{
    error::Error,
    kernel::{Costs, Kernel},
    modulus::Modulus,
    parallel,
};

/// The budget of those who name none.
const DEFAULT_BUDGET: Bytes = Bytes::mib(1);

/// A table that was chosen, and what it is expected to cost.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Method, parameters, split and exponent length.
    pub shape: Shape,
    /// Bytes of the table.
    pub bytes: Bytes,
    /// Bytes that one exponentiation writes to beside it.
    pub scratch_bytes: Bytes,
    /// Operations of one exponentiation: exact for [`Secrecy::Secret`], else the average over random exponents.
    pub counts: ExpectedCounts,
    /// Predicted time of one exponentiation on one core: its share, where [`Planner::batch`] has them run side by side.
    pub nanoseconds: f64,
    /// Predicted time to build the table, on all cores with the feature `rayon`.
    pub build_nanoseconds: f64,
    /// From this many exponentiations on the table pays for itself, against [`Modulus::pow`] (for
    /// [`Secrecy::Public`], [`Modulus::pow_vartime`]) with exponents of the same length. None: never.
    pub break_even: Option<u64>,
    /// The best of the other methods, the best without split, the best at half the bytes: best first, without
    /// runners-up of their own.
    pub runners_up: Vec<Plan>,
}

/// Of exponents one by one, and side by side if that is how they come.
struct Predictors<'a> {
    alone: Predictor<'a>,
    in_lanes: Option<Predictor<'a>>,
}

impl<'a> Predictors<'a> {
    fn of(&self, shape: &Shape) -> &Predictor<'a> {
        self.in_lanes.as_ref().filter(|_| shape.serves_lanes()).unwrap_or(&self.alone)
    }
}

/// A family of methods, and how its exponentiations run.
#[derive(Clone, Copy)]
struct Way<'a> {
    family: Family,
    predictor: &'a Predictor<'a>,
    splits: &'a [Split],
}

impl Way<'_> {
    /// The same with entries in one piece, if they may be.
    fn in_one_piece(&self) -> Option<Self> {
        let (first, _) = self.splits.split_first()?;
        (first.pieces == 1).then(|| Self { splits: slice::from_ref(first), ..*self })
    }
}

/// Chooses the table for a modulus, an exponent length and a memory budget.
///
/// ```
/// use crypto_bigint::BoxedUint;
/// use moduli::{Bytes, Modulus, Planner};
///
/// # fn main() -> Result<(), moduli::Error> {
/// let p = Modulus::new(&BoxedUint::from(u64::MAX - 58))?;
/// let plan = Planner::new(&p).exponent_bits(64).budget(Bytes::kib(16)).plan()?;
/// assert!(plan.bytes <= Bytes::kib(16));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Planner<'a> {
    modulus: &'a Modulus,
    exponent_bits: u32,
    budget: Option<Bytes>,
    secrecy: Secrecy,
    count: Option<u64>,
    batch: u64,
    method: Option<Method>,
    split: Option<u32>,
    invertible: bool,
    costs: Option<&'a Costs>,
}

impl<'a> Planner<'a> {
    /// A planner for bases modulo `modulus`: exponents as long as the modulus, 1 MiB, secret exponents.
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
        }
    }

    /// Exponents will be below 2^bits. Default: the length of the modulus.
    #[must_use]
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { exponent_bits: bits, ..self }
    }

    /// The most bytes the table may take, padding included. Default: 1 MiB, or what a method of the caller's
    /// choice needs.
    #[must_use]
    pub fn budget(self, budget: Bytes) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Whether exponents are secret. Default: [`Secrecy::Secret`].
    #[must_use]
    pub fn secrecy(self, secrecy: Secrecy) -> Self {
        Self { secrecy, ..self }
    }

    /// How many exponentiations the table will serve: the time to build it then counts. Default: it does not.
    #[must_use]
    pub fn count(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// Exponents that are given at once, to [`FixedBase::pow_batch`](crate::FixedBase::pow_batch) or its variable-time sister. Where
    /// they fill the kernel's lanes, on all cores, the plan and its times are of such batches: look-ups are shared, so that larger
    /// rows pay. Default: 1.
    #[must_use]
    pub fn batch(self, exponents: u64) -> Self {
        Self { batch: exponents, ..self }
    }

    /// A method of the caller's choice.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method: Some(method), ..self }
    }

    /// Entries in this many pieces. Default: the planner's choice; 1 for a method of the caller's choice.
    #[must_use]
    pub fn split(self, split: u32) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Whether the base has an inverse, which the residue methods need. Default: yes.
    #[must_use]
    pub fn invertible(self, invertible: bool) -> Self {
        Self { invertible, ..self }
    }

    /// Costs to reckon with instead of those that are built in: [`Costs::measured`] on this machine.
    #[must_use]
    pub fn costs(self, costs: &'a Costs) -> Self {
        Self { costs: Some(costs), ..self }
    }

    pub(crate) fn modulus(&self) -> &'a Modulus {
        self.modulus
    }

    /// Whether the choice depends on there being an inverse.
    pub(crate) fn is_free(&self) -> bool {
        self.method.is_none()
    }

    fn kernel(&self) -> &'a dyn Kernel {
        self.modulus.kernel()
    }

    /// The shape alone: a method of the caller's choice needs no cost table.
    pub(crate) fn shape(&self) -> Result<Shape, Error> {
        match self.forced()? {
            Some(shape) => Ok(shape),
            None => Ok(self.plan()?.shape),
        }
    }

    /// The plan: the same always for the same choices, kernel and costs; with [`Planner::count`] for the same number of threads.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] with the smallest that works; [`Error::Parameter`] for parameters out of range.
    pub fn plan(&self) -> Result<Plan, Error> {
        match self.costs {
            Some(costs) => self.plan_with(costs),
            None => self.plan_with(&Costs::built_in(self.kernel())),
        }
    }

    /// The shape that the caller's choice fixes.
    fn forced(&self) -> Result<Option<Shape>, Error> {
        let split = self.split.unwrap_or(1);
        let max_split = self.kernel().max_split();
        if split as usize > max_split {
            return Err(Error::parameter(
                "split",
                format!("{split} pieces; this modulus splits into at most {max_split}"),
            ));
        }
        // A comb of one table with one tooth serves any exponent.
        let smallest = Method::Comb { teeth: 1, tables: 1, short_tables: 0 };
        let shape = Shape::new(self.method.unwrap_or(smallest), split, self.exponent_bits)?;
        let budget = self.budget.or(if self.is_free() { Some(DEFAULT_BUDGET) } else { None });
        let needed = self.bytes(&shape);
        match budget {
            Some(Bytes(budget)) if budget < needed.0 => {
                Err(Error::BudgetTooSmall { budget, smallest: needed.0 })
            }
            _ => Ok(self.method.map(|_| shape)),
        }
    }

    fn bytes(&self, shape: &Shape) -> Bytes {
        let entry = 8 * self.kernel().prepared_words(shape.split() as usize) as u64;
        Bytes(shape.entries().saturating_mul(entry))
    }

    /// In how many rows at a time exponents of a batch run side by side, if they do.
    fn rows(&self) -> Option<u64> {
        let batch = usize::try_from(self.batch).unwrap_or(usize::MAX);
        let lanes = self.kernel().lanes()?.lanes();
        parallel::fills(batch, lanes).then(|| parallel::rows(batch, lanes) as u64)
    }

    fn plan_with(&self, costs: &Costs) -> Result<Plan, Error> {
        let (kernel, bits, secrecy) = (self.kernel(), self.exponent_bits, self.secrecy);
        let alone = Predictor::new(costs, kernel, bits, secrecy);
        let in_lanes = self.rows().and_then(|rows| Predictor::in_lanes(rows, costs, kernel, bits, secrecy));
        let predictors = Predictors { alone, in_lanes };
        if let Some(shape) = self.forced()? {
            let work = Work::new(shape.method(), shape.digits(), bits, secrecy);
            return Ok(self.describe(predictors.of(&shape), shape, &work));
        }
        let pieces = self.split.unwrap_or(1)..=self.split.unwrap_or(kernel.max_split() as u32);
        let splits = predictors.alone.splits(pieces);
        let one_piece = predictors.in_lanes.iter().map(|lanes| lanes.split(1)).collect::<Vec<_>>();
        let radices = radices::radices(bits);
        let Bytes(budget) = self.budget.unwrap_or(DEFAULT_BUDGET);
        let ways = self.ways(&predictors, &splits, &one_piece);
        let search = |ways: &[Way<'_>], limit_bytes| {
            ways.iter().fold(None, |best, way| {
                let (count, radices) = (self.count, &radices[..]);
                let Way { family, predictor, splits } = *way;
                let mut search =
                    Search { predictor, splits, radices, bits, secrecy, count, limit_bytes, best, looks: 0 };
                search.family(family);
                search.best
            })
        };

        let mut found: Vec<Found> =
            ways.iter().filter_map(|way| search(slice::from_ref(way), budget)).collect();
        found.sort_by(|a, b| a.objective.total_cmp(&b.objective));
        let Some(&best) = found.first() else {
            return Err(Error::BudgetTooSmall { budget, smallest: 8 * splits[0].entry_words });
        };
        if best.pieces > 1 && splits[0].pieces == 1 {
            let whole = ways.iter().filter_map(Way::in_one_piece).collect::<Vec<_>>();
            found.extend(search(&whole, budget));
        }
        let best_bytes = best.work.entries * 8 * kernel.prepared_words(best.pieces as usize) as u64;
        found.extend(search(&ways, best_bytes / 2));

        let mut plans = Vec::<Plan>::new();
        found[1..].sort_by(|a, b| a.objective.total_cmp(&b.objective));
        for found in &found {
            let shape = Shape::new(found.method, found.pieces, self.exponent_bits)?;
            if plans.iter().all(|plan| plan.shape != shape) {
                plans.push(self.describe(predictors.of(&shape), shape, &found.work));
            }
        }
        let mut plan = plans.remove(0);
        plan.runners_up = plans;
        Ok(plan)
    }

    /// What is searched: every family in all splits, and what can run in lanes there.
    fn ways<'p>(
        &self,
        predictors: &'p Predictors<'_>,
        splits: &'p [Split],
        one_piece: &'p [Split],
    ) -> Vec<Way<'p>> {
        let Predictors { alone, in_lanes } = predictors;
        let mut ways = Vec::new();
        for family in Family::ALL {
            let serves_lanes = matches!(family, Family::Radix | Family::Comb);
            if !self.invertible && !serves_lanes {
                continue;
            }
            let mut splits = splits;
            if let Some(predictor) = in_lanes.as_ref().filter(|_| serves_lanes)
                && let [Split { pieces: 1, .. }, rest @ ..] = splits
            {
                ways.push(Way { family, predictor, splits: one_piece });
                splits = rest;
            }
            if !splits.is_empty() {
                ways.push(Way { family, predictor: alone, splits });
            }
        }
        ways
    }

    fn describe(&self, predictor: &Predictor<'_>, shape: Shape, work: &Work) -> Plan {
        let kernel = self.kernel();
        let split = predictor.split(shape.split());
        let nanoseconds = predictor.exponentiation(work, &split);
        let build_nanoseconds = predictor.build(work, &split);
        let saved = predictor.variable_base() - nanoseconds;
        Plan {
            shape,
            bytes: self.bytes(&shape),
            scratch_bytes: shape.scratch_bytes(kernel),
            counts: work.counts(split.pieces, split.entry_words as usize, kernel.residue_words()),
            nanoseconds,
            build_nanoseconds,
            break_even: (saved > 0.0).then(|| (build_nanoseconds / saved) as u64 + 1),
            runners_up: Vec::new(),
        }
    }
}
