//! The number of threads.

use rayon::ThreadPoolBuilder;

use crate::failure::{self, Failure};

/// Prepares for work on all cores. If the system cannot start threads, the calling one does all
/// further work.
pub fn prepare() {
    if all() > 1 && ThreadPoolBuilder::new().build_global().is_ok() {
        return;
    }
    // A pool that consists of this thread only and lasts as long as the thread. An error would mean
    // that there is a pool already.
    if let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        std::mem::forget(pool);
    }
}

/// Runs `work` with `count` threads, or with all cores.
pub fn with<T: Send>(
    count: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let Some(count) = count.filter(|&count| count != rayon::current_num_threads()) else { return work() };
    match ThreadPoolBuilder::new().num_threads(count).build() {
        Ok(pool) => pool.install(work),
        Err(error) => {
            failure::say(format_args!("note: --threads {count}: {error}; one thread works"));
            work()
        }
    }
}

/// The number of threads for all cores: the number of cores, or the value of `RAYON_NUM_THREADS`.
pub fn all() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    match asked {
        Some(count @ 1..) => count,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    }
}
