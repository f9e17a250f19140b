//! Word-level arithmetic, and nothing else: the contract, the kernels that keep it, and the choice of one.

mod contract;
mod cost;
mod counting;
pub(crate) mod mask;
mod portable;
mod rows;
#[cfg(feature = "std")]
mod tracing;
mod words;

use alloc::{boxed::Box, string::ToString};

pub use contract::Kernel;
pub use cost::Costs;
pub(crate) use counting::Counting;
pub use counting::Counts;
pub use portable::Portable;
#[cfg(feature = "std")]
pub use tracing::Step;
#[cfg(feature = "std")]
pub(crate) use tracing::trace;
pub(crate) use words::Words;

use crate::error::Error;

/// Which kernel a [`crate::Modulus`] computes with.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KernelChoice {
    /// The one named by the environment variable `MODULI_KERNEL` if it is set, else the fastest on this machine.
    #[default]
    Detect,
    /// 64-bit limbs in plain Rust, on every platform.
    Portable,
    /// The portable kernel on 8-bit words: for tests with small moduli.
    #[doc(hidden)]
    Portable8,
    /// The portable kernel on 4-bit words: for tests with small moduli.
    #[doc(hidden)]
    Portable4,
}

impl KernelChoice {
    /// Every kernel that this machine can run, by name; the test-only ones left out.
    pub const NAMES: &'static [&'static str] = &["portable"];

    /// The kernel of that name. An unknown or unsupported name is an error, never a silent fallback.
    ///
    /// # Errors
    /// [`Error::Kernel`] with the name.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name {
            "portable" => Ok(Self::Portable),
            "portable8" => Ok(Self::Portable8),
            "portable4" => Ok(Self::Portable4),
            _ => Err(Error::Kernel { name: name.to_string(), reason: "unknown; there is: portable" }),
        }
    }

    /// A kernel whose residues are laid out as `layout` says, to read a table written elsewhere.
    #[cfg(feature = "std")]
    pub(crate) fn for_layout(layout: [u8; 8]) -> Option<Self> {
        match &layout {
            b"limbs64 " => Some(Self::Portable),
            b"limbs8  " => Some(Self::Portable8),
            b"limbs4  " => Some(Self::Portable4),
            _ => None,
        }
    }

    /// The kernel for an odd modulus > 1 of little-endian limbs without leading zeros.
    pub(crate) fn build(self, modulus: &[u64]) -> Result<Box<dyn Kernel>, Error> {
        match self {
            Self::Detect => {
                #[cfg(feature = "std")]
                if let Some(name) = std::env::var_os("MODULI_KERNEL") {
                    return Self::named(&name.to_string_lossy())?.build(modulus);
                }
                Self::Portable.build(modulus)
            }
            Self::Portable => Ok(Box::new(Portable::<64>::new(modulus))),
            Self::Portable8 => Ok(Box::new(Portable::<8>::new(modulus))),
            Self::Portable4 => Ok(Box::new(Portable::<4>::new(modulus))),
        }
    }
}
