//! The front: what the planner chooses, for every budget up to one.

use alloc::{vec, vec::Vec};
use core::slice;

use super::{
    planner::{Plan, Planner},
    search::Found,
    ways::{Ground, Predictors, Way},
};
use crate::{error::Error, fixed::bytes::Bytes};
use moduli_kernel::Dimensions;

/// A plan, and from which budget on it is chosen.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The least budget for which the planner chooses this: up to the next step's it does.
    pub from: Bytes,
    /// The plan, without runners-up.
    pub plan: Plan,
}

/// Every plan that is chosen for some budget.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    /// Among all methods: what [`Planner::plan`] chooses, smallest budget first.
    pub chosen: Vec<Step>,
    /// Among the shapes of one method, for each method that has any within the budget.
    pub of_methods: Vec<Vec<Step>>,
}

/// What one way of exponentiating gives at each budget, greatest first.
type Walk = Vec<(u64, Found)>;

impl Planner<'_> {
    /// What [`Planner::plan`] chooses for each budget up to the one that is set: the front of bytes and time, by the predictions that
    /// plans are made with. A method of the caller's choice is a front of one step.
    ///
    /// Cost: that of some hundred plans.
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
        let ground = self.ground(&predictors);
        let ways = self.ways(&predictors, &ground);
        let walks: Vec<Walk> = ways.iter().map(|way| self.walk(way, &ground, &kernel)).collect();
        if walks.iter().all(Vec::is_empty) {
            return Err(ground.too_small(self.limit().0));
        }
        // The ways of a method stand side by side.
        let of_methods = ways.chunk_by(|a, b| a.family == b.family).scan(0, |start, ways| {
            let walks = &walks[*start..*start + ways.len()];
            *start += ways.len();
            Some(walks)
        });
        let of_methods: Result<Vec<_>, Error> = of_methods
            .filter(|walks| walks.iter().any(|walk| !walk.is_empty()))
            .map(|walks| self.steps(walks, &predictors))
            .collect();
        Ok(Front { chosen: self.steps(&walks, &predictors)?, of_methods: of_methods? })
    }

    /// The best for the whole budget, then the best that is smaller than that, and so on.
    fn walk(&self, way: &Way<'_>, ground: &Ground, kernel: &Dimensions) -> Walk {
        let mut limit = self.limit().0;
        core::iter::from_fn(|| {
            let found = self.search(slice::from_ref(way), ground, limit)?;
            let bytes = found.bytes(kernel);
            limit = bytes.saturating_sub(1);
            Some((bytes, found))
        })
        .collect()
    }

    /// What is the best of all walks, as the budget grows. As in [`Planner::plan`] the first of equal ones is chosen.
    fn steps(&self, walks: &[Walk], predictors: &Predictors<'_>) -> Result<Vec<Step>, Error> {
        let mut budgets: Vec<u64> = walks.iter().flatten().map(|&(bytes, _)| bytes).collect();
        budgets.sort_unstable();
        budgets.dedup();
        let mut steps = Vec::<Step>::new();
        for budget in budgets {
            let within =
                |walk: &Walk| walk.iter().find(|&&(bytes, _)| bytes <= budget).map(|&(_, found)| found);
            let best = walks.iter().filter_map(within).min_by(|a, b| a.objective.total_cmp(&b.objective));
            let Some(best) = best else { continue };
            let plan = self.describe(predictors, &best)?;
            if steps.last().is_none_or(|last| last.plan.shape != plan.shape) {
                steps.push(Step { from: Bytes(budget), plan });
            }
        }
        Ok(steps)
    }
}
