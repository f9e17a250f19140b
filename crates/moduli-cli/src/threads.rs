//! How many cores work.

use rayon::ThreadPoolBuilder;

use crate::failure::{self, Failure};

/// Prepares for work on all cores. Where the system starts no more threads, the calling one does all that follows.
pub fn prepare() {
    if all() > 1 && ThreadPoolBuilder::new().build_global().is_ok() {
        return;
    }
    // A pool that consists of this thread. It lasts as long as the thread; an error would mean that there is one already.
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

/// The number of threads that use all cores: as many as there are, or as `RAYON_NUM_THREADS` says.
pub fn all() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|count| count.parse().ok());
    match asked {
        Some(count @ 1..) => count,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    }
}
