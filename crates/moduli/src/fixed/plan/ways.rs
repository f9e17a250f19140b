//! What is searched, whatever the limit, and what comes of it.

use alloc::vec::Vec;
use core::slice;

use super::{
    planner::{Plan, Planner, bytes},
    predict::{Predictor, Split},
    radices::{self, Radix},
    regions::Family,
    search::{Found, Search},
    work::Work,
};
use crate::{error::Error, fixed::shape::Shape, parallel};
use moduli_kernel::{Costs, Dimensions};

/// Of exponents one by one, and side by side if that is how they come.
pub(super) struct Predictors<'a> {
    pub(super) kernel: Dimensions,
    pub(super) one_by_one: Predictor<'a>,
    pub(super) in_lanes: Option<Predictor<'a>>,
}

impl<'a> Predictors<'a> {
    pub(super) fn of(&self, shape: &Shape) -> &Predictor<'a> {
        self.in_lanes.as_ref().filter(|_| shape.serves_lanes()).unwrap_or(&self.one_by_one)
    }
}

/// What is searched, whatever the limit.
pub(super) struct Ground {
    /// How entries may be split, and the one way of those that run in lanes.
    pub(super) splits: Vec<Split>,
    pub(super) one_piece: Vec<Split>,
    pub(super) radices: Vec<Radix>,
}

impl Ground {
    /// Even a table of one entry needs more.
    pub(super) fn too_small(&self, budget: u64) -> Error {
        Error::BudgetTooSmall { budget, smallest: 8 * self.splits[0].entry_words }
    }
}

/// A family of methods, and how its exponentiations run.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) family: Family,
    pub(super) predictor: &'a Predictor<'a>,
    pub(super) splits: &'a [Split],
}

impl Way<'_> {
    /// The same with entries in one piece, if they may be.
    pub(super) fn in_one_piece(&self) -> Option<Self> {
        let (first, _) = self.splits.split_first()?;
        (first.pieces == 1).then(|| Self { splits: slice::from_ref(first), ..*self })
    }
}

impl Planner<'_> {
    /// In how many rows at a time exponents of a batch run side by side, if they do.
    fn rows(&self, kernel: &Dimensions) -> Option<u64> {
        let batch = usize::try_from(self.batch).unwrap_or(usize::MAX);
        let lanes = kernel.lanes?;
        parallel::fills(batch, lanes).then(|| parallel::rows(batch, lanes) as u64)
    }

    /// From costs alone and crowded.
    pub(super) fn predictors<'p>(&self, kernel: Dimensions, conditions: [&'p Costs; 2]) -> Predictors<'p> {
        let one_by_one = Predictor::new(conditions, kernel, self.exponent_bits, self.secrecy);
        let in_lanes = self.rows(&kernel).and_then(|rows| one_by_one.in_lanes(rows));
        Predictors { kernel, one_by_one, in_lanes }
    }

    pub(super) fn ground(&self, predictors: &Predictors<'_>) -> Ground {
        let most = predictors.kernel.max_split as u32;
        let pieces = self.split.unwrap_or(1)..=self.split.unwrap_or(most);
        Ground {
            splits: predictors.one_by_one.splits(pieces),
            one_piece: predictors.in_lanes.iter().map(|lanes| lanes.split(1)).collect(),
            radices: radices::radices(self.exponent_bits),
        }
    }

    /// The best that keeps to the limit, of the first of these ways that has it.
    pub(super) fn search(&self, ways: &[Way<'_>], ground: &Ground, limit_bytes: u64) -> Option<Found> {
        let (bits, secrecy, count, radices) =
            (self.exponent_bits, self.secrecy, self.count, &ground.radices[..]);
        ways.iter().fold(None, |best, way| {
            let Way { family, predictor, splits } = *way;
            let mut search =
                Search { predictor, splits, radices, bits, secrecy, count, limit_bytes, best, looks: 0 };
            search.family(family);
            search.best
        })
    }

    /// What is searched: every family in all splits, and what can run in lanes there.
    pub(super) fn ways<'p>(&self, predictors: &'p Predictors<'_>, ground: &'p Ground) -> Vec<Way<'p>> {
        let Predictors { one_by_one, in_lanes, .. } = predictors;
        let Ground { splits, one_piece, .. } = ground;
        let mut ways = Vec::new();
        for family in Family::ALL {
            let serves_lanes = matches!(family, Family::Radix | Family::Comb);
            if !self.invertible && !serves_lanes {
                continue;
            }
            let mut splits = &splits[..];
            if let Some(predictor) = in_lanes.as_ref().filter(|_| serves_lanes)
                && let [Split { pieces: 1, .. }, rest @ ..] = splits
            {
                ways.push(Way { family, predictor, splits: one_piece });
                splits = rest;
            }
            if !splits.is_empty() {
                ways.push(Way { family, predictor: one_by_one, splits });
            }
        }
        ways
    }

    /// A plan without runners-up.
    pub(super) fn describe(&self, predictors: &Predictors<'_>, found: &Found) -> Result<Plan, Error> {
        let shape = Shape::new(found.method, found.pieces, self.exponent_bits)?;
        Ok(self.describe_work(predictors, shape, &found.work))
    }

    /// The plan that the caller's choice is.
    pub(super) fn describe_forced(&self, predictors: &Predictors<'_>, shape: Shape) -> Plan {
        let work = Work::new(shape.method(), shape.digits(), self.exponent_bits, self.secrecy);
        self.describe_work(predictors, shape, &work)
    }

    fn describe_work(&self, predictors: &Predictors<'_>, shape: Shape, work: &Work) -> Plan {
        let (kernel, predictor) = (&predictors.kernel, predictors.of(&shape));
        let split = predictor.split(shape.split());
        let [nanoseconds, crowded_nanoseconds] = predictor.exponentiation(work, &split);
        let build_nanoseconds = predictor.build(work, &split);
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
