//! Costs of each kernel at some sizes, measured on the machine that its file names, in a folder for each
//! maker of processors. `make costs` writes the files of the kernels that this machine can run, and `python3
//! js/run.py costs` that of the kernel `wasm`, in Node.js. Run them on a quiet machine, and report it if
//! plans change.

use super::{Costs, maker::Maker};

#[allow(clippy::approx_constant, reason = "measured")]
mod amd;
#[allow(clippy::approx_constant, reason = "measured")]
mod intel;
#[rustfmt::skip]
mod wasm;

/// Costs of one kernel at some sizes, at least one, in ascending order.
pub(crate) struct BuiltIn {
    amd: &'static [Costs],
    intel: &'static [Costs],
}

impl BuiltIn {
    pub(crate) const fn by(&self, maker: Maker) -> &'static [Costs] {
        match maker {
            Maker::Amd => self.amd,
            Maker::Intel => self.intel,
        }
    }
}

pub(crate) static ADX: BuiltIn = BuiltIn { amd: amd::ADX, intel: intel::ADX };
// On Intel's processors, detection selects `fma50` if there is no IFMA. It was not measured on these.
pub(crate) static FMA50: BuiltIn = BuiltIn { amd: amd::FMA50, intel: amd::FMA50 };
pub(crate) static IFMA52: BuiltIn = BuiltIn { amd: amd::IFMA52, intel: intel::IFMA52 };
pub(crate) static PORTABLE: BuiltIn = BuiltIn { amd: amd::PORTABLE, intel: intel::PORTABLE };
pub(crate) static WASM: BuiltIn = BuiltIn { amd: wasm::SIZES, intel: wasm::SIZES };
