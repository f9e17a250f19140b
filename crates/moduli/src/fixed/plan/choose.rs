//! The plan for one budget with its runners-up, and the front of the plans for all budgets.

use alloc::{vec, vec::Vec};

use super::{
    planner::{Plan, Planner, bytes},
    predict::Predictor,
    radices,
    search::{Family, Found, Search, Stairs, Way},
    work::Work,
};
use crate::{
    error::Error,
    fixed::{memory_size::MemorySize, shape::Shape},
    parallel,
};
use moduli_kernel::{Costs, Dimensions};

/// A plan, and the budget from which on it is chosen.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The least budget for which the planner chooses this plan. It chooses it for all budgets
    /// below the next step's.
    pub from: MemorySize,
    /// The plan, without runners-up.
    pub plan: Plan,
}

/// The Pareto front of bytes and time: every plan that is optimal for some budget.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    /// Among all methods: the plans that [`Planner::plan`] chooses, smallest budget first.
    pub chosen: Vec<Step>,
    /// Among the shapes of one method, for each method that fits the budget.
    pub of_methods: Vec<Vec<Step>>,
}

/// For exponents one by one, and side by side if they come in batches.
struct Predictors<'a> {
    kernel: Dimensions,
    one_by_one: Predictor<'a>,
    in_lanes: Option<Predictor<'a>>,
}

/// The best tables of one family for every budget: with unsplit entries, and with any split.
struct Best {
    whole: Stairs,
    all: Stairs,
}

