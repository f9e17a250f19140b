//! Costs of each kernel at some sizes, measured on the machine that its file names. `make costs` writes the files anew for the kernels
//! that a machine can run: do so on a quiet one, and where plans change, say so.

#[rustfmt::skip]
mod adx;
#[rustfmt::skip]
mod fma50;
#[rustfmt::skip]
mod ifma52;
#[rustfmt::skip]
mod portable;

use super::Costs;

/// The costs of the kernel of this name, by ascending size, one at least. Of those for tests alone: the portable one's.
///
/// Nobody has measured `aarch64` on a processor of its own: until then the times of `adx`, an estimate, stand in for it. A plan
/// compares products with squares and look-ups, and by the count of instructions a square is to a product on both as 0.85 to 1.
pub(super) fn sizes(kernel: &str) -> &'static [Costs] {
    match kernel {
        "adx" | "aarch64" => adx::SIZES,
        "fma50" => fma50::SIZES,
        "ifma52" => ifma52::SIZES,
        _ => portable::SIZES,
    }
}
