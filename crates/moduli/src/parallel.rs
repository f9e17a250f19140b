//! Independent pieces of work, on all cores with the feature `rayon`.
//!
//! Where one thread is all there is, because there is one core, `RAYON_NUM_THREADS` says so or the system starts no
//! others, the work is done by the calling thread, and no pool is made; nor has a process that was forked off one with a pool any threads
//! but its own.

use alloc::vec::Vec;

/// How many threads share the work of one call; 1 is the calling thread.
pub(crate) fn threads() -> usize {
    // Other threads would run unwatched.
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

/// Whether so many pieces of work keep all threads busy, and most lanes, if each thread takes as many as there are lanes.
pub(crate) fn fills(pieces: usize, lanes: usize) -> bool {
    pieces.saturating_mul(2) > lanes * threads()
}

/// Rows of lanes that one thread takes through a table together: each row of the table is read for all of them while it is near.
const ROWS: usize = 8;

/// How many rows of lanes a thread takes at a time, if so many pieces of work fill them: as many as keep all threads busy.
pub(crate) fn rows(pieces: usize, lanes: usize) -> usize {
    (pieces / (lanes * threads())).clamp(1, ROWS)
}

/// Does `f` for each piece, in any order.
pub(crate) fn for_each<T: Send>(work: Vec<T>, f: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "rayon")]
    if threads() > 1 {
        use rayon::prelude::*;
        return work.into_par_iter().for_each(f);
    }
    work.into_iter().for_each(f);
}

/// What `f` makes of each piece, in order. `f` is lent what `init` makes, once a thread or more often.
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

/// What `a` and `b` return, which may run beside each other.
#[cfg(all(feature = "rsa", feature = "rayon"))]
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if threads() > 1 { rayon::join(a, b) } else { (a(), b()) }
}

#[cfg(feature = "rayon")]
mod pool {
    use core::{error::Error, num::NonZero};
    use std::{env, process, sync::OnceLock, thread};

    /// Whether rayon has a pool for this thread: the one that it belongs to, or the global one. After a fork the child has the pool's
    /// memory and none of its threads: who waited for them would wait for ever.
    pub(super) fn is_there() -> bool {
        static GLOBAL: OnceLock<(u32, bool)> = OnceLock::new();
        if rayon::current_thread_index().is_some() {
            return true;
        }
        let (owner, there) = *GLOBAL.get_or_init(|| (process::id(), asked_for() > 1 && is_built()));
        there && owner == process::id()
    }

    /// The threads of the global pool, as rayon counts them.
    fn asked_for() -> usize {
        let variable = |name| env::var(name).ok()?.parse::<usize>().ok();
        let asked = match variable("RAYON_NUM_THREADS") {
            None => variable("RAYON_RS_NUM_CPUS").filter(|&count| count > 0),
            asked => asked.filter(|&count| count > 0),
        };
        asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// Builds the global pool, unless the application has. Rayon would do so by itself, and panic where it cannot.
    fn is_built() -> bool {
        match rayon::ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // An error of the system has a source; that the pool is there already has none.
            Err(error) => error.source().is_none(),
        }
    }
}
