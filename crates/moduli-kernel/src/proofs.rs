//! Internals that proofs of the kernels' machine code need. Nothing else uses them. They are not behind a
//! feature of this crate: another set of features means another compilation, and the proofs would not be
//! about the code that ships.

use alloc::boxed::Box;

pub use super::table::IFMA52_POWERS;
use super::{arithmetic::Arithmetic, error::Error, table::KernelChoice};
pub use super::{
    contract::Kernel,
    dual::Dual,
    lanes::Lanes,
    places::{Constant, Places},
};
#[cfg(target_arch = "x86_64")]
use super::{fma50::Fma50, ifma52::Ifma52, limbs};

/// Creates the kernel for an odd modulus > 1, given as little-endian limbs without leading zeros.
///
/// # Errors
/// As [`Arithmetic::new`](super::Arithmetic::new).
pub fn kernel(choice: KernelChoice, modulus: &[u64]) -> Result<Box<dyn Kernel>, Error> {
    Ok(choice.build(modulus)?.1)
}

/// The same, even if this machine lacks the instructions, for kernels whose constructors do not need them.
///
/// # Errors
/// As for [`kernel`].
///
/// # Safety
/// All operations of the kernel are interpreted, or this machine has its instructions.
#[allow(unsafe_code)]
pub unsafe fn kernel_to_interpret(choice: KernelChoice, modulus: &[u64]) -> Result<Box<dyn Kernel>, Error> {
    #[cfg(target_arch = "x86_64")]
    if [KernelChoice::IFMA52, IFMA52_POWERS, KernelChoice::FMA50].contains(&choice) {
        let sizes = choice.foreseen(limbs::bit_length_vartime(modulus))?;
        // SAFETY: as the caller guarantees.
        let made: Option<Box<dyn Kernel>> = unsafe {
            if choice != KernelChoice::FMA50 {
                Ifma52::anywhere(modulus, sizes).map(|kernel| Box::new(kernel) as _)
            } else {
                Fma50::anywhere(modulus, sizes).map(|kernel| Box::new(kernel) as _)
            }
        };
        if let Some(kernel) = made {
            return Ok(kernel);
        }
    }
    kernel(choice, modulus)
}

/// The places of the data that [`Arithmetic::reduce`] derives from the modulus.
pub fn places_of_reduction(arithmetic: &Arithmetic) -> Places {
    arithmetic.barrett().places()
}
