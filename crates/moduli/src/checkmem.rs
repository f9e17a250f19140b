//! Tests that check for constant-time code: they classify secrets, and a tool that follows these
//! through all arithmetic reports every branch and every address that depends on one.
//!
//! Two tools accept the same requests. `moduli-checkmem` interprets compiled code, including that
//! of every kernel (also AVX-512), on any x86-64 machine, and also reports divisions. In a release
//! build these tests use it, as part of `make check-constant-time`. valgrind's memcheck supports
//! AVX2 and FMA but not AVX-512, and reports no divisions; the tests run under it as well. Other
//! builds check only the results, because their checks for overflow branch on secrets.

mod controls;
mod powers;
mod residues;

pub(crate) use checkmem::{
    assert_constant_time, assert_public, classify, declassify, is_interpreted, is_watched, leaks,
};
use core::convert::Infallible;
use crypto_bigint::{
    BoxedUint, Resize,
    rand_core::{TryCryptoRng, TryRng},
};

use crate::{Element, Error, KernelChoice, Modulus};

/// Runs a test of `ifma52`: natively if the processor has the instructions, otherwise in the
/// interpreter. Only a release build is fast enough to interpret.
#[cfg(feature = "rsa")]
pub(crate) fn emulate(test: fn()) {
    if KernelChoice::IFMA52.is_supported() {
        return test();
    }
    if !cfg!(debug_assertions) && !is_watched() {
        moduli_kernel::internals::ask_whether_emulated(is_interpreted);
        assert_eq!(checkmem::run(u64::MAX, test).ended, Ok(()));
    }
}

/// Runs a test in a tool that follows secrets, with all kernels.
pub(crate) fn watch(test: fn()) {
    moduli_kernel::internals::ask_whether_emulated(is_interpreted);
    checkmem::watch(test);
}

/// A number below 2^bits, with a precision of `bits`.
fn number(seed: u64, bits: u32) -> BoxedUint {
    let mut x = BoxedUint::one_with_precision(bits);
    let factor = BoxedUint::from(0x9e37_79b9_7f4a_7c15 ^ (seed << 20 | seed)).resize(bits);
    for _ in 0..5 {
        x = x.wrapping_mul(&factor).wrapping_add(&factor);
    }
    let spare = x.bits_precision() - bits;
    (x.shl(spare)).shr(spare)
}

/// The same number, classified as secret.
fn secret(seed: u64, bits: u32) -> BoxedUint {
    let mut x = number(seed, bits);
    classify(x.as_mut_words());
    x
}

/// A secret sign.
fn secret_sign(negative: bool) -> bool {
    let mut sign = [negative];
    classify(&mut sign);
    sign[0]
}

fn secret_element(p: &Modulus, seed: u64) -> Element {
    p.element(&secret(seed, p.bits() - 1))
}

/// A generator of secret random numbers.
#[cfg(any(feature = "dsa", feature = "rsa"))]
pub(crate) struct Hidden(pub(crate) u64);

#[cfg(any(feature = "dsa", feature = "rsa"))]
impl TryRng for Hidden {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes.iter_mut() {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (self.0 >> 56) as u8;
        }
        classify(bytes);
        Ok(())
    }
}

#[cfg(any(feature = "dsa", feature = "rsa"))]
impl TryCryptoRng for Hidden {}

/// The kernels that this machine supports.
fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

/// The primes 2^521 − 1 and 2^1279 − 1, for every supported kernel.
fn moduli() -> impl Iterator<Item = Modulus> {
    kernels().flat_map(|choice| [521, 1279].map(|bits| mersenne(choice, bits)))
}

fn mersenne(choice: KernelChoice, bits: u32) -> Modulus {
    let prime = BoxedUint::max(bits).shr(BoxedUint::max(bits).bits() - bits);
    Modulus::with_kernel(&prime, choice).unwrap()
}

/// Declassifies the result and compares it with the expected one.
#[track_caller]
fn assert_power(what: &str, found: Result<BoxedUint, Error>, expected: &BoxedUint) {
    let found = found.unwrap();
    declassify(found.as_words());
    assert_eq!(found, *expected, "{what}");
}
