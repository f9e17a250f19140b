//! How many cores work.

use moduli::Error;

use crate::failure::Failure;

/// Runs `work` with `count` threads, or with all cores.
pub fn with<T: Send>(
    count: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let Some(count) = count else { return work() };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .build()
        .map_err(|error| Failure::Error(Error::Parameter { name: "threads", reason: error.to_string() }))?;
    pool.install(work)
}

/// The number of threads that use all cores.
pub fn all() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
