//! Constant-time code, checked by machines: secrets are classified, and what follows them through all arithmetic reports
//! every branch and every address that depends on one.
//!
//! Two watchers answer the same requests. `moduli-checkmem` interprets the compiled code, that of every kernel, AVX-512
//! included, on any x86-64 machine, and reports divisions too: that is what these tests do in a release build, as part of
//! `make check-constant-time`. valgrind's memcheck knows AVX2 and FMA, not AVX-512, and no divisions; under it the tests
//! are run once more. In other builds, where checks for overflow branch on secrets, only the results are checked.

mod operations;
mod plants;
mod powers;

use core::{arch::asm, hint::black_box};
use crypto_bigint::{BoxedUint, Resize};

use crate::{Element, Error, KernelChoice, Modulus};

// Of valgrind.h and memcheck.h.
const COUNT_ERRORS: usize = 0x1201;
const RUNNING_ON_VALGRIND: usize = 0x1001;
const MAKE_UNDEFINED: usize = 0x4d43_0001;
const MAKE_DEFINED: usize = 0x4d43_0002;

/// More than any test runs.
const LIMIT: u64 = 4_000_000_000;

/// Asks who watches. Without any: 0.
fn request(code: usize, address: usize, length: usize) -> usize {
    let arguments = [code, address, length, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: rotations of rdi by 128 bits in all and an exchange of rbx with itself change nothing but flags. Who watches
    // knows the sequence and reads the arguments that rax points to; it marks memory and writes none but rdx.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") answer, options(nostack)
        );
    }
    answer
}

/// Whether the code that asks is interpreted: then every kernel can be run.
pub(crate) fn is_interpreted() -> bool {
    request(checkmem::WATCHING as usize, 0, 0) == 1
}

/// From here on these are secrets. They are taken to be changed, so that nothing known of them before is used.
pub(crate) fn classify<T>(words: &mut [T]) {
    let words = black_box(words);
    request(MAKE_UNDEFINED, words.as_mut_ptr() as usize, size_of_val(words));
}

/// From here on these are public.
pub(crate) fn declassify<T>(words: &[T]) {
    request(MAKE_DEFINED, black_box(words).as_ptr() as usize, size_of_val(words));
}

/// Runs a test where secrets can be followed.
pub(crate) fn watch(test: fn()) {
    if cfg!(debug_assertions) || request(RUNNING_ON_VALGRIND, 0, 0) != 0 {
        return test();
    }
    let report = checkmem::run(LIMIT, test);
    std::println!("watched {} instructions", report.instructions);
    if let Err(stop) = &report.ended {
        for finding in report.findings {
            std::eprintln!("{finding}");
        }
        panic!("{stop}");
    }
}

/// Runs a test of `ifma52` where the processor has its instructions, else interpreted (in a release build: others are too
/// slow for that).
pub(crate) fn emulate(test: fn()) {
    if KernelChoice::Ifma52.is_supported() {
        return test();
    }
    if !cfg!(debug_assertions) && request(RUNNING_ON_VALGRIND, 0, 0) == 0 {
        assert_eq!(checkmem::run(u64::MAX, test).ended, Ok(()));
    }
}

/// How many branches, addresses and divisions depended on secrets.
fn leaks(run: impl FnOnce()) -> usize {
    let before = request(COUNT_ERRORS, 0, 0);
    run();
    request(COUNT_ERRORS, 0, 0) - before
}

/// That so many did: the outcomes that are public, each a branch.
#[track_caller]
pub(crate) fn assert_public(outcomes: usize, what: &str, run: impl FnOnce()) {
    let found = leaks(run);
    let expected = if request(RUNNING_ON_VALGRIND, 0, 0) == 0 { 0 } else { outcomes };
    assert_eq!(found, expected, "{what}: branches, addresses and divisions that depend on secrets");
}

#[track_caller]
pub(crate) fn assert_constant_time(what: &str, run: impl FnOnce()) {
    assert_public(0, what, run);
}

/// Numbers below 2^bits, at that precision.
fn number(seed: u64, bits: u32) -> BoxedUint {
    let mut x = BoxedUint::one_with_precision(bits);
    let factor = BoxedUint::from(0x9e37_79b9_7f4a_7c15 ^ (seed << 20 | seed)).resize(bits);
    for _ in 0..5 {
        x = x.wrapping_mul(&factor).wrapping_add(&factor);
    }
    let spare = x.bits_precision() - bits;
    (x.shl(spare)).shr(spare)
}

/// The same, secret.
fn secret(seed: u64, bits: u32) -> BoxedUint {
    let mut x = number(seed, bits);
    classify(x.as_mut_words());
    x
}

/// A sign that is secret.
fn secret_sign(negative: bool) -> bool {
    let mut sign = [negative];
    classify(&mut sign);
    sign[0]
}

fn secret_element(p: &Modulus, seed: u64) -> Element {
    p.element(&secret(seed, p.bits() - 1))
}

/// The kernels that run here.
fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

/// 2^521 − 1 and 2^1279 − 1, primes, for every kernel that runs here.
fn moduli() -> impl Iterator<Item = Modulus> {
    kernels().flat_map(|choice| [521, 1279].map(|bits| mersenne(choice, bits)))
}

fn mersenne(choice: KernelChoice, bits: u32) -> Modulus {
    let prime = BoxedUint::max(bits).shr(BoxedUint::max(bits).bits() - bits);
    Modulus::with_kernel(&prime, choice).unwrap()
}

/// The result, public again, is the expected one.
#[track_caller]
fn assert_power(what: &str, found: Result<BoxedUint, Error>, expected: &BoxedUint) {
    let found = found.unwrap();
    declassify(found.as_words());
    assert_eq!(found, *expected, "{what}");
}
