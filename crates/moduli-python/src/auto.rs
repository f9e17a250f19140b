//! Automatic tables: a base that is used repeatedly under one modulus gets a table.

use crypto_bigint::BoxedUint;
use lru::LruCache;
use moduli::{FixedBase, MemorySize, Modulus};
use moduli_kernel::limbs;
use pyo3::{prelude::*, types::PyDict};
use std::{
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{cache, integer::Integer, plan, work};

/// The number of uses after which a base gets a table, and after which it gets another one if its table was
/// dropped for others.
const TIMES: u32 = 8;
const TIMES_AFTER_A_DROP: u32 = 64;

/// The number of bases without a table that are remembered.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// The most bytes of a table: this fraction of the budget, and at most this many.
const PART: u64 = 8;
const LARGEST: u64 = 4 << 20;

/// Exponents and moduli with fewer bits than this are not worth a table.
const LEAST_EXPONENT: u32 = 64;
const LEAST_MODULUS: u32 = 256;

/// Whether automatic tables are on. Every call reads this.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// The lock is held for a few look-ups, never while a table is built or Python code runs.
static TABLES: Mutex<Option<Tables>> = Mutex::new(None);

/// The limbs of a modulus, then of a base; how many of them are the modulus'; and whether exponents are
/// secret.
type Key = (Arc<[u64]>, usize, bool);

struct Tables {
    budget: u64,
    /// Bytes of all tables.
    bytes: u64,
    made: LruCache<Key, Arc<FixedBase>>,
    seen: LruCache<Key, Seen>,
    hits: u64,
    built: u64,
    dropped: u64,
}

#[derive(Clone, Copy)]
struct Seen {
    times: u32,
    /// The number of uses after which a table is built.
    wanted: u32,
    /// The words of the longest exponent so far.
    words: u32,
}

fn lock() -> MutexGuard<'static, Option<Tables>> {
    // A panic of another thread cannot have left half an entry.
    TABLES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Builds tables automatically for bases that are used repeatedly. Returns an object that, at the end of a
/// `with` statement, restores the previous budget.
///
/// budget: the most bytes that all tables may take together, a number or text such as "64MiB". None, the
/// initial setting, switches the tables off and drops all existing ones.
///
/// A base gets a table when powmod, powmod_sec, or the methods pow and pow_secret of Modulus (or the
/// functions of moduli.gmpy2) meet the base for the eighth time with the same modulus. Only calls with a
/// modulus of at least 256 bits and a positive exponent of more than 64 bits count. The table is for
/// exponents as long as those seen. Later calls use it. powmod_sec and Modulus.pow_secret have their own
/// tables, and use them in constant time; the other functions are variable-time.
///
/// A table takes at most an eighth of the budget, and at most 4 MiB. The least recently used tables are
/// dropped to make room. A base whose table was dropped gets a new one after 64 more calls. Building a table
/// takes as long as a few dozen powers with exponents of 256 bits, or about ten with exponents of 3072 bits
/// (at 3072 bits).
///
/// While this is on, bases are treated as public, even those of powmod_sec: the time of a call shows whether
/// its base was used before. The 4096 bases without a table that were used last are remembered. The setting
/// applies to all threads of the process.
///
/// Raises ValueError for an invalid budget.
///
/// >>> p = moduli.group("ffdhe2048").p
/// >>> with moduli.auto_tables("8MiB"):
/// ...     powers = [moduli.powmod(3, 2**255 + i, p) for i in range(10)]
/// ...     moduli.auto_tables_info()["tables"], moduli.auto_tables_info()["hits"]
/// (1, 2)
/// >>> powers[9] == pow(3, 2**255 + 9, p), moduli.auto_tables_info()["tables"]
/// (True, 0)
#[pyfunction]
#[pyo3(signature = (budget))]
pub fn auto_tables(budget: Option<&Bound<'_, PyAny>>) -> PyResult<AutoTables> {
    let budget = budget.map(plan::bytes).transpose()?;
    Ok(AutoTables { previous: set(budget.map(|budget| budget.0)) })
}

/// The result of auto_tables. The setting takes effect at the call, and ends with the `with` statement.
#[pyclass(frozen, module = "moduli")]
pub struct AutoTables {
    previous: Option<u64>,
}

#[pymethods]
impl AutoTables {
    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyAny>) {
        set(self.previous);
    }
}

/// Replaces the budget and forgets all tables. Returns the old budget.
fn set(budget: Option<u64>) -> Option<u64> {
    let tables = budget.map(|budget| Tables {
        budget,
        bytes: 0,
        made: LruCache::unbounded(),
        seen: LruCache::new(REMEMBERED),
        hits: 0,
        built: 0,
        dropped: 0,
    });
    let mut current = lock();
    IS_ON.store(tables.is_some(), Ordering::Relaxed);
    let previous = std::mem::replace(&mut *current, tables);
    drop(current);
    previous.map(|tables| tables.budget)
}

