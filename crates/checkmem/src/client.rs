//! The requests that tests send to a checker: to mark memory as secret or public, and to ask for the number
//! of leaks.
//!
//! [`run`](super::run) and valgrind's memcheck answer the same requests. Without either, they do nothing.

use core::{arch::asm, hint::black_box};

// From valgrind.h and memcheck.h.
const COUNT_ERRORS: usize = 0x1201;
const RUNNING_ON_VALGRIND: usize = 0x1001;
const MAKE_UNDEFINED: usize = 0x4d43_0001;
const MAKE_DEFINED: usize = 0x4d43_0002;

/// More instructions than any test executes.
const LIMIT: u64 = 4_000_000_000;

/// Sends a request to the checker. Returns 0 if there is none.
fn request(code: usize, address: usize, length: usize) -> usize {
    let arguments = [code, address, length, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: rotations of rdi by 128 bits in all and an exchange of rbx with itself change nothing but
    // flags. Who watches knows the sequence and reads the arguments that rax points to; it marks memory
    // and writes none but rdx.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") arguments.as_ptr(), inout("rdx") answer, options(nostack)
        );
    }
    answer
}

/// Whether a checker runs this code: valgrind or [`run`](super::run).
pub fn is_watched() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Whether this code is interpreted. Then it can execute instructions that this processor lacks.
pub fn is_interpreted() -> bool {
    request(super::WATCHING as usize, 0, 0) == 1
}

/// Starts a record with the next instruction.
pub fn start_recording() {
    request(super::START as usize, 0, 0);
}

/// Ends the record.
pub fn stop_recording() {
    request(super::STOP as usize, 0, 0);
}

/// Marks these words as secret. They count as modified, so that the compiler does not use their earlier
/// values.
pub fn classify<T>(words: &mut [T]) {
    let words = black_box(words);
    request(MAKE_UNDEFINED, words.as_mut_ptr() as usize, size_of_val(words));
}

/// Marks these words as public.
pub fn declassify<T>(words: &[T]) {
    request(MAKE_DEFINED, black_box(words).as_ptr() as usize, size_of_val(words));
}

/// Runs a test in a way that follows secrets: as it is under valgrind, otherwise with [`run`](super::run). In
/// builds with debug assertions, where overflow checks branch on secrets, it runs the test without a checker,
/// which checks only the results.
///
/// # Panics
/// If the test panics, or cannot be interpreted.
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

/// The number of branches, addresses and divisions that depended on secrets.
pub fn leaks(run: impl FnOnce()) -> usize {
    let before = request(COUNT_ERRORS, 0, 0);
    run();
    request(COUNT_ERRORS, 0, 0) - before
}

/// Asserts, if a checker runs this code, that there were `outcomes` leaks: a branch for each outcome that is
/// public.
///
/// # Panics
/// If there were more leaks, or fewer.
#[track_caller]
pub fn assert_public(outcomes: usize, what: &str, run: impl FnOnce()) {
    let found = leaks(run);
    let expected = if is_watched() { outcomes } else { 0 };
    assert_eq!(found, expected, "{what}: branches, addresses and divisions that depend on secrets");
}

/// Asserts that there were no leaks.
///
/// # Panics
/// If there were any.
#[track_caller]
pub fn assert_constant_time(what: &str, run: impl FnOnce()) {
    assert_public(0, what, run);
}
