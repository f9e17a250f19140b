//! Costs of each kernel at some sizes, measured on the machine that its file names, in a folder for each
//! maker of processors. `make costs` writes the files of the kernels that this machine can run, and `python3
//! js/run.py costs` that of the kernel `wasm`, in Node.js. Run them on a quiet machine, and report it if
//! plans change.

use super::{Costs, Dimensions, maker::Maker};

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
    /// How many times as long operations take on Intel's processors as `intel` says.
    slower: f64,
}

impl BuiltIn {
    pub(crate) const fn by(&self, maker: Maker) -> &'static [Costs] {
        match maker {
            Maker::Amd => self.amd,
            Maker::Intel => self.intel,
        }
    }

    /// Nanoseconds that a window of five bits takes in a power: five squarings and a product.
    pub(crate) fn window(&self, kernel: &Dimensions, maker: Maker) -> f64 {
        let time = |costs: &Costs| 5.0 * costs.squaring() + costs.product();
        let window = Costs::interpolated_time(self.by(maker), kernel, time);
        if maker == Maker::Intel { window * self.slower } else { window }
    }
}

pub(crate) static ADX: BuiltIn = BuiltIn { amd: amd::ADX, intel: intel::ADX, slower: 1.0 };
// On Intel's processors, the costs of `fma50` were not measured, but its squares were, at 1024 to 15,360
// bits: they take 1.08 to 1.37 times as long as on the processor of AMD.
pub(crate) static FMA50: BuiltIn = BuiltIn { amd: amd::FMA50, intel: amd::FMA50, slower: 1.2 };
pub(crate) static IFMA52: BuiltIn = BuiltIn { amd: amd::IFMA52, intel: intel::IFMA52, slower: 1.0 };
pub(crate) static PORTABLE: BuiltIn = BuiltIn { amd: amd::PORTABLE, intel: intel::PORTABLE, slower: 1.0 };
pub(crate) static WASM: BuiltIn = BuiltIn { amd: wasm::SIZES, intel: wasm::SIZES, slower: 1.0 };
