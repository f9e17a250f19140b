//! What proofs of the kernels' machine code need of their inside. Nothing else uses it. It is no feature of this crate, as another
//! set of features is another compilation: code that is proved would not be what ships.

use alloc::boxed::Box;

pub use super::{
    contract::Kernel,
    dual::Dual,
    lanes::Lanes,
    places::{Constant, Places},
};
use super::{error::Error, table::KernelChoice};

/// The kernel for an odd modulus > 1 of little-endian limbs without leading zeros.
///
/// # Errors
/// As [`Arithmetic::new`](super::Arithmetic::new).
pub fn kernel(choice: KernelChoice, modulus: &[u64]) -> Result<Box<dyn Kernel>, Error> {
    Ok(choice.build(modulus)?.1)
}
