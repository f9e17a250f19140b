//! The moduli that were used last: their constants cost as much as a hundred products.

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
};

/// What they take in memory together, about: a thousand of 2048 bits.
const BYTES: usize = 8 << 20;

/// The lock is held for a few comparisons, never while Python code runs.
static CACHE: LazyLock<Mutex<Kept>> = LazyLock::new(|| {
    Mutex::new(Kept { entries: LruCache::unbounded(), by_object: HashMap::new(), bytes: 0 })
});

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
        // As what it is borrowed as.
        Borrow::<[u64]>::borrow(self).hash(state);
    }
}

struct Kept {
    /// By their numbers.
    entries: LruCache<Key, Entry>,
    /// By the addresses of the entries' objects.
    by_object: HashMap<usize, Key>,
    /// What they take.
    bytes: usize,
}

struct Entry {
    modulus: Modulus,
    /// The object by which it was last asked for: the same object is the same number, for integers do not change.
    object: Option<Py<PyAny>>,
}

/// What a modulus of so many limbs takes, about.
fn bytes(limbs: usize) -> usize {
    1024 + 8 * 25 * limbs
}

impl Kept {
    fn by_object(&mut self, object: &Bound<'_, PyAny>) -> Option<Modulus> {
        let key = self.by_object.get(&(object.as_ptr() as usize))?;
        Some(self.entries.get(key)?.modulus.clone())
    }

    /// From now on it is also found by this object.
    fn by_number(&mut self, limbs: &[u64], object: &mut Option<Py<PyAny>>) -> Option<Modulus> {
        let (key, _) = self.entries.get_key_value(limbs)?;
        let key = key.clone();
        let entry = self.entries.get_mut(limbs)?;
        if let Some(new) = object.take() {
            if let Some(old) = &entry.object {
                self.by_object.remove(&(old.as_ptr() as usize));
            }
            self.by_object.insert(new.as_ptr() as usize, key);
            entry.object = Some(new);
        }
        Some(entry.modulus.clone())
    }

    fn insert(&mut self, limbs: &[u64], entry: Entry) {
        if self.entries.contains(limbs) {
            // Another thread was sooner.
            return;
        }
        let key = Key(Arc::new(Zeroizing::new(limbs.to_vec())));
        if let Some(object) = &entry.object {
            self.by_object.insert(object.as_ptr() as usize, key.clone());
        }
        self.bytes += bytes(limbs.len());
        self.entries.put(key, entry);
        while self.bytes > BYTES {
            let Some((key, entry)) = self.entries.pop_lru() else { break };
            self.bytes -= bytes(key.0.len());
            if let Some(object) = &entry.object {
                self.by_object.remove(&(object.as_ptr() as usize));
            }
        }
    }
}

/// What an argument is as a modulus.
pub enum Argument {
    /// Odd and from 3 to 2^65536: the library serves it.
    Odd(Modulus),
    /// Any other number: negative, even, 0, 1 or longer.
    Other(Integer),
}

fn lock() -> MutexGuard<'static, Kept> {
    // A panic of another thread cannot have left half an entry.
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The modulus that an argument is, prepared if the library serves it.
///
/// # Errors
/// `TypeError` for what is no integer.
pub fn argument(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    if let Some(modulus) = lock().by_object(object) {
        return Ok(Argument::Odd(modulus));
    }
    let value = integer::read(object, "the modulus")?;
    let bits = value.magnitude.bits_vartime();
    if value.negative || !value.is_odd() || !(2..=MAX_MODULUS_BITS).contains(&bits) {
        return Ok(Argument::Other(value));
    }
    // Of a subclass of int the value may change.
    let object = object.is_exact_instance_of::<PyInt>().then(|| object.clone().unbind());
    prepared(&value, object).map(Argument::Odd)
}

/// The modulus of a number, whatever its sign, from the cache or else into it.
fn prepared(value: &Integer, mut object: Option<Py<PyAny>>) -> PyResult<Modulus> {
    let limbs = limbs::to_limbs(&value.magnitude, 1);
    let count = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    if let Some(modulus) = lock().by_number(&limbs[..count], &mut object) {
        return Ok(modulus);
    }
    // Without the lock: other threads need not wait.
    let modulus = Modulus::new(&value.magnitude).map_err(exception)?;
    lock().insert(&limbs[..count], Entry { modulus: modulus.clone(), object });
    Ok(modulus)
}

/// The modulus that an argument must be for tables and keys.
///
/// # Errors
/// `TypeError` for what is no integer; `ValueError` unless it is odd and from 3 to 2^65536.
pub fn odd(object: &Bound<'_, PyAny>) -> PyResult<Modulus> {
    match argument(object)? {
        Argument::Odd(modulus) => Ok(modulus),
        Argument::Other(value) if value.negative => Err(PyValueError::new_err("the modulus is negative")),
        Argument::Other(value) => Err(Modulus::new(&value.magnitude)
            .map_or_else(exception, |_| PyValueError::new_err("the modulus is not served"))),
    }
}

/// The modulus |m| of any m.
///
/// # Errors
/// `ValueError` unless it is odd and from 3 to 2^65536.
pub fn of_magnitude(value: &Integer) -> PyResult<Modulus> {
    prepared(value, None)
}

/// Forgets all moduli that `powmod` and its like keep prepared, and wipes those that nothing else uses.
///
/// They are those that were used last, 8 MiB of them: a thousand of 2048 bits. For who has used a secret modulus, such as a prime of an
/// RSA key: it would stay in memory until so many others were used.
///
/// >>> moduli.cache_clear()
#[pyfunction]
pub fn cache_clear() {
    let mut kept = lock();
    let forgotten =
        (std::mem::replace(&mut kept.entries, LruCache::unbounded()), std::mem::take(&mut kept.by_object));
    kept.bytes = 0;
    // What is dropped may run code of Python's.
    drop(kept);
    drop(forgotten);
}
