//! Welch's t-test on times, raw and cropped, and the time of a call.

use moduli::Error;

/// The classes of secrets. All others are compared with [`RANDOM`].
pub const CLASSES: [&str; 4] = ["random", "fixed", "low", "top"];

/// The class of different random secrets.
pub const RANDOM: usize = 0;

/// The shares of the samples that the tests use, fastest first: all samples, and without the
/// slowest, which are mostly interrupted calls.
pub const CROPS: [f64; 7] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25];

/// Above this, a difference is not an accident (dudect warns from 4.5, and is certain at 10).
pub const THRESHOLD: f64 = 10.0;

/// The variance of a class with fewer samples is not meaningful.
const FEWEST: usize = 30;

/// The difference between the times of a class and those of random secrets. Positive means slower.
#[derive(Clone, Copy, Default)]
pub struct Difference {
    /// Welch's t.
    pub t: f64,
    /// The difference of the means for one call, in ticks of the time-stamp counter.
    pub ticks: f64,
    /// The same, relative to the mean for random secrets.
    pub share: f64,
}

/// The differences of one run: of each class but the first, for each of [`CROPS`].
pub type Run = [[Difference; CROPS.len()]; CLASSES.len() - 1];

/// The differences in `samples`. Each sample is a class and the ticks of `calls` calls.
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
    /// The variance of the mean, times `count`.
    variance: f64,
}

impl Moments {
    /// The moments of the fastest share of a class, whose times are sorted.
    ///
    /// Each class is cropped separately. A common limit would keep those samples of a slower class
    /// that were fast for another reason, such as another frequency of the processor, and so could
    /// reverse the difference. The limit of a class depends on its samples and varies with them.
    /// For the fastest share s of many samples, with mean μ, variance σ² and slowest time q, the
    /// mean has the variance (σ² + (1 − s)·(q − μ)²)/count.
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

/// Welch's t, or 0 for too few samples. A variance counts as at least one tick²: clocks have steps,
/// so all samples may be equal.
fn welch(a: &Moments, b: &Moments) -> f64 {
    if a.count < FEWEST || b.count < FEWEST {
        return 0.0;
    }
    let square = |m: &Moments| m.variance.max(1.0) / m.count as f64;
    (a.mean - b.mean) / (square(a) + square(b)).sqrt()
}

/// The difference with the largest |t|.
pub fn largest<'a>(all: impl IntoIterator<Item = &'a Difference>) -> Difference {
    all.into_iter().copied().fold(Difference::default(), |largest, each| {
        if each.t.abs() > largest.t.abs() { each } else { largest }
    })
}

/// The least difference, relative to the mean, that a run would have shown: [`THRESHOLD`] standard
/// errors, at the crop for which they are smallest.
pub fn least_shown(run: &Run) -> f64 {
    let errors =
        run.iter().flatten().map(|each| (each.share / each.t).abs()).filter(|error| error.is_finite());
    THRESHOLD * errors.fold(f64::INFINITY, f64::min)
}

/// The largest number of runs in which the same class differs from random secrets in the same
/// direction. The crop may vary between runs, because the number of disturbed samples does.
pub fn agreeing(runs: &[Run]) -> usize {
    let count = |class: usize, side: f64| {
        runs.iter().filter(|run| run[class].iter().any(|each| side * each.t > THRESHOLD)).count()
    };
    (0..CLASSES.len() - 1).flat_map(|class| [count(class, 1.0), count(class, -1.0)]).max().unwrap_or(0)
}

/// A clock for calls.
pub struct Clock {
    /// The number of calls per measured time: short calls take less than a step of the clock.
    pub repeat: u32,
    /// The ticks of the last call.
    pub ticks: u64,
    /// The first error. After an early failure, the times mean nothing.
    pub error: Option<Error>,
}

impl Clock {
    /// Makes the call and records its time, which includes dropping the result.
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

/// The time-stamp counter, read after all preceding and before all following instructions.
#[cfg(target_arch = "x86_64")]
pub fn now() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 processor has both instructions; neither accesses memory.
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
