//! Decides when Python's lock is released, on which threads work runs, and how often Ctrl-C is checked.

use moduli::Modulus;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use std::{
    mem,
    ops::Range,
    process,
    sync::{Arc, Mutex, PoisonError},
};

/// Work that is predicted to take longer than this, in nanoseconds, releases Python's lock. If another thread
/// is busy, a call that releases the lock waits for up to the switch interval of 5 ms to get it back, so
/// short calls keep it.
const RELEASED: f64 = 1e6;

/// The time that a piece of a batch should take, in nanoseconds. Ctrl-C is checked between pieces.
const PIECE: f64 = 5e7;

/// The fewest and the most rows of a piece: all lanes of all threads should have work, and a piece of small
/// rows should stay in the caches. If one row takes longer than a piece should, pieces have eight rows, or
/// one for each thread.
const ROWS: (usize, usize) = (256, 4096);

/// The most lanes that a kernel has.
const LANES: usize = 8;

/// Batches that are predicted to take less than this, in nanoseconds, are not worth waking other threads.
const SMALL: f64 = 1e5;

/// The approximate time of an exponentiation with an exponent of `bits` bits, in nanoseconds, on one core.
pub fn power(modulus: &Modulus, bits: u32) -> f64 {
    let limbs = f64::from(modulus.bits().div_ceil(64));
    let slower = match modulus.kernel_name() {
        "ifma52" => 1.0,
        "fma50" | "adx" | "aarch64" => 1.7,
        _ => 4.0,
    };
    f64::from(bits) * slower * (0.22 * limbs * limbs + 2.5 * limbs)
}

/// Runs `f`, without Python's lock if it is predicted to take long enough.
pub fn run<R: Send>(py: Python<'_>, nanoseconds: f64, f: impl FnOnce() -> R + Send) -> R {
    if nanoseconds > RELEASED { py.detach(f) } else { f() }
}

/// Runs `f` without Python's lock, with all cores for its parallel parts.
pub fn on_all_cores<R: Send>(py: Python<'_>, f: impl FnOnce() -> R + Send) -> R {
    let pool = pool();
    py.detach(|| match pool {
        Some(pool) => pool.install(f),
        None => f(),
    })
}

/// The results of `f` for all items, in their order, computed on the threads of the current pool; one after
/// the other if it runs on none. The threads of rayon's global pool are not always available: a forked
/// process has none, and a system may refuse them.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() {
        return items.into_iter().map(f).collect();
    }
    items.into_par_iter().map(f).collect()
}

/// Computes `rows` rows, each predicted to take `nanoseconds`: one after the other if that is little work,
/// else at once on all cores.
pub fn by_one_or_at_once<R: Send>(
    py: Python<'_>,
    rows: usize,
    nanoseconds: f64,
    by_one: impl FnOnce() -> R,
    at_once: impl FnOnce() -> R + Send,
) -> R {
    if nanoseconds * (rows as f64) < SMALL { by_one() } else { on_all_cores(py, at_once) }
}

/// Computes rows 0 to `count` piece by piece, each row predicted to take `nanoseconds`.
///
/// # Errors
/// The error of a piece, or the exception of a signal handler: `KeyboardInterrupt`.
pub fn in_pieces(
    py: Python<'_>,
    count: usize,
    nanoseconds: f64,
    mut piece: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let threads = pool().map_or(1, |pool| pool.current_num_threads());
    let rows = (PIECE * threads as f64 / nanoseconds.max(1.0)) as usize;
    let rows = if nanoseconds > PIECE {
        threads.max(LANES)
    } else {
        // Each thread gets whole groups of lanes.
        rows.clamp(ROWS.0.min(16 * threads), ROWS.1).next_multiple_of(LANES * threads)
    };
    let mut start = 0;
    while start < count {
        let end = count.min(start + rows);
        piece(start..end)?;
        py.check_signals()?;
        start = end;
    }
    Ok(())
}

/// The threads of this process; None if there is only one.
///
/// They are a pool of our own, not rayon's global one: a process made by `fork` (as multiprocessing does) has
/// none of its parent's threads, and would wait for them for ever. It gets a new pool.
fn pool() -> Option<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Option<Arc<ThreadPool>>)>> = Mutex::new(None);
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    match &*known {
        Some((owner, pool)) if *owner == process => return pool.clone(),
        _ => {}
    }
    let pool = ThreadPoolBuilder::new().thread_name(|index| format!("moduli-{index}")).build();
    let pool = pool.ok().filter(|pool| pool.current_num_threads() > 1).map(Arc::new);
    // Do not end the parent's threads, which do not exist in this process.
    mem::forget(known.replace((process, pool.clone())));
    pool
}
