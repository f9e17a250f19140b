//! Reads the digits of Python's integers directly from memory.
//!
//! The stable interface has no fast access to an integer of more than 64 bits: `to_bytes` and shifts create
//! objects, which takes longer than the arithmetic on short numbers. The memory layout of an integer is
//! private to CPython, but does not change within a published version. The versions listed here are read
//! directly, after a trial on some numbers. For all others, the stable interface is used.

use pyo3::{prelude::*, sync::PyOnceLock, types::PyInt};

/// The bits of a digit, which is stored in 32 bits.
const BITS: u32 = 30;

/// The form of the word that holds the sign and the number of digits. It follows the object's header, and the
/// digits follow it.
#[derive(Clone, Copy)]
enum Layout {
    /// 3.11: the count, below zero for a negative number.
    Count,
    /// 3.12 to 3.14: the count times 8, and 2 for a negative number or 1 for zero.
    Tag,
}

/// The layout of this interpreter, if it is known and passes the trial.
fn layout(py: Python<'_>) -> Option<Layout> {
    static LAYOUT: PyOnceLock<Option<Layout>> = PyOnceLock::new();
    *LAYOUT.get_or_init(py, || tried(py).ok().flatten())
}

fn tried(py: Python<'_>) -> PyResult<Option<Layout>> {
    // This lets tests use the code for other versions.
    if std::env::var_os("MODULI_STABLE_INTERFACE").is_some() {
        return Ok(None);
    }
    let sys = py.import("sys")?;
    let name: String = sys.getattr("implementation")?.getattr("name")?.extract()?;
    let (bits, bytes): (u32, usize) = {
        let info = sys.getattr("int_info")?;
        (info.getattr("bits_per_digit")?.extract()?, info.getattr("sizeof_digit")?.extract()?)
    };
    let kind = py.get_type::<PyInt>();
    let sizes: (usize, usize) =
        (kind.getattr("__basicsize__")?.extract()?, kind.getattr("__itemsize__")?.extract()?);
    if name != "cpython" || (bits, bytes) != (BITS, 4) || sizes != (24, 4) {
        return Ok(None);
    }
    let layout = match (py.version_info().major, py.version_info().minor) {
        (3, 11) => Layout::Count,
        (3, 12..=14) => Layout::Tag,
        _ => return Ok(None),
    };
    for text in [
        "0",
        "1",
        "-1",
        "1073741823",
        "-1073741824",
        "1267650600228229401496703205377",
        "-5708990770823839524233143877797980545530986496",
    ] {
        let number = kind.call1((text,))?.cast_into::<PyInt>()?;
        let (negative, digits) = parts(layout, &number);
        let mut again = kind.call1((0,))?;
        for &digit in digits.iter().rev() {
            again = again.lshift(BITS)?.add(digit)?;
        }
        let again = if negative { again.neg()? } else { again };
        if !number.as_any().eq(&again)? {
            return Ok(None);
        }
    }
    Ok(Some(layout))
}

/// Calls `f` with the sign and the digits of an integer that can be read directly and whose type is int
/// itself, not a subclass.
pub fn read<R>(integer: &Bound<'_, PyInt>, f: impl FnOnce(bool, Digits<'_>) -> R) -> Option<R> {
    let (negative, digits) = parts(layout(integer.py())?, integer);
    Some(f(negative, Digits(digits)))
}

/// Digits of 30 bits, the least first. The greatest is not 0.
pub struct Digits<'a>(&'a [u32]);

impl Digits<'_> {
    /// Bits of the number.
    pub fn bits(&self) -> usize {
        self.0.last().map_or(0, |top| BITS as usize * self.0.len() - (top.leading_zeros() as usize - 2))
    }

    /// Writes the number to limbs, of which there must be enough.
    pub fn to_limbs(&self, limbs: &mut [u64]) {
        let (mut pending, mut held, mut digits) = (0u128, 0, self.0.iter());
        for limb in limbs {
            while held < 64 {
                let Some(&digit) = digits.next() else { break };
                pending |= u128::from(digit) << held;
                held += BITS;
            }
            *limb = pending as u64;
            (pending, held) = (pending >> 64, held.saturating_sub(64));
        }
    }
}

/// The sign and the digits.
#[allow(unsafe_code)]
fn parts<'a>(layout: Layout, integer: &'a Bound<'_, PyInt>) -> (bool, &'a [u32]) {
    let words = integer.as_ptr().cast::<u64>();
    // SAFETY: the object is alive, and consists of three words followed by its digits: its type has the sizes
    // that were checked, and the version has this layout. It does not change.
    unsafe {
        let word = *words.add(2);
        let (negative, count) = match layout {
            Layout::Count => ((word as i64) < 0, (word as i64).unsigned_abs()),
            Layout::Tag => (word & 3 == 2, word >> 3),
        };
        (negative, std::slice::from_raw_parts(words.add(3).cast::<u32>(), count as usize))
    }
}
