//! Word-level arithmetic, and nothing else: the contract, the kernels that keep it, and the choice of one.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod adx;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod assembly;
mod contract;
mod cost;
mod counting;
mod dimensions;
mod dual;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod fma50;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod ifma52;
mod karatsuba;
mod lanes;
#[doc(hidden)]
pub mod mask;
mod montgomery;
mod observer;
mod one_by_one;
mod portable;
mod prefetch;
mod rows;
mod session;
mod short;
#[cfg(feature = "std")]
mod timing;
#[cfg(feature = "std")]
mod tracing;
mod words;

use alloc::{boxed::Box, string::ToString};

#[cfg(target_arch = "aarch64")]
pub use aarch64::Aarch64;
#[cfg(target_arch = "x86_64")]
pub use adx::Adx;
pub use contract::Kernel;
pub use cost::Costs;
pub(crate) use cost::PRIVATE;
pub use counting::Counts;
pub(crate) use counting::count;
pub(crate) use dimensions::Dimensions;
pub use dual::Dual;
#[cfg(target_arch = "x86_64")]
pub use fma50::Fma50;
#[cfg(target_arch = "x86_64")]
pub use ifma52::Ifma52;
pub use lanes::Lanes;
pub(crate) use observer::Observer;
#[cfg(all(test, any(feature = "dsa", feature = "rsa")))]
pub(crate) use observer::Operation;
pub use one_by_one::dual;
pub use portable::Portable;
pub(crate) use prefetch::prefetch_vartime;
pub(crate) use session::{DualSession, LaneSession, Session};
#[cfg(feature = "std")]
pub use tracing::Step;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use tracing::Trace;
pub(crate) use words::Words;

use crate::error::Error;

/// The least limbs for which detection takes AVX-512 IFMA: shorter moduli gain more from `mulx`.
const IFMA52_LIMBS: usize = 6;

/// The least limbs for which detection takes AVX2 and FMA: shorter moduli gain more from `mulx`.
const FMA50_LIMBS: usize = 8;

/// The same on machines without `mulx`: shorter moduli gain nothing from vectors.
const FMA50_LIMBS_WITHOUT_ADX: usize = 4;

