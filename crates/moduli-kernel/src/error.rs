//! Errors of kernels and their costs.

use alloc::string::String;
use core::fmt;

/// Why a kernel or a cost table cannot be used.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// There is no kernel of this name.
    UnknownKernel {
        /// The name asked for.
        name: String,
        /// The names of the kernels.
        known: String,
        /// Whether the name comes from the environment variable `MODULI_KERNEL`.
        from_environment: bool,
    },
    /// A choice that names no kernel, so no plan can be made for it.
    NoKernelToPlanFor {
        /// The name of the choice.
        name: &'static str,
        /// The names of the kernels.
        known: String,
    },
    /// This machine cannot run the kernel, or the kernel does not support moduli of this length.
    Unsupported {
        /// The name of the kernel.
        name: &'static str,
        /// What the kernel needs.
        needs: &'static str,
    },
    /// Text or numbers that are not the costs of a kernel.
    Costs {
        /// What is wrong.
        reason: String,
    },
}

impl Error {
    pub(crate) fn costs(reason: impl Into<String>) -> Self {
        Self::Costs { reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKernel { name, known, from_environment: false } => {
                write!(f, "kernel {name:?}: unknown; there are: {known}")
            }
            Self::UnknownKernel { name, known, from_environment: true } => {
                write!(f, "kernel {name:?}: MODULI_KERNEL names an unknown kernel; there are: {known}")
            }
            Self::NoKernelToPlanFor { name, known } => {
                write!(f, "kernel {name:?}: plans cannot be made for this kernel; there are: {known}")
            }
            Self::Unsupported { name, needs } => write!(f, "kernel {name:?}: needs {needs}"),
            Self::Costs { reason } => write!(f, "costs: {reason}"),
        }
    }
}

impl core::error::Error for Error {}
