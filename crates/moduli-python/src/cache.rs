//! The moduli that were used last: their constants cost as much as a hundred products.

use moduli::{MAX_MODULUS_BITS, Modulus};
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyInt};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{
    error::exception,
    integer::{self, Integer},
};

/// How many moduli are kept.
const PLACES: usize = 16;

/// The moduli, that used last first. The lock is held for a few comparisons, never while Python code runs.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

struct Entry {
    modulus: Modulus,
    /// The object by which it was last asked for: the same object is the same number, for integers do not change.
    object: Option<Py<PyAny>>,
}

/// What an argument is as a modulus.
pub enum Argument {
    /// Odd and from 3 to 2^65536: the library serves it.
    Odd(Modulus),
    /// Any other number: negative, even, 0, 1 or longer.
    Other(Integer),
}

fn lock() -> MutexGuard<'static, Vec<Entry>> {
    // A panic of another thread cannot have left half an entry.
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The entry that fits moves to the front.
fn find(entries: &mut [Entry], fits: impl Fn(&Entry) -> bool) -> Option<&mut Entry> {
    let at = entries.iter().position(fits)?;
    entries[..=at].rotate_right(1);
    entries.first_mut()
}

/// The modulus that an argument is, prepared if the library serves it.
///
/// # Errors
/// `TypeError` for what is no integer.
pub fn argument(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    let same = |entry: &Entry| entry.object.as_ref().is_some_and(|known| known.as_ptr() == object.as_ptr());
    if let Some(entry) = find(&mut lock(), same) {
        return Ok(Argument::Odd(entry.modulus.clone()));
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
fn prepared(value: &Integer, object: Option<Py<PyAny>>) -> PyResult<Modulus> {
    let limbs = limbs::to_limbs(&value.magnitude, 1);
    let equal = |entry: &Entry| *entry.modulus.value().as_ref().as_words() == limbs[..];
    if let Some(entry) = find(&mut lock(), equal) {
        entry.object = object.or(entry.object.take());
        return Ok(entry.modulus.clone());
    }
    // Without the lock: other threads need not wait.
    let modulus = Modulus::new(&value.magnitude).map_err(exception)?;
    let mut entries = lock();
    entries.truncate(PLACES - 1);
    entries.insert(0, Entry { modulus: modulus.clone(), object });
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

/// Forgets all moduli that `powmod` and its like keep prepared, 16 at most, and wipes those that nothing else uses.
///
/// For who has used a secret modulus, such as a prime of an RSA key: it would stay in memory until 16 others were used.
///
/// >>> moduli.cache_clear()
#[pyfunction]
pub fn cache_clear() {
    let forgotten = std::mem::take(&mut *lock());
    drop(forgotten);
}
