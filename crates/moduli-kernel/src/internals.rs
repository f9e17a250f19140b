//! Internals that tests of the kernels need, behind the feature `internals`. Released code does not use it.

use std::sync::OnceLock;

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
pub use super::fma50::all_checks as fma50;
#[cfg(target_arch = "x86_64")]
pub use super::ifma52::all_checks as ifma52;
pub use super::{
    cost::checks as costs,
    inverse::checks as inverse,
    lanes::Lanes,
    one_by_one::dual,
    proofs::{Constant, Dual, Kernel, Places, kernel},
    table::{
        IFMA52_POWERS,
        tiny::{PORTABLE4, PORTABLE8},
    },
};
use super::{
    dimensions::Dimensions,
    observer::Observer,
    session::{LaneSession, Session},
    table::KernelChoice,
};

/// The kernel that detection selects for a modulus of `bits` bits on a machine that supports these kernels.
pub fn detected_of(supported: &[KernelChoice], bits: u32) -> KernelChoice {
    KernelChoice::detected_of(|choice| supported.contains(&choice), bits)
}

/// A session of a kernel that a test has created.
pub fn session<'a>(
    kernel: &'a dyn Kernel,
    dimensions: &'a Dimensions,
    observer: Option<&'a dyn Observer>,
) -> Session<'a> {
    Session::new(kernel, dimensions, observer)
}

/// A session of lanes that a test has created.
pub fn lane_session<'a>(lanes: &'a dyn Lanes, observer: Option<&'a dyn Observer>) -> LaneSession<'a> {
    LaneSession::new(lanes, observer)
}

static EMULATED: OnceLock<fn() -> bool> = OnceLock::new();

/// From now on, `ask` tells whether an interpreter that supports all instructions executes the caller.
pub fn ask_whether_emulated(ask: fn() -> bool) {
    EMULATED.get_or_init(|| ask);
}

/// Whether an interpreter that supports all instructions executes the caller.
pub fn is_emulated() -> bool {
    EMULATED.get().is_some_and(|ask| ask())
}
