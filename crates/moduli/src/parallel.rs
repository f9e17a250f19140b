//! Runs independent tasks, with the feature `rayon` on all cores.
//!
//! The calling thread does all the work, without a pool, if only one thread is available: there is
//! one core, `RAYON_NUM_THREADS` is 1, or the system cannot start threads. This also holds in a
//! process that was forked from one with a pool: only the calling thread survives a fork.

use alloc::vec::Vec;

/// The number of threads that share the work of one call. 1 means the calling thread alone.
pub(crate) fn threads() -> usize {
    // The interpreter does not follow other threads.
    #[cfg(all(test, feature = "std", target_arch = "x86_64", target_os = "linux"))]
    if crate::checkmem::is_interpreted() {
        return 1;
    }
    #[cfg(feature = "rayon")]
    if pool::is_there() {
        return rayon::current_num_threads();
    }
    1
}

/// Whether `pieces` tasks occupy all threads and most lanes, if each thread takes one task per
/// lane.
pub(crate) fn fills(pieces: usize, lanes: usize) -> bool {
    pieces.saturating_mul(2) > lanes * threads()
}

/// The most rows of lanes that one thread processes together. It reads each row of the table for
/// all of them while the row is in the cache.
const ROWS: usize = 8;

/// How many rows of lanes a thread takes at a time if `pieces` tasks fill them. All threads stay
/// busy.
pub(crate) fn rows(pieces: usize, lanes: usize) -> usize {
    (pieces / (lanes * threads())).clamp(1, ROWS)
}

/// Calls `f` for each task, in any order.
pub(crate) fn for_each<T: Send>(work: Vec<T>, f: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "rayon")]
    if threads() > 1 {
        use rayon::prelude::*;
        return work.into_par_iter().for_each(f);
    }
    work.into_iter().for_each(f);
}

/// Returns the results of `f` for all tasks, in order. `f` gets a state that `init` creates once or
/// more per thread.
pub(crate) fn map_init<T: Send, S, R: Send>(
    work: Vec<T>,
    init: impl Fn() -> S + Send + Sync,
    f: impl Fn(&mut S, T) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    if threads() > 1 {
        use rayon::prelude::*;
        return work.into_par_iter().map_init(init, f).collect();
    }
    let mut state = init();
    work.into_iter().map(|piece| f(&mut state, piece)).collect()
}

/// Returns the results of `a` and `b`, which may run in parallel.
#[cfg(all(feature = "rsa", feature = "rayon"))]
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if threads() > 1 { rayon::join(a, b) } else { (a(), b()) }
}

#[cfg(feature = "rayon")]
mod pool {
    use core::{error::Error, num::NonZero};
    use std::{env, process, sync::OnceLock, thread};

    /// Whether rayon has a pool for this thread: its own, or the global one. After a fork the child
    /// has the pool's memory but none of its threads, so a call that waited for them would never
    /// return.
    pub(super) fn is_there() -> bool {
        static GLOBAL: OnceLock<(u32, bool)> = OnceLock::new();
        if rayon::current_thread_index().is_some() {
            return true;
        }
        let (owner, there) = *GLOBAL.get_or_init(|| (process::id(), asked_for() > 1 && is_built()));
        there && owner == process::id()
    }

    /// The number of threads of the global pool, by rayon's own rules.
    fn asked_for() -> usize {
        let variable = |name| env::var(name).ok()?.parse::<usize>().ok();
        let asked = match variable("RAYON_NUM_THREADS") {
            None => variable("RAYON_RS_NUM_CPUS").filter(|&count| count > 0),
            asked => asked.filter(|&count| count > 0),
        };
        asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// Builds the global pool unless the application has built it. Rayon would build it, too, but
    /// panics on failure.
    fn is_built() -> bool {
        match rayon::ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // Only an error of the system has a source. If the pool exists already, the error has
            // none.
            Err(error) => error.source().is_none(),
        }
    }
}
