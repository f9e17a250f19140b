//! The kernels under test.

use moduli_kernel::{
    KernelChoice,
    internals::{PORTABLE4, PORTABLE8},
};

/// All kernels that this machine can run, including those on tiny words.
pub fn kernels() -> impl Iterator<Item = KernelChoice> {
    let all = KernelChoice::ALL.iter().copied().chain([PORTABLE8, PORTABLE4]);
    all.filter(|kernel| kernel.is_supported())
}

/// Whether the kernel is meant for moduli of a few bits. Tests of common sizes do not use it.
pub fn is_tiny(kernel: KernelChoice) -> bool {
    [PORTABLE8, PORTABLE4].contains(&kernel)
}

/// The exponent of two in the Montgomery factor for a modulus of this many bits. Tests use it to choose
/// operands by the words that the kernel processes.
pub fn radix_bits(kernel: KernelChoice, bits: u64) -> u64 {
    kernel.foreseen(bits as u32).unwrap().radix_bits as u64
}
