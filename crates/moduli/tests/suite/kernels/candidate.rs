//! The kernels, as the suite sees them.

#[cfg(target_arch = "aarch64")]
use moduli::kernel::Aarch64;
#[cfg(target_arch = "x86_64")]
use moduli::kernel::{Adx, Fma50, Ifma52};
use moduli::kernel::{Kernel, Portable};

/// A kernel as the suite sees it.
pub struct Candidate {
    pub name: &'static str,
    /// Whether this machine can run it.
    pub supported: fn() -> bool,
    pub new: fn(&[u64]) -> Box<dyn Kernel>,
    /// The exponent of two in its Montgomery factor, from the bits of the modulus: the way to choose operands
    /// by the words that the kernel will see.
    pub radix_bits: fn(u64) -> u64,
    /// Meant for moduli of a few bits: left out of the sizes that people use.
    pub tiny: bool,
}

pub const KERNELS: &[Candidate] = &[
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "ifma52",
        supported: Ifma52::is_supported,
        new: |p| Box::new(Ifma52::new(p).unwrap()),
        radix_bits: |bits| {
            let digits = (bits + 8).div_ceil(52);
            52 * match digits {
                ..=20 => digits.next_multiple_of(4),
                // Of 32 and 64 digits the highest ones are 0.
                25..=30 => 30,
                57..=60 => 60,
                _ => digits.next_multiple_of(8),
            }
        },
        tiny: false,
    },
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "fma50",
        supported: Fma50::is_supported,
        new: |p| Box::new(Fma50::new(p).unwrap()),
        radix_bits: |bits| {
            let digits =
                (1..).map(|half| 2 * half).find(|d: &u64| 50 * d >= bits + 55 + u64::from(d.ilog2()));
            50 * digits.unwrap()
        },
        tiny: false,
    },
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "adx",
        supported: Adx::is_supported,
        new: |p| Box::new(Adx::new(p).unwrap()),
        radix_bits: |bits| bits.next_multiple_of(64),
        tiny: false,
    },
    #[cfg(target_arch = "aarch64")]
    Candidate {
        name: "aarch64",
        supported: || true,
        new: |p| Box::new(Aarch64::new(p)),
        radix_bits: |bits| bits.next_multiple_of(64),
        tiny: false,
    },
    Candidate {
        supported: || true,
        name: "portable",
        new: |p| Box::new(Portable::<64>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(64),
        tiny: false,
    },
    Candidate {
        supported: || true,
        name: "portable8",
        new: |p| Box::new(Portable::<8>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(8),
        tiny: true,
    },
    Candidate {
        supported: || true,
        name: "portable4",
        new: |p| Box::new(Portable::<4>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(4),
        tiny: true,
    },
];

pub fn kernels() -> impl Iterator<Item = &'static Candidate> {
    KERNELS.iter().filter(|candidate| (candidate.supported)())
}
