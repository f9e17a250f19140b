//! When Python's lock is released, on which threads work runs, and how often Ctrl-C is looked for.

use moduli::Modulus;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use std::{
    mem,
    ops::Range,
    process,
    sync::{Arc, Mutex, PoisonError},
};

/// Work predicted to take longer, in nanoseconds, releases Python's lock. Beside a busy thread a call that releases it waits for
/// up to the switch interval of 5 ms to get it back, so that short calls had better keep it.
const RELEASED: f64 = 1e6;

/// What a piece of a batch is to take, in nanoseconds: between two pieces Ctrl-C is looked for.
const PIECE: f64 = 5e7;

/// The fewest and the most rows of a piece: all lanes of all threads should have work, and a piece of small rows should
/// stay in the caches. Rows that take longer than a piece should come by eight, or by one for each thread.
const ROWS: (usize, usize) = (256, 4096);

/// The most lanes that a kernel has.
const LANES: usize = 8;

/// Batches predicted to take less, in nanoseconds, are not worth waking other threads.
const SMALL: f64 = 1e5;

/// About how long an exponentiation with an exponent of so many bits takes, in nanoseconds, on one core.
pub fn power(modulus: &Modulus, bits: u32) -> f64 {
    let limbs = f64::from(modulus.bits().div_ceil(64));
    let slower = match modulus.kernel_name() {
        "ifma52" => 1.0,
        "fma50" | "adx" | "aarch64" => 1.7,
        _ => 4.0,
    };
    f64::from(bits) * slower * (0.22 * limbs * limbs + 2.5 * limbs)
}

/// Does `f`, without Python's lock if that is predicted to take so many nanoseconds that it pays.
pub fn run<R: Send>(py: Python<'_>, nanoseconds: f64, f: impl FnOnce() -> R + Send) -> R {
    if nanoseconds > RELEASED { py.detach(f) } else { f() }
}

/// Does `f` without Python's lock, with all cores for what is parallel in it.
pub fn on_all_cores<R: Send>(py: Python<'_>, f: impl FnOnce() -> R + Send) -> R {
    let pool = pool();
    py.detach(|| match pool {
        Some(pool) => pool.install(f),
        None => f(),
    })
}

/// `f` of all items, on the threads that this runs on, in their order; one after the other if it runs on none of a pool. The threads of
/// rayon's global pool cannot always be had: a forked process has none, and a system may refuse them.
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    if rayon::current_thread_index().is_none() {
        return items.into_iter().map(f).collect();
    }
    items.into_par_iter().map(f).collect()
}

/// Does so many rows, each predicted to take so many nanoseconds: one after the other if that is little to do, else at once on all
/// cores.
pub fn by_one_or_at_once<R: Send>(
    py: Python<'_>,
    rows: usize,
    nanoseconds: f64,
    by_one: impl FnOnce() -> R,
    at_once: impl FnOnce() -> R + Send,
) -> R {
    if nanoseconds * (rows as f64) < SMALL { by_one() } else { on_all_cores(py, at_once) }
}

/// Does rows 0 to `count` piece by piece, each row predicted to take so many nanoseconds.
///
/// # Errors
/// That of a piece, or the exception of a signal handler: `KeyboardInterrupt`.
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
        // Whole groups of lanes for each thread.
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

/// The threads of this process; None where there is but one.
///
/// They are our own, not rayon's global ones: a process that `fork` made (multiprocessing does) has none of its parent's
/// threads, and would wait for them for ever. It gets others.
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
    // The parent's threads are not here to be told to end.
    mem::forget(known.replace((process, pool.clone())));
    pool
}