/// Which kernel a [`crate::Modulus`] computes with.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KernelChoice {
    /// The one named by the environment variable `MODULI_KERNEL` if it is set and not empty, else the fastest on this machine.
    #[default]
    Detect,
    /// 52-bit digits by AVX-512 IFMA instructions, for moduli of up to 51,000 bits.
    Ifma52,
    /// 50-bit digits in doubles by AVX2 and FMA instructions.
    Fma50,
    /// 64-bit limbs by `mulx`, `adcx` and `adox` (BMI2 and ADX).
    Adx,
    /// 64-bit limbs by `mul` and `umulh`, in assembly for 64-bit ARM processors.
    Aarch64,
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
    /// The kernels for use, fastest first; the test-only ones left out.
    pub const ALL: &'static [Self] = &[Self::Ifma52, Self::Fma50, Self::Adx, Self::Aarch64, Self::Portable];

    /// The name of the kernel; `MODULI_KERNEL` takes the same.
    pub fn name(self) -> &'static str {
        match self {
            Self::Detect => "detect",
            Self::Ifma52 => "ifma52",
            Self::Fma50 => "fma50",
            Self::Adx => "adx",
            Self::Aarch64 => "aarch64",
            Self::Portable => "portable",
            Self::Portable8 => "portable8",
            Self::Portable4 => "portable4",
        }
    }

    /// Whether this machine has the instructions that the kernel needs.
    pub fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Ifma52 => Ifma52::is_supported(),
            #[cfg(target_arch = "x86_64")]
            Self::Fma50 => Fma50::is_supported(),
            #[cfg(target_arch = "x86_64")]
            Self::Adx => Adx::is_supported(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Ifma52 | Self::Fma50 | Self::Adx => false,
            #[cfg(not(target_arch = "aarch64"))]
            Self::Aarch64 => false,
            _ => true,
        }
    }

    /// The kernel of that name. An unknown name is an error, never a silent fallback.
    ///
    /// # Errors
    /// [`Error::Kernel`] with the name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.iter().chain(&[Self::Detect, Self::Portable8, Self::Portable4]);
        known.copied().find(|choice| choice.name() == name).ok_or_else(|| Error::Kernel {
            name: name.to_string(),
            reason: "unknown; there are: ifma52, fma50, adx, aarch64, portable",
        })
    }

    /// A kernel whose residues are laid out as `layout` says, to read a table written elsewhere.
    #[cfg(feature = "std")]
    pub(crate) fn for_layout(layout: [u8; 8]) -> Option<Self> {
        match &layout {
            b"lanes52 " if Self::Ifma52.is_supported() => Some(Self::Ifma52),
            b"digits50" if Self::Fma50.is_supported() => Some(Self::Fma50),
            b"limbs64 " if Self::Adx.is_supported() => Some(Self::Adx),
            b"limbs64 " if Self::Aarch64.is_supported() => Some(Self::Aarch64),
            b"limbs64 " => Some(Self::Portable),
            b"limbs8  " => Some(Self::Portable8),
            b"limbs4  " => Some(Self::Portable4),
            _ => None,
        }
    }

    /// The sizes of this kernel for a modulus of so many bits, whether this machine can run it or not.
    ///
    /// # Errors
    /// [`Error::Kernel`] for choices that are no kernel to plan for, and for moduli too long for it.
    pub(crate) fn foreseen(self, bits: u32) -> Result<Dimensions, Error> {
        let (name, bits) = (self.name(), bits as usize);
        match self {
            // Words that are reduced at a time, and from how many on products are Karatsuba's.
            Self::Portable => Ok(Dimensions::of_limbs(name, bits, 4, 56)),
            Self::Adx => Ok(Dimensions::of_limbs(name, bits, 8, 40)),
            Self::Aarch64 => Ok(Dimensions::of_limbs(name, bits, 8, 32)),
            Self::Fma50 => Ok(Dimensions::of_doubles(name, bits)),
            Self::Ifma52 => Dimensions::of_52_bits(name, bits),
            Self::Detect | Self::Portable8 | Self::Portable4 => {
                let reason = "is no kernel to plan for; there are: ifma52, fma50, adx, aarch64, portable";
                Err(Error::Kernel { name: name.to_string(), reason })
            }
        }
    }

    /// The kernel for an odd modulus > 1 of little-endian limbs without leading zeros. A kernel asked for by name
    /// and not to be had is an error.
    pub(crate) fn build(self, modulus: &[u64]) -> Result<Box<dyn Kernel>, Error> {
        match self {
            Self::Detect => {
                #[cfg(feature = "std")]
                if let Some(name) = std::env::var_os("MODULI_KERNEL").filter(|name| !name.is_empty()) {
                    let name = name.to_string_lossy();
                    let choice = Self::named(&name).map_err(|_| Error::Kernel {
                        name: name.into_owned(),
                        reason: "MODULI_KERNEL names none such; there are: ifma52, fma50, adx, aarch64, portable",
                    })?;
                    if choice != Self::Detect {
                        return choice.build(modulus);
                    }
                }
                let preferences = [
                    (Self::Ifma52, IFMA52_LIMBS),
                    (Self::Fma50, FMA50_LIMBS),
                    (Self::Adx, 1),
                    (Self::Fma50, FMA50_LIMBS_WITHOUT_ADX),
                    (Self::Aarch64, 1),
                ];
                let served = |&&(_, least): &&(_, usize)| modulus.len() >= least;
                for (kernel, _) in preferences.iter().filter(served) {
                    if let Ok(kernel) = kernel.build(modulus) {
                        return Ok(kernel);
                    }
                }
                Self::Portable.build(modulus)
            }
            Self::Ifma52 => {
                #[cfg(target_arch = "x86_64")]
                if let Some(kernel) = Ifma52::new(modulus) {
                    return Ok(Box::new(kernel));
                }
                let reason = "needs AVX-512 IFMA and a modulus of at most 51,000 bits";
                Err(Error::Kernel { name: self.name().to_string(), reason })
            }
            Self::Fma50 => {
                #[cfg(target_arch = "x86_64")]
                if let Some(kernel) = Fma50::new(modulus) {
                    return Ok(Box::new(kernel));
                }
                Err(Error::Kernel { name: self.name().to_string(), reason: "needs AVX2 and FMA" })
            }
            Self::Adx => {
                #[cfg(target_arch = "x86_64")]
                if let Some(kernel) = Adx::new(modulus) {
                    return Ok(Box::new(kernel));
                }
                Err(Error::Kernel { name: self.name().to_string(), reason: "needs BMI2 and ADX" })
            }
            Self::Aarch64 => {
                #[cfg(target_arch = "aarch64")]
                return Ok(Box::new(Aarch64::new(modulus)));
                #[cfg(not(target_arch = "aarch64"))]
                Err(Error::Kernel { name: self.name().to_string(), reason: "needs a 64-bit ARM processor" })
            }
            Self::Portable => Ok(Box::new(Portable::<64>::new(modulus))),
            Self::Portable8 => Ok(Box::new(Portable::<8>::new(modulus))),
            Self::Portable4 => Ok(Box::new(Portable::<4>::new(modulus))),
        }
    }
}
