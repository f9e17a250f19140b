//! A cache of the most recently used moduli, as preparing the constants of one costs as much as a hundred
//! products.

use lru::LruCache;
use moduli::{MAX_MODULUS_BITS, Modulus};
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyInt};
use std::{
    borrow::Borrow,
    collections::HashMap,
    hash::{Hash, Hasher},
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};
use zeroize::Zeroizing;

use crate::{
    error::exception,
    integer::{self, Integer},
    mpz,
};

/// The approximate memory of all entries: enough for a thousand moduli of 4096 bits.
const BYTES: usize = 16 << 20;

/// From this many bytes on, uses are recorded, because the least recently used entry will soon be dropped.
/// Recording a use writes to three entries, which for short moduli takes as long as a power.
const RECORDED_FROM: usize = BYTES / 2;

/// The lock is held for a few comparisons, never while Python code runs.
static CACHE: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The limbs of a modulus. It may be secret.
#[derive(Clone, PartialEq, Eq)]
struct Key(Arc<Zeroizing<Vec<u64>>>);

impl Borrow<[u64]> for Key {
    fn borrow(&self) -> &[u64] {
        &self.0
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // It has to hash like the type that it is borrowed as.
        Borrow::<[u64]>::borrow(self).hash(state);
    }
}

struct Kept {
    /// The entries, by the order in which they were added. An entry that is found by its object is found
    /// without hashing its number.
    entries: LruCache<u64, Entry>,
    by_number: HashMap<Key, u64>,
    /// Moduli by the addresses of the entries' objects. A look-up here reads nothing else.
    by_object: HashMap<usize, (u64, Modulus)>,
    /// The number of entries that were added.
    came: u64,
    /// The approximate bytes of the entries.
    bytes: usize,
}

impl Default for Kept {
    fn default() -> Self {
        let (by_number, by_object) = Default::default();
        Self { entries: LruCache::unbounded(), by_number, by_object, came: 0, bytes: 0 }
    }
}

struct Entry {
    modulus: Modulus,
    number: Key,
    /// The object by which the entry was last looked up. The same object is the same number, because
    /// integers do not change.
    object: Option<Py<PyAny>>,
}

/// The approximate bytes of a modulus of this many limbs.
fn bytes(limbs: usize) -> usize {
    1024 + 8 * 25 * limbs
}

impl Kept {
    fn by_object(&mut self, object: &Bound<'_, PyAny>) -> Option<Modulus> {
        let (place, modulus) = self.by_object.get(&(object.as_ptr() as usize))?;
        if self.bytes >= RECORDED_FROM {
            self.entries.promote(place);
        }
        Some(modulus.clone())
    }

    /// Looks up an entry by its number. From then on it is also found by this object.
    fn by_number(&mut self, limbs: &[u64], object: &mut Option<Py<PyAny>>) -> Option<Modulus> {
        let place = *self.by_number.get(limbs)?;
        let entry = self.entries.get_mut(&place)?;
        if let Some(new) = object.take() {
            if let Some(old) = &entry.object {
                self.by_object.remove(&(old.as_ptr() as usize));
            }
            self.by_object.insert(new.as_ptr() as usize, (place, entry.modulus.clone()));
            // The caller drops the old object, because that may run Python code.
            *object = entry.object.replace(new);
        }
        Some(entry.modulus.clone())
    }

    /// Adds an entry. Returns the entries that have to be removed for it, for the caller to drop.
    fn insert(&mut self, limbs: &[u64], modulus: Modulus, object: Option<Py<PyAny>>) -> Vec<Entry> {
        if self.by_number.contains_key(limbs) {
            // Another thread added it first.
            return Vec::new();
        }
        let number = Key(Arc::new(Zeroizing::new(limbs.to_vec())));
        self.came += 1;
        self.by_number.insert(number.clone(), self.came);
        if let Some(object) = &object {
            self.by_object.insert(object.as_ptr() as usize, (self.came, modulus.clone()));
        }
        self.bytes += bytes(limbs.len());
        self.entries.put(self.came, Entry { modulus, number, object });
        let mut gone = Vec::new();
        while self.bytes > BYTES {
            let Some((_, entry)) = self.entries.pop_lru() else { break };
            self.bytes -= bytes(entry.number.0.len());
            self.by_number.remove(&entry.number);
            if let Some(object) = &entry.object {
                self.by_object.remove(&(object.as_ptr() as usize));
            }
            gone.push(entry);
        }
        gone
    }
}

/// An argument that is used as a modulus.
pub enum Argument {
    /// Odd, and from 3 to 2^65536: the library supports it.
    Odd(Modulus),
    /// Any other number: negative, even, 0, 1 or longer.
    Other(Integer),
}

fn lock() -> MutexGuard<'static, Kept> {
    // A panic of another thread cannot have left half an entry.
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The modulus that was prepared for this object, if there is one.
pub fn known(object: &Bound<'_, PyAny>) -> Option<Modulus> {
    lock().by_object(object)
}

/// The argument as a modulus, which is prepared if the library supports it.
///
/// # Errors
/// `TypeError` if it is not an integer.
pub fn argument(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    if let Some(modulus) = known(object) {
        return Ok(Argument::Odd(modulus));
    }
    let value = integer::read(object, "the modulus")?;
    let bits = value.magnitude.bits_vartime();
    if value.negative || !value.is_odd() || !(2..=MAX_MODULUS_BITS).contains(&bits) {
        return Ok(Argument::Other(value));
    }
    // The value of an object of a subclass of int may change.
    let lasting = object.is_exact_instance_of::<PyInt>()
        || mpz::gmpy2(object.py()).is_some_and(|gmpy2| gmpy2.is_mpz(object));
    prepared(&value, lasting.then(|| object.clone().unbind())).map(Argument::Odd)
}

/// The modulus |value|, from the cache, or prepared and added to the cache.
fn prepared(value: &Integer, mut object: Option<Py<PyAny>>) -> PyResult<Modulus> {
    let limbs = limbs::to_limbs(&value.magnitude, 1);
    let count = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    if let Some(modulus) = lock().by_number(&limbs[..count], &mut object) {
        return Ok(modulus);
    }
    // Prepare it without the lock, so that other threads need not wait.
    let modulus = Modulus::new(&value.magnitude).map_err(exception)?;
    let gone = lock().insert(&limbs[..count], modulus.clone(), object);
    drop(gone);
    Ok(modulus)
}

/// The argument as a modulus, where tables and keys need an odd one.
///
/// # Errors
/// `TypeError` if it is not an integer; `ValueError` unless it is odd and from 3 to 2^65536.
pub fn odd(object: &Bound<'_, PyAny>) -> PyResult<Modulus> {
    match argument(object)? {
        Argument::Odd(modulus) => Ok(modulus),
        Argument::Other(value) if value.negative => Err(PyValueError::new_err("the modulus is negative")),
        Argument::Other(value) => Err(Modulus::new(&value.magnitude)
            .map_or_else(exception, |_| PyValueError::new_err("the modulus is not supported"))),
    }
}

/// The modulus |m| of any m.
///
/// # Errors
/// `ValueError` unless it is odd and from 3 to 2^65536.
pub fn of_magnitude(value: &Integer) -> PyResult<Modulus> {
    prepared(value, None)
}

/// Removes all entries.
pub fn clear() {
    // Drop the entries without the lock, because that may run Python code.
    let forgotten = std::mem::take(&mut *lock());
    drop(forgotten);
}
