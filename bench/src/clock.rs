//! Measures time, and how reliable the measurements are.

use std::{mem, time::Instant};

/// The processor time of this thread, in nanoseconds. Time for which other processes run on the core is not
/// counted.
pub fn processor_time() -> f64 {
    // SAFETY: an all-zero timespec is valid, and the call writes only to it.
    unsafe {
        let mut time: libc::timespec = mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    }
}

/// Binds this thread, and threads that it starts, to a core: the requested one, or the last one that is
/// allowed.
pub fn pin(core: Option<usize>) -> Option<usize> {
    // SAFETY: an all-zero set is valid and empty, and the calls are given its size.
    unsafe {
        let size = mem::size_of::<libc::cpu_set_t>();
        let mut allowed: libc::cpu_set_t = mem::zeroed();
        if libc::sched_getaffinity(0, size, &mut allowed) != 0 {
            return None;
        }
        let last = (0..libc::CPU_SETSIZE as usize).rev().find(|&core| libc::CPU_ISSET(core, &allowed));
        let core = core.or(last)?;
        let mut one: libc::cpu_set_t = mem::zeroed();
        libc::CPU_SET(core, &mut one);
        (libc::sched_setaffinity(0, size, &one) == 0).then_some(core)
    }
}

/// The time of a fixed piece of work, a chain of multiplications, which shows how fast the core runs at this
/// moment.
pub fn calibration() -> f64 {
    let start = processor_time();
    let mut x = std::hint::black_box(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..20_000 {
        x = x.wrapping_mul(x | 1).rotate_left(17);
    }
    std::hint::black_box(x);
    processor_time() - start
}

/// Observes whether the core had other work, and whether its speed was constant.
pub struct Watch {
    wall: Instant,
    processor: f64,
    calibrations: Vec<f64>,
}

/// The result of a [`Watch`].
#[derive(Clone, Copy, serde::Serialize)]
pub struct Quiet {
    /// The share of the time for which the thread did not run.
    pub waited: f64,
    /// How much slower the slow calibrations are than the fast ones (ninth decile divided by the first, less
    /// 1).
    pub drift: f64,
    /// Whether both are at most 5 %.
    pub quiet: bool,
}

impl Watch {
    /// Starts observing.
    pub fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time(), calibrations: vec![calibration()] }
    }

    /// Measures the speed of the core.
    pub fn calibrate(&mut self) {
        self.calibrations.push(calibration());
    }

    /// The result.
    pub fn finish(mut self) -> Quiet {
        self.calibrate();
        let wall = self.wall.elapsed().as_nanos() as f64;
        let waited = (1.0 - (processor_time() - self.processor) / wall).max(0.0);
        let drift = quantile(&mut self.calibrations, 0.9) / quantile(&mut self.calibrations, 0.1) - 1.0;
        Quiet { waited, drift, quiet: waited <= 0.05 && drift <= 0.05 }
    }
}

/// The value below which the share `part` of all values lies. Sorts the values.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (part * (values.len() as f64 - 1.0)).round() as usize;
    values.get(index).copied().unwrap_or(f64::NAN)
}

/// The median of some values. Sorts the values.
pub fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}
