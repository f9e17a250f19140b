//! Seeded faults. A build with `--cfg seeded_faults` contains all of these defects, and the environment
//! variable `SEEDED_FAULT` names the active one. The check that the fault names must then fail
//! (`scripts/faults.py`).

/// A seeded fault: its name, the tests that must catch it (a test binary and a filter), and the faulty code.
/// Expands to nothing without `--cfg seeded_faults`.
/// unless the build has `--cfg seeded_faults`.
#[macro_export]
macro_rules! fault {
    ($name:literal, $check:literal, $code:block) => {
        #[cfg(seeded_faults)]
        {
            if $crate::faults::is_active(const { $crate::faults::id($name) }) {
                $code
            }
        }
    };
}

/// Hashes a name (FNV-1a).
#[cfg(seeded_faults)]
#[doc(hidden)]
pub const fn id(name: &str) -> u64 {
    let (bytes, mut id, mut i) = (name.as_bytes(), 0xcbf2_9ce4_8422_2325u64, 0);
    while i < bytes.len() {
        id = (id ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    id
}

/// Whether this fault is active.
#[cfg(seeded_faults)]
#[doc(hidden)]
#[inline(never)]
pub fn is_active(fault: u64) -> bool {
    static ACTIVE: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *ACTIVE.get_or_init(|| std::env::var("SEEDED_FAULT").map_or(0, |name| id(&name))) == fault
}

/// Branches on a word.
#[cfg(seeded_faults)]
#[doc(hidden)]
#[inline(never)]
pub fn branch_on(word: u64) -> bool {
    use core::hint::black_box;
    if black_box(word) == 0 { black_box(true) } else { black_box(false) }
}

/// A look-up that reads only the selected entry.
#[cfg(seeded_faults)]
#[doc(hidden)]
#[inline(never)]
pub fn look_up_openly(out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
    let size = out.len();
    let entry = match index {
        0 => Some(first),
        _ => (index as usize).checked_sub(1).and_then(|i| row.get(i * size..)?.get(..size)),
    };
    match entry {
        Some(entry) => out.copy_from_slice(entry),
        None => out.fill(0),
    }
}
