//! AVX-512 IFMA: 52-bit digits, eight to a vector.
//!
//! The modulus N is replaced by its multiple M = k·N ≡ −1 (mod 2^52), so that each quotient digit of the Montgomery
//! reduction is simply the lowest digit of the running sum: no multiplication stands in the dependency chain.
//! With H = (M + 1)/2^52, one step is t ← (t − t_0)/2^52 + t_0·H. Residues are x·2^(52·D) modulo M, below 2M, with
//! D digits such that 2^(52·D) > 4M: then a product of two residues is again below 2M, and nothing is subtracted.
//!
//! Eight steps make a block. In a block the lowest vector is worked off first, because all eight quotient digits
//! depend on it alone; the other vectors then take 8 digits of the multiplier and 8 quotient digits at once, which
//! is pure throughput. A factor shifted by s digits is an unaligned load (b) or a prepared copy (H).
//!
//! `docs/table-file.md` describes residues and prepared operands to the bit.
//!
//! Bounds: a digit of a sum collects at most 4 parts below 2^52 for each digit of the factors, and D < 2^10, so that
//! 64 bits never overflow (longer moduli are left to the portable kernel). Carries are resolved exactly at the end of
//! each operation: `vpmadd52` reads 52 bits.

mod block;
mod constants;
mod digits;
mod residue;
mod vectors;

pub use constants::Ifma52;
