//! The choice for one budget, and its runners-up.

use alloc::vec::Vec;
use core::slice;

use super::{
    planner::{Plan, Planner},
    search::Found,
    ways::Way,
};
use crate::{
    error::Error,
    fixed::{bytes::Bytes, shape::Shape},
};
use moduli_kernel::{Costs, Dimensions};

impl Planner<'_> {
    /// The shape alone: a method of the caller's choice needs no cost table.
    pub(crate) fn shape(&self) -> Result<Shape, Error> {
        match self.forced(&self.dimensions()?)? {
            Some(shape) => Ok(shape),
            None => Ok(self.plan()?.shape),
        }
    }

    /// The plan: the same always for the same choices, kernel and costs; with [`Planner::count`] for the same number of threads.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] with the smallest that works; [`Error::Parameter`] for parameters out of range;
    /// [`Error::Kernel`] for a kernel that has no plans, or none for so long a modulus.
    pub fn plan(&self) -> Result<Plan, Error> {
        let kernel = self.dimensions()?;
        let [alone, crowded] = self.conditions(&kernel);
        self.plan_with(kernel, [&alone, &crowded])
    }

    /// With costs alone and crowded.
    pub(super) fn plan_with(&self, kernel: Dimensions, conditions: [&Costs; 2]) -> Result<Plan, Error> {
        let predictors = self.predictors(kernel, conditions);
        if let Some(shape) = self.forced(&kernel)? {
            return Ok(self.describe_forced(&predictors, shape));
        }
        let ground = self.ground(&predictors);
        let Bytes(budget) = self.limit();
        let ways = self.ways(&predictors, &ground);
        let search = |ways: &[Way<'_>], limit| self.search(ways, &ground, limit);

        let mut found: Vec<Found> =
            ways.iter().filter_map(|way| search(slice::from_ref(way), budget)).collect();
        found.sort_by(|a, b| a.objective.total_cmp(&b.objective));
        let Some(&best) = found.first() else {
            return Err(ground.too_small(budget));
        };
        if best.pieces > 1 && ground.splits[0].pieces == 1 {
            let whole = ways.iter().filter_map(Way::in_one_piece).collect::<Vec<_>>();
            found.extend(search(&whole, budget));
        }
        found.extend(search(&ways, best.bytes(&kernel) / 2));

        let mut plans = Vec::<Plan>::new();
        found[1..].sort_by(|a, b| a.objective.total_cmp(&b.objective));
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
}
