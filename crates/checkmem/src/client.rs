//! What tests say to whoever watches: which memory is secret, and how many leaks there were.
//!
//! [`run`](super::run) and valgrind's memcheck answer the same requests. Without either they do nothing.

use core::{arch::asm, hint::black_box};

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

/// Whether anyone watches: valgrind or [`run`](super::run).
pub fn is_watched() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Whether the code that asks is interpreted: then it can run instructions that this processor lacks.
pub fn is_interpreted() -> bool {
    request(super::WATCHING as usize, 0, 0) == 1
}

/// A record begins with what is executed after this.
pub fn start_recording() {
    request(super::START as usize, 0, 0);
}

/// A record ends here.
pub fn stop_recording() {
    request(super::STOP as usize, 0, 0);
}

/// From here on these are secrets. They are taken to be changed, so that nothing known of them before is used.
pub fn classify<T>(words: &mut [T]) {
    let words = black_box(words);
    request(MAKE_UNDEFINED, words.as_mut_ptr() as usize, size_of_val(words));
}

/// From here on these are public.
pub fn declassify<T>(words: &[T]) {
    request(MAKE_DEFINED, black_box(words).as_ptr() as usize, size_of_val(words));
}

/// Runs a test where secrets can be followed: as it is under valgrind, else by [`run`](super::run). In builds with debug
/// assertions, where checks for overflow branch on secrets, it is run unwatched, and only its results are checked.
///
/// # Panics
/// If the test does, or if it cannot be interpreted.
pub fn watch(test: fn()) {
    if cfg!(debug_assertions) || is_watched() {
        return test();
    }
    let report = super::run(LIMIT, test);
    println!("watched {} instructions", report.instructions);
    if let Err(stop) = &report.ended {
        for finding in report.findings {
            eprintln!("{finding}");
        }
        panic!("{stop}");
    }
}

/// How many branches, addresses and divisions depended on secrets.
pub fn leaks(run: impl FnOnce()) -> usize {
    let before = request(COUNT_ERRORS, 0, 0);
    run();
    request(COUNT_ERRORS, 0, 0) - before
}

/// Asserts that so many did where anyone watches: the outcomes that are public, each a branch.
///
/// # Panics
/// If there were more or fewer.
#[track_caller]
pub fn assert_public(outcomes: usize, what: &str, run: impl FnOnce()) {
    let found = leaks(run);
    let expected = if is_watched() { outcomes } else { 0 };
    assert_eq!(found, expected, "{what}: branches, addresses and divisions that depend on secrets");
}

/// Asserts that none did.
///
/// # Panics
/// If any did.
#[track_caller]
pub fn assert_constant_time(what: &str, run: impl FnOnce()) {
    assert_public(0, what, run);
}
