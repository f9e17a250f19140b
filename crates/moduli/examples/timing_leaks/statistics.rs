//! Welch's t-test on times, raw and cropped, and the time of a call.

use moduli::Error;

/// The classes of secrets; every other one is compared with [`RANDOM`].
pub const CLASSES: [&str; 4] = ["random", "fixed", "low", "top"];

/// The class whose secrets are drawn anew.
pub const RANDOM: usize = 0;

/// The shares of the samples that the tests are made on, fastest first: all of them, and without the slowest, which are
/// interrupted calls for the most part.
pub const CROPS: [f64; 7] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25];

/// Beyond this a difference is no accident (dudect warns from 4.5, and is certain at 10).
pub const THRESHOLD: f64 = 10.0;

/// A class of fewer samples has no variance to speak of.
const FEWEST: usize = 30;

/// How the times of a class differ from those of random secrets. Positive: slower.
#[derive(Clone, Copy, Default)]
pub struct Difference {
    /// Welch's t.
    pub t: f64,
    /// Of the means, in ticks of the time-stamp counter, for one call.
    pub ticks: f64,
    /// The same as a share of the mean of random secrets.
    pub share: f64,
}

/// The differences of one run: of each class but the first, by [`CROPS`].
pub type Run = [[Difference; CROPS.len()]; CLASSES.len() - 1];

/// The differences in `samples`, each a class and the ticks of so many calls.
pub fn differences(samples: &[(usize, u64)], calls: u32) -> Run {
    let mut times = vec![Vec::new(); CLASSES.len()];
    for &(class, ticks) in samples {
        times[class].push(ticks);
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let mut run = Run::default();
    for (crop, share) in CROPS.into_iter().enumerate() {
        let moments: Vec<Moments> = times.iter().map(|times| Moments::of_fastest(times, share)).collect();
        for (class, row) in run.iter_mut().enumerate() {
            let (this, random) = (&moments[class + 1], &moments[RANDOM]);
            let (t, apart) = (welch(this, random), this.mean - random.mean);
            row[crop] =
                Difference { t, ticks: apart / f64::from(calls), share: apart / random.mean.max(1.0) };
        }
    }
    run
}

struct Moments {
    count: usize,
    mean: f64,
    /// `count` times the variance of the mean.
    variance: f64,
}

impl Moments {
    /// Of the fastest share of a class, whose times are sorted.
    ///
    /// Each class is cropped by itself. A limit in common would let those of a slower class through that were fast for another reason, such
    /// as another frequency of the processor, and so turn the difference round. Where a class is cut off depends on its samples, and varies
    /// with them: of the fastest share s of many, with mean μ, variance σ² and the slowest q, the mean has the variance
    /// (σ² + (1 − s)·(q − μ)²)/count.
    fn of_fastest(sorted: &[u64], share: f64) -> Self {
        let count = (sorted.len() as f64 * share) as usize;
        let times = || sorted[..count].iter().map(|&ticks| ticks as f64);
        let mean = times().sum::<f64>() / count.max(1) as f64;
        let squares = times().map(|ticks| (ticks - mean).powi(2)).sum::<f64>();
        let slowest = times().next_back().unwrap_or(0.0);
        let variance = squares / (count.max(2) - 1) as f64 + (1.0 - share) * (slowest - mean).powi(2);
        Self { count, mean, variance }
    }
}

/// Welch's t; 0 for too few samples. A variance is one tick² at least: clocks have steps, and where all samples are
/// equal there is none.
fn welch(a: &Moments, b: &Moments) -> f64 {
    if a.count < FEWEST || b.count < FEWEST {
        return 0.0;
    }
    let square = |m: &Moments| m.variance.max(1.0) / m.count as f64;
    (a.mean - b.mean) / (square(a) + square(b)).sqrt()
}

/// The one whose t is farthest from 0.
pub fn largest<'a>(all: impl IntoIterator<Item = &'a Difference>) -> Difference {
    all.into_iter().copied().fold(Difference::default(), |largest, each| {
        if each.t.abs() > largest.t.abs() { each } else { largest }
    })
}

/// The least difference, as a share of the mean, that a run would have shown: what [`THRESHOLD`] standard errors are, at the crop
/// that has the least.
pub fn least_shown(run: &Run) -> f64 {
    let errors =
        run.iter().flatten().map(|each| (each.share / each.t).abs()).filter(|error| error.is_finite());
    THRESHOLD * errors.fold(f64::INFINITY, f64::min)
}

/// In how many runs the same class differs from random secrets, to the same side: the most there are. At which crop may vary: how many
/// samples are disturbed does.
pub fn agreeing(runs: &[Run]) -> usize {
    let count = |class: usize, side: f64| {
        runs.iter().filter(|run| run[class].iter().any(|each| side * each.t > THRESHOLD)).count()
    };
    (0..CLASSES.len() - 1).flat_map(|class| [count(class, 1.0), count(class, -1.0)]).max().unwrap_or(0)
}

/// Times calls.
pub struct Clock {
    /// How often a call is made within one time: short ones are lost between the steps of the clock.
    pub repeat: u32,
    /// Of the last call.
    pub ticks: u64,
    /// The first error: what fails early says nothing of the rest.
    pub error: Option<Error>,
}

impl Clock {
    /// Makes the call and keeps its time. What it returns is dropped within the time.
    pub fn time<R>(&mut self, call: impl Fn() -> Result<R, Error>) {
        let start = now();
        for _ in 0..self.repeat {
            if let Err(error) = std::hint::black_box(call()) {
                self.error.get_or_insert(error);
            }
        }
        self.ticks = now().wrapping_sub(start);
    }
}

/// The time-stamp counter, read after all that comes before and before all that comes after.
#[cfg(target_arch = "x86_64")]
pub fn now() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 processor has both instructions; neither touches memory of ours.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}

/// Nanoseconds since the first call.
#[cfg(not(target_arch = "x86_64"))]
pub fn now() -> u64 {
    use std::{sync::OnceLock, time::Instant};
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
