//! Tests that the tools report what they must report.

use core::{arch::asm, hint::black_box};
use crypto_bigint::BoxedUint;

use super::*;
use crate::{Exponent, SignedExponent, power::PowerMethod};

#[test]
fn a_leak_is_seen() {
    watch(|| {
        if !is_watched() {
            return;
        }
        for p in moduli() {
            let (x, e) = (BoxedUint::from(3u64), secret(1, 64));
            // A masked table does not leak. The same table, indexed by digits, leaks once per
            // digit.
            let method = PowerMethod::LeftToRight { window: 4, split: 1 };
            assert_constant_time("masked", || drop(black_box(p.pow_with(&x, &e, method))));
            assert!(leaks(|| drop(black_box(p.element(&x).pow_regular_vartime(&e, method)))) >= 16);
            let ladder = PowerMethod::Ladder { common_operand: true };
            assert_constant_time("ladder", || drop(black_box(p.element(&x).pow_regular_vartime(&e, ladder))));
        }
    });
}

/// A branch on a word.
#[inline(never)]
fn branch(word: u64) {
    if black_box(word) & 1 == 1 {
        black_box(is_watched());
    }
}

/// If the word is secret, a branch on it is reported.
#[track_caller]
fn assert_hidden(what: &str, word: u64) {
    if is_watched() {
        assert_eq!(leaks(|| branch(word)), 1, "a branch on {what}");
    }
}

/// Every kind of secret that these tests classify: the compiler must not know its value.
#[test]
fn every_kind_of_secret_is_hidden() {
    watch(|| {
        let p = mersenne(KernelChoice::PORTABLE, 521);
        assert_hidden("a number", secret(1, 64).as_words()[0]);
        assert_hidden("a sign", secret_sign(true).into());
        let magnitude = BoxedUint::one();
        for negative in [false, true] {
            let exponent = SignedExponent::new(secret_sign(negative), &magnitude);
            assert_hidden("the sign of an exponent", exponent.negative_mask());
        }
        let number = secret(2, 128);
        assert_hidden("an exponent", Exponent::from(&number).below(128).unwrap().limbs()[1]);
        let element = secret_element(&p, 3);
        assert_hidden("an element", element.to_be_bytes()[0].into());
        assert_hidden("a product", element.try_mul(&element).unwrap().to_be_bytes()[64].into());
        let mut index = [2u64];
        classify(&mut index);
        assert_hidden("an index", index[0]);
        // `declassify` makes a secret public again.
        let public = secret(4, 64);
        declassify(public.as_words());
        assert_eq!(leaks(|| branch(public.as_words()[0])), 0);
    });
}

/// A tool that sees divisions reports a division of a secret and one by a secret. (The code that
/// the compiler emits for a division also branches on its operands.)
#[test]
fn divisions_are_seen() {
    fn divide(x: u64, y: u64) {
        // SAFETY: the quotient fits in 64 bits; only registers are used.
        unsafe { asm!("div {y}", y = in(reg) y, inout("rax") x => _, inout("rdx") 0u64 => _) };
    }
    watch(|| {
        if is_interpreted() {
            let x = secret(1, 64).as_words()[0] | 1;
            assert_eq!(leaks(|| divide(x, black_box(1_000_003))), 1);
            assert_eq!(leaks(|| divide(black_box(u64::MAX), x)), 1);
            assert_eq!(leaks(|| divide(black_box(u64::MAX), black_box(3))), 0);
        }
    });
}

/// The interpreter follows the fastest kernel on every machine.
#[test]
fn every_kernel_is_watched() {
    if cfg!(debug_assertions) || is_watched() {
        return;
    }
    moduli_kernel::internals::ask_whether_emulated(is_interpreted);
    let report = checkmem::run(1_000_000_000, || {
        let p = mersenne(KernelChoice::IFMA52, 2203);
        let (x, e) = (secret(1, 2000), secret(2, 64));
        assert_constant_time("ifma52", || drop(black_box(p.pow(&x, &e))));
    });
    assert_eq!(report.ended, Ok(()));
    for (name, least) in [("vpmadd52luq", 10_000), ("vpmadd52huq", 10_000)] {
        let times = report.mnemonics.get(name).copied().unwrap_or(0);
        assert!(times > least, "{name} was run {times} times");
    }
}

/// Without valgrind, or with one that does not answer requests, these tests would pass.
#[test]
fn the_watcher_is_the_one_asked_for() {
    if std::env::var_os("MODULI_WATCHER").is_some_and(|watcher| watcher == "valgrind") {
        assert!(is_watched());
        assert!(!is_interpreted());
    }
}
