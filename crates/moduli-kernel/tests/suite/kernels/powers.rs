//! The form of residues for powers, whose strips have spare bits: the same tests as for kernels, at every
//! length that has room for them.

use moduli_kernel::{Arithmetic, KernelChoice, internals::IFMA52_POWERS};
use num_bigint::BigUint;

use crate::kernels::{
    dual::check_dual,
    operands::{Random, moduli},
    products::check_modulus,
    subject::Subject,
};

fn has_room(bits: &u64) -> bool {
    IFMA52_POWERS.foreseen(*bits as u32).is_ok()
}

/// Whether residues of moduli of one more bit have another form.
fn is_longest(bits: u64) -> bool {
    let form = |bits: u64| IFMA52_POWERS.foreseen(bits as u32).ok().map(|sizes| sizes.radix_bits);
    form(bits) != form(bits + 1)
}

/// Tests moduli of these lengths, and the longest ones of each form.
fn check_lengths(served: impl Fn(u64) -> bool) {
    if !IFMA52_POWERS.is_supported() {
        return println!("skipped: this processor has no AVX-512 IFMA");
    }
    let mut random = Random(7);
    let is_wanted = |bits: &u64| has_room(bits) && (served(*bits) || is_longest(*bits));
    for bits in (2..5000).filter(is_wanted) {
        // Some have one bit less.
        for p in moduli(bits, 64, &mut random).into_iter().filter(|p| has_room(&p.bits())) {
            check_modulus(IFMA52_POWERS, &p, 4, 1, &mut random);
        }
        let longest = (BigUint::from(1u32) << bits) - 1u32;
        Subject::new(IFMA52_POWERS, &longest).check_chain(60, &mut random);
    }
}

#[test]
fn lengths_with_room() {
    check_lengths(|bits| bits < 130 || bits.is_multiple_of(if bits < 1100 { 32 } else { 256 }));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn all_lengths_with_room() {
    check_lengths(|_| true);
}

/// Two moduli of one length, of different lengths, and of different kernels.
#[test]
fn two_moduli_at_a_time() {
    if !IFMA52_POWERS.is_supported() {
        return println!("skipped: this processor has no AVX-512 IFMA");
    }
    let mut random = Random(8);
    let is_wanted = |bits: &u64| has_room(bits) && (bits.is_multiple_of(64) || is_longest(*bits));
    for bits in (2..3400).filter(is_wanted) {
        let longest = (BigUint::from(1u32) << bits) - 1u32;
        let moduli =
            moduli(bits, 64, &mut random).into_iter().filter(|p| has_room(&p.bits())).chain([longest]);
        let subjects: Vec<_> = moduli.map(|p| Subject::new(IFMA52_POWERS, &p)).collect();
        for (i, first) in subjects.iter().enumerate() {
            check_dual(first, &subjects[(i + 1) % subjects.len()], &mut random);
        }
        let usual = Subject::new(KernelChoice::IFMA52, &subjects[0].p);
        check_dual(&subjects[0], &usual, &mut random);
        check_dual(&usual, &subjects[0], &mut random);
    }
}

/// The usual lengths have room, and powers use the form.
#[test]
fn powers_use_it() {
    for bits in [384u64, 512, 768, 1024, 1536, 2048, 3072] {
        assert!(has_room(&bits), "{bits}");
        let modulus: Vec<u64> = vec![u64::MAX; bits as usize / 64];
        let Ok(arithmetic) = Arithmetic::new(&modulus, KernelChoice::IFMA52) else { return };
        // Not before that many bits of exponents have come.
        let half = bits as u32 / 2;
        assert!(arithmetic.power_session(half - 1, None).is_none());
        let session = arithmetic.power_session(1, None).unwrap();
        assert_eq!(session.dimensions().name, IFMA52_POWERS.name());
        assert_eq!(session.residue_words(), arithmetic.session(None).residue_words());
    }
}
