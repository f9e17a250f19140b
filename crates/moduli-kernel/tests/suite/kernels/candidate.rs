//! The kernels, as the suite sees them.

use moduli_kernel::{
    KernelChoice,
    internals::{PORTABLE4, PORTABLE8},
};

/// All kernels that this machine can run, those on tiny words too.
pub fn kernels() -> impl Iterator<Item = KernelChoice> {
    let all = KernelChoice::ALL.iter().copied().chain([PORTABLE8, PORTABLE4]);
    all.filter(|kernel| kernel.is_supported())
}

/// Meant for moduli of a few bits: left out of the sizes that people use.
pub fn is_tiny(kernel: KernelChoice) -> bool {
    [PORTABLE8, PORTABLE4].contains(&kernel)
}

/// The exponent of two in the Montgomery factor for a modulus of so many bits: the way to choose operands by the words that
/// the kernel sees.
pub fn radix_bits(kernel: KernelChoice, bits: u64) -> u64 {
    kernel.foreseen(bits as u32).unwrap().radix_bits as u64
}
