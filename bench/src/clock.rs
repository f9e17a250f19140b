//! Time, and how far it can be trusted.

use std::{mem, time::Instant};

/// Processor time of this thread, in nanoseconds: what others run on the core meanwhile does not count.
pub fn processor_time() -> f64 {
    // SAFETY: an all-zero timespec is one; the call writes to it alone.
    unsafe {
        let mut time: libc::timespec = mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    }
}

/// Binds this thread, and those it starts, to a core: the one asked for or the last that is allowed.
pub fn pin(core: Option<usize>) -> Option<usize> {
    // SAFETY: an all-zero set is an empty one; the calls get its size.
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

/// A fixed piece of work, a chain of multiplications: its time tells how fast the core runs at this moment.
pub fn calibration() -> f64 {
    let start = processor_time();
    let mut x = std::hint::black_box(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..20_000 {
        x = x.wrapping_mul(x | 1).rotate_left(17);
    }
    std::hint::black_box(x);
    processor_time() - start
}

/// Whether the core had anything else to do, and whether it kept its speed.
pub struct Watch {
    wall: Instant,
    processor: f64,
    calibrations: Vec<f64>,
}

/// What a [`Watch`] saw.
#[derive(Clone, Copy, serde::Serialize)]
pub struct Quiet {
    /// The share of the time for which the thread did not run.
    pub waited: f64,
    /// How far the slower calibrations lie above the faster ones (ninth decile over the first, less 1).
    pub drift: f64,
    /// Both at most 5 %.
    pub quiet: bool,
}

impl Watch {
    /// Starts to watch.
    pub fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time(), calibrations: vec![calibration()] }
    }

    /// Takes the speed of the core.
    pub fn calibrate(&mut self) {
        self.calibrations.push(calibration());
    }

    /// What was seen.
    pub fn finish(mut self) -> Quiet {
        self.calibrate();
        let wall = self.wall.elapsed().as_nanos() as f64;
        let waited = (1.0 - (processor_time() - self.processor) / wall).max(0.0);
        let drift = quantile(&mut self.calibrations, 0.9) / quantile(&mut self.calibrations, 0.1) - 1.0;
        Quiet { waited, drift, quiet: waited <= 0.05 && drift <= 0.05 }
    }
}

/// The value below which the share `part` of all lies; sorts them.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (part * (values.len() as f64 - 1.0)).round() as usize;
    values.get(index).copied().unwrap_or(f64::NAN)
}

/// The middle of some values; sorts them.
pub fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}
