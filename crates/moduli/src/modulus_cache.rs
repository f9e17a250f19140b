//! A cache of prepared moduli, for callers that have only numbers.

use alloc::{collections::BTreeMap, vec::Vec};
use core::fmt;
use crypto_bigint::BoxedUint;
use moduli_kernel::limbs;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{error::Error, fixed::MemorySize, modulus::Modulus};

/// Prepared moduli, found by their numbers: preparing one costs about a hundred products. The least recently
/// used ones are dropped when the cache is full. `Send + Sync`: all threads can share one `static` cache.
///
/// Only for public moduli: looking one up is variable-time, and the cache keeps copies of the numbers.
///
/// ```
/// # use crypto_bigint::BoxedUint;
/// use moduli::{MemorySize, ModulusCache};
///
/// static MODULI: ModulusCache = ModulusCache::new(MemorySize::mib(16));   // about a thousand of 4096 bits
///
/// fn power(x: &BoxedUint, e: &BoxedUint, p: &BoxedUint) -> Result<BoxedUint, moduli::Error> {
///     Ok(MODULI.modulus(p)?.pow(x, e))
/// }
/// assert_eq!(power(&3u64.into(), &4u64.into(), &7u64.into())?, BoxedUint::from(4u64));
/// # Ok::<(), moduli::Error>(())
/// ```
pub struct ModulusCache {
    budget: MemorySize,
    kept: Mutex<Kept>,
}

struct Kept {
    by_number: BTreeMap<Vec<u64>, Entry>,
    /// The number of look-ups so far.
    now: u64,
    bytes: u64,
}

struct Entry {
    modulus: Modulus,
    used: u64,
}

/// Approximate memory in bytes for a modulus of `limbs` limbs.
fn bytes(limbs: usize) -> u64 {
    1024 + 200 * limbs as u64
}

impl ModulusCache {
    /// Creates an empty cache that keeps moduli of about `budget` bytes in all. It always keeps the
    /// last one.
    pub const fn new(budget: MemorySize) -> Self {
        let kept = Kept { by_number: BTreeMap::new(), now: 0, bytes: 0 };
        Self { budget, kept: Mutex::new(kept) }
    }

    /// Returns the modulus of this value from the cache, or prepares it. Variable-time in the
    /// value.
    ///
    /// Cost: some comparisons, under a lock, if the cache has it; otherwise that of [`Modulus::new`], outside
    /// the lock.
    ///
    /// # Errors
    /// As for [`Modulus::new`].
    pub fn modulus(&self, value: &BoxedUint) -> Result<Modulus, Error> {
        let mut number = limbs::to_limbs(value, 1);
        let length = number.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        number.truncate(length);
        if let Some(modulus) = self.lock().find(&number) {
            return Ok(modulus);
        }
        let modulus = Modulus::new(value)?;
        self.lock().insert(number.to_vec(), modulus.clone(), self.budget);
        Ok(modulus)
    }

    /// Drops all moduli. Clones in use remain valid.
    pub fn clear(&self) {
        let mut kept = self.lock();
        kept.by_number.clear();
        kept.bytes = 0;
    }

    /// The number of cached moduli.
    pub fn len(&self) -> usize {
        self.lock().by_number.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // No code under the lock panics between two changes, so a poisoned cache is consistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find(&mut self, number: &[u64]) -> Option<Modulus> {
        self.now += 1;
        let entry = self.by_number.get_mut(number)?;
        entry.used = self.now;
        Some(entry.modulus.clone())
    }

    fn insert(&mut self, number: Vec<u64>, modulus: Modulus, budget: MemorySize) {
        let new = bytes(number.len());
        // A scan for the least recently used modulus takes less time than the preparation of one.
        while self.bytes + new > budget.0 {
            let oldest = self.by_number.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(number, _)| number.clone()) else { break };
            self.by_number.remove(&oldest);
            self.bytes -= bytes(oldest.len());
        }
        // Another thread may have inserted it first.
        if self.by_number.insert(number, Entry { modulus, used: self.now }).is_none() {
            self.bytes += new;
        }
    }
}

/// Omits the numbers.
impl fmt::Debug for ModulusCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModulusCache({} moduli)", self.len())
    }
}