/// The statistics of auto_tables, as a dictionary: the budget (0 if it is off), the number of tables and
/// their bytes, the number of powers computed from them, and the numbers of tables that were built, and that
/// were dropped to make room.
///
/// >>> moduli.auto_tables_info()["budget"]
/// 0
#[pyfunction]
pub fn auto_tables_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let [budget, tables, bytes, hits, built, dropped] = lock().as_ref().map_or([0; 6], |all| {
        [all.budget, all.made.len() as u64, all.bytes, all.hits, all.built, all.dropped]
    });
    let info = PyDict::new(py);
    for (name, value) in [
        ("budget", budget),
        ("tables", tables),
        ("bytes", bytes),
        ("hits", hits),
        ("built", built),
        ("dropped", dropped),
    ] {
        info.set_item(name, value)?;
    }
    Ok(info)
}

/// Forgets all moduli that powmod and similar functions keep prepared, and the tables of auto_tables. Those
/// that nothing else uses are wiped.
///
/// The cache holds the most recently used moduli, up to 16 MiB of them (a thousand of 4096 bits). Call
/// cache_clear after you have used a secret modulus, such as a prime of an RSA key. Without this call, the
/// modulus stays in memory until many others have been used.
///
/// >>> moduli.cache_clear()
#[pyfunction]
pub fn cache_clear() {
    cache::clear();
    let budget = lock().as_ref().map(|tables| tables.budget);
    if budget.is_some() {
        set(budget);
    }
}

/// The table of a base below its modulus that supports this exponent, if there is one or it is built now.
pub fn table(
    py: Python<'_>,
    modulus: &Modulus,
    base: &BoxedUint,
    y: &Integer,
    secret: bool,
) -> Option<Arc<FixedBase>> {
    if !IS_ON.load(Ordering::Relaxed)
        || y.negative
        || y.precision() <= LEAST_EXPONENT
        || modulus.bits() < LEAST_MODULUS
    {
        return None;
    }
    let words = y.precision() / 64;
    let mut numbers = limbs::to_limbs(modulus.value().as_ref(), 1).to_vec();
    let of_modulus = numbers.len();
    numbers.extend_from_slice(&limbs::to_limbs(base, of_modulus));
    let key: Key = (numbers.into(), of_modulus, secret);
    let found = lock().as_mut()?.look_up(&key, words);
    let budget = match found {
        Lookup::Made(table) => return Some(table),
        Lookup::None => return None,
        Lookup::Wanted(budget) => budget,
    };
    let builder = FixedBase::builder(modulus, base)
        .exponent_bits(64 * words)
        .budget(MemorySize(LARGEST.min(budget / PART)))
        .secrecy(plan::secrecy(secret));
    // There is no table for a base of 0, or if none fits.
    let table = Arc::new(work::on_all_cores(py, || builder.build()).ok()?);
    lock().as_mut()?.add(key, &table);
    Some(table)
}

enum Lookup {
    Made(Arc<FixedBase>),
    /// The caller has to build the table. Holds the budget for all tables.
    Wanted(u64),
    None,
}

impl Tables {
    fn look_up(&mut self, key: &Key, words: u32) -> Lookup {
        if let Some(table) = self.made.get(key)
            && table.shape().exponent_bits() >= 64 * words
        {
            self.hits += 1;
            return Lookup::Made(table.clone());
        }
        let seen = self.seen.get_or_insert_mut(key.clone(), || Seen { times: 0, wanted: TIMES, words: 0 });
        seen.times = seen.times.saturating_add(1);
        seen.words = seen.words.max(words);
        // A table is requested only once; other threads compute without it while it is built. It is built
        // when the longest exponent so far occurs, not for shorter ones.
        if seen.times >= seen.wanted && seen.words == words {
            seen.wanted = u32::MAX;
            return Lookup::Wanted(self.budget);
        }
        Lookup::None
    }

    /// Adds a table that was built, if there is room or other tables can be dropped for it. They are dropped
    /// under the lock: this frees memory, and runs no Python code.
    fn add(&mut self, key: Key, table: &Arc<FixedBase>) {
        let bytes = table.table_bytes().0;
        self.built += 1;
        self.seen.pop(&key);
        if let Some(old) = self.made.pop(&key) {
            self.bytes -= old.table_bytes().0;
        }
        while self.bytes + bytes > self.budget {
            let Some((key, old)) = self.made.pop_lru() else { return };
            self.bytes -= old.table_bytes().0;
            self.dropped += 1;
            // Otherwise bases that are used in turns would have tables built for ever.
            self.seen.put(key, Seen { times: 0, wanted: TIMES_AFTER_A_DROP, words: 0 });
        }
        self.bytes += bytes;
        self.made.put(key, table.clone());
    }
}
