//! Measures rates per second.

use std::time::Instant;

use clap::{Args, value_parser};
use rayon::prelude::*;
use serde::Serialize;

use crate::{failure::Failure, threads};

/// The least duration of a round in seconds.
const LONG_ENOUGH: f64 = 0.1;

/// The number of measurements.
#[derive(Args, Clone, Copy)]
pub struct Rounds {
    /// Rounds of each measurement, in which one core and all cores alternate, because other programs may be
    /// running: the best round gives the speeds, and the median of the ratios within a round gives the
    /// ratio.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = value_parser!(u16).range(1..))]
    rounds: u16,
}

/// A rate on one core and on all cores.
#[derive(Clone, Copy, Serialize)]
pub struct Rate {
    /// Per second on one core.
    pub one_core: f64,
    /// Per second on all cores.
    pub all_cores: f64,
    /// The ratio of all cores to one.
    pub factor: f64,
}

impl Rate {
    /// Measures `work` on the current threads. `work` gets the number of repetitions.
    pub fn of(rounds: Rounds, work: impl Fn(usize) -> Result<(), Failure> + Sync) -> Result<Self, Failure> {
        let rounds = usize::from(rounds.rounds);
        let mut best = Self { one_core: 0.0, all_cores: 0.0, factor: 0.0 };
        let mut factors = Vec::with_capacity(rounds);
        let all = rayon::current_num_threads();
        for _ in 0..rounds {
            let one_core = threads::with(Some(1), || measure(&work))?;
            let all_cores = threads::with(Some(all), || measure(&work))?;
            best.one_core = best.one_core.max(one_core);
            best.all_cores = best.all_cores.max(all_cores);
            factors.push(all_cores / one_core);
        }
        factors.sort_by(f64::total_cmp);
        Ok(Self { factor: factors[rounds / 2], ..best })
    }

    /// Measures `work`, which performs one repetition and gets its index.
    pub fn of_each(
        rounds: Rounds,
        work: impl Fn(usize) -> Result<(), Failure> + Sync,
    ) -> Result<Self, Failure> {
        Self::of(rounds, |count| (0..count).into_par_iter().try_for_each(&work))
    }
}

fn measure(work: impl Fn(usize) -> Result<(), Failure>) -> Result<f64, Failure> {
    let mut count = 4 * rayon::current_num_threads();
    loop {
        let start = Instant::now();
        work(count)?;
        let seconds = start.elapsed().as_secs_f64();
        if seconds >= LONG_ENOUGH {
            return Ok(count as f64 / seconds);
        }
        let missing = LONG_ENOUGH / seconds.max(1e-6);
        count = (count as f64 * (1.2 * missing).clamp(2.0, 100.0)).ceil() as usize;
    }
}