impl Planner<'_> {
    /// The shape alone: if the caller chose the method, no cost table is needed.
    pub(crate) fn shape(&self) -> Result<Shape, Error> {
        match self.forced(&self.dimensions()?)? {
            Some(shape) => Ok(shape),
            None => Ok(self.plan()?.shape),
        }
    }

    /// Returns the plan. It is always the same for the same choices, kernel, and maker or costs, and with
    /// [`Planner::count`] for the same number of threads.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] with the smallest budget that works; [`Error::Parameter`] for parameters out
    /// of range; [`Error::Kernel`] for a kernel without plans, or without plans for such a long modulus.
    pub fn plan(&self) -> Result<Plan, Error> {
        let kernel = self.dimensions()?;
        let [alone, crowded] = self.conditions(&kernel);
        self.plan_with(kernel, [&alone, &crowded])
    }

    /// Plans with the costs for both conditions: without and with other programs in the shared
    /// cache.
    pub(super) fn plan_with(&self, kernel: Dimensions, conditions: [&Costs; 2]) -> Result<Plan, Error> {
        let predictors = self.predictors(kernel, conditions);
        if let Some(shape) = self.forced(&kernel)? {
            return Ok(self.describe_forced(&predictors, shape));
        }
        let MemorySize(budget) = self.limit();
        let families = self.search(&predictors);
        let best_within = |budget| families.iter().filter_map(move |family| family.all.within(budget));
        let mut found: Vec<Found> = best_within(budget).copied().collect();
        found.sort_by(by_objective);
        let Some(&best) = found.first() else { return Err(self.too_small(&kernel)) };
        if best.pieces > 1 {
            let whole = families.iter().filter_map(|family| family.whole.within(budget));
            found.extend(whole.min_by(|a, b| by_objective(a, b)));
        }
        found.extend(best_within(best.bytes / 2).min_by(|a, b| by_objective(a, b)));
        found[1..].sort_by(by_objective);
        let mut plans = Vec::<Plan>::new();
        for found in &found {
            let plan = self.describe(&predictors, found)?;
            if plans.iter().all(|other| other.shape != plan.shape) {
                plans.push(plan);
            }
        }
        let mut plan = plans.remove(0);
        plan.runners_up = plans;
        Ok(plan)
    }

    /// Returns the choice of [`Planner::plan`] for each budget up to the set one: the front of
    /// bytes and predicted time. If a method is set, the front has one step.
    ///
    /// Cost: that of one plan, and of the description of each step.
    ///
    /// # Errors
    /// As for [`Planner::plan`].
    pub fn front(&self) -> Result<Front, Error> {
        let kernel = self.dimensions()?;
        let [alone, crowded] = self.conditions(&kernel);
        let predictors = self.predictors(kernel, [&alone, &crowded]);
        if let Some(shape) = self.forced(&kernel)? {
            let plan = self.describe_forced(&predictors, shape);
            let chosen = vec![Step { from: plan.bytes, plan }];
            return Ok(Front { of_methods: vec![chosen.clone()], chosen });
        }
        let families = self.search(&predictors);
        let mut all = Vec::<Found>::new();
        let mut of_methods = Vec::new();
        for Best { all: stairs, .. } in families.iter().filter(|family| !family.all.steps().is_empty()) {
            of_methods.push(self.steps(stairs.steps(), &predictors)?);
            all.extend(stairs.steps());
        }
        if all.is_empty() {
            return Err(self.too_small(&kernel));
        }
        // Keeps each table that is better than all that are no larger; among equal ones the first,
        // as in `plan`.
        all.sort_by(|a, b| a.bytes.cmp(&b.bytes).then(by_objective(a, b)));
        let mut least = f64::INFINITY;
        all.retain(|found| {
            let is_better = found.objective < least;
            least = least.min(found.objective);
            is_better
        });
        Ok(Front { chosen: self.steps(&all, &predictors)?, of_methods })
    }

    fn steps(&self, found: &[Found], predictors: &Predictors<'_>) -> Result<Vec<Step>, Error> {
        let step = |found: &Found| {
            Ok(Step { from: MemorySize(found.bytes), plan: self.describe(predictors, found)? })
        };
        found.iter().map(step).collect()
    }

    /// The number of rows in which exponents of a batch run side by side, or `None` if they do not.
    fn rows(&self, kernel: &Dimensions) -> Option<u64> {
        let batch = usize::try_from(self.batch).unwrap_or(usize::MAX);
        let lanes = kernel.lanes?;
        parallel::fills(batch, lanes).then(|| parallel::rows(batch, lanes) as u64)
    }

    /// Predictors from the costs for both conditions.
    fn predictors<'p>(&self, kernel: Dimensions, conditions: [&'p Costs; 2]) -> Predictors<'p> {
        let one_by_one = Predictor::new(conditions, kernel, self.exponent_bits, self.secrecy);
        let in_lanes = self.rows(&kernel).and_then(|rows| one_by_one.in_lanes(rows));
        Predictors { kernel, one_by_one, in_lanes }
    }

    /// The best tables of each family within the budget.
    fn search(&self, predictors: &Predictors<'_>) -> Vec<Best> {
        let MemorySize(limit_bytes) = self.limit();
        let Predictors { kernel, one_by_one, in_lanes } = predictors;
        let pieces = self.split.unwrap_or(1)..=self.split.unwrap_or(kernel.max_split as u32);
        let splits = one_by_one.splits(pieces);
        let (whole, rest) =
            splits.split_at(usize::from(splits.first().is_some_and(|split| split.pieces == 1)));
        let lane_splits: Vec<_> =
            in_lanes.iter().filter(|_| !whole.is_empty()).map(|lanes| lanes.split(1)).collect();
        let radices = radices::radices(self.exponent_bits);
        let families = Family::ALL.into_iter().filter(|family| self.invertible || !family.is_residues());
        let best = families.map(|family| {
            let lanes = in_lanes.as_ref().filter(|_| !family.is_residues());
            let one_piece = match lanes {
                Some(lanes) => Way::new(lanes, &lane_splits),
                None => Way::new(one_by_one, whole),
            };
            let in_pieces = Way::new(one_by_one, rest).filter(|_| family != Family::M0m1);
            let mut search = Search {
                family,
                ways: one_piece.into_iter().chain(in_pieces).collect(),
                radices: &radices,
                bits: self.exponent_bits,
                secrecy: self.secrecy,
                count: self.count,
                limit_bytes,
                whole: Stairs::default(),
                all: Stairs::default(),
            };
            search.run();
            Best { whole: search.whole, all: search.all }
        });
        best.collect()
    }

    /// The error for a budget that is too small even for a table of one entry.
    fn too_small(&self, kernel: &Dimensions) -> Error {
        let smallest = 8 * kernel.prepared_words(self.split.unwrap_or(1) as usize) as u64;
        Error::BudgetTooSmall { budget: self.limit().0, smallest }
    }

    /// A plan without runners-up.
    fn describe(&self, predictors: &Predictors<'_>, found: &Found) -> Result<Plan, Error> {
        Ok(self.describe_forced(predictors, Shape::new(found.method, found.pieces, self.exponent_bits)?))
    }

    /// The plan with the given shape.
    fn describe_forced(&self, predictors: &Predictors<'_>, shape: Shape) -> Plan {
        let work = Work::new(shape.method(), shape.digits(), self.exponent_bits, self.secrecy);
        let Predictors { kernel, one_by_one, in_lanes } = predictors;
        let predictor = in_lanes.as_ref().filter(|_| shape.serves_lanes()).unwrap_or(one_by_one);
        let split = predictor.split(shape.split());
        let [nanoseconds, crowded_nanoseconds] = predictor.exponentiation(&work, &split);
        let build_nanoseconds = predictor.build(&work, &split);
        let saved = predictor.variable_base() - nanoseconds;
        Plan {
            shape,
            bytes: bytes(kernel, &shape),
            scratch_bytes: shape.scratch_bytes(kernel),
            counts: work.counts(split.pieces, split.entry_words as usize, kernel.residue_words),
            nanoseconds,
            crowded_nanoseconds,
            build_nanoseconds,
            break_even: (saved > 0.0).then(|| (build_nanoseconds / saved) as u64 + 1),
            runners_up: Vec::new(),
        }
    }
}

fn by_objective(a: &Found, b: &Found) -> core::cmp::Ordering {
    a.objective.total_cmp(&b.objective)
}
