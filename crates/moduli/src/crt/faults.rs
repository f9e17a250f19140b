//! Injects faults into every part of a power: none of the wrong results may be released.

use alloc::{format, string::String, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crypto_bigint::BoxedUint;
use num_bigint::BigUint;
use zeroize::Zeroizing;

use super::CrtModulus;
use crate::{error::Error, exponent::SignedExponent};
use moduli_kernel::{Observer, Operation};

/// Counts the results of the arithmetic modulo one number, and corrupts one of them.
#[derive(Default)]
pub(crate) struct Spoiler {
    target: AtomicUsize,
    results: AtomicUsize,
    spoilt: std::sync::Mutex<Option<Operation>>,
}

impl Spoiler {
    /// Selects the result to corrupt, and resets the count.
    pub(crate) fn aim(&self, target: usize) {
        self.target.store(target, Relaxed);
        self.results.store(0, Relaxed);
        *self.spoilt.lock().unwrap() = None;
    }

    /// The operation whose result was corrupted since then, if any.
    pub(crate) fn spoilt(&self) -> Option<Operation> {
        *self.spoilt.lock().unwrap()
    }
}

impl Observer for Spoiler {
    fn after(&self, operation: Operation, result: &mut [u64]) {
        if self.results.fetch_add(1, Relaxed) != self.target.load(Relaxed) {
            return;
        }
        *self.spoilt.lock().unwrap() = Some(operation);
        match operation {
            // A value: flip a bit. The new value is below the modulus, too, unless the old one was
            // the largest.
            Operation::FromMontgomery | Operation::Store => result[0] ^= 1,
            // A residue: set it to zero, which is valid in the form of every kernel. One observer
            // may see the operations modulo both primes.
            _ => result.fill(0),
        }
    }
}

/// The primes 2^127 − 1 and 2^107 − 1. They are longer than r, so the reduction of each half has
/// several chunks.
fn primes() -> [BoxedUint; 2] {
    [127, 107].map(|bits| BoxedUint::from(u128::MAX >> (128 - bits)))
}

fn modulus(k: u32) -> CrtModulus {
    let [p, q] = primes();
    CrtModulus::new(&p, &q, k).unwrap()
}

/// A number of `bits` bits, a multiple of eight.
fn number(bits: u32) -> BoxedUint {
    let bytes: Vec<u8> = (0..bits / 8).map(|i| (i * 89 + 0x5b) as u8).collect();
    BoxedUint::from_be_slice_vartime(&bytes)
}

/// One power: its base, its exponent, and the sign if there is one.
struct Case {
    k: u32,
    x: BoxedUint,
    e: BoxedUint,
    sign: Option<bool>,
}

impl Case {
    fn exponent(&self) -> SignedExponent<'_> {
        match self.sign {
            Some(negative) => SignedExponent::new(negative, &self.e),
            None => SignedExponent::from(&self.e),
        }
    }

    /// A description for messages.
    fn name(&self) -> String {
        let (x, e) = (self.x.bits_precision(), self.e.bits_precision());
        format!("{x} bits to {e} bits, sign {:?}, modulo N^{}", self.sign, self.k)
    }

    fn right(&self, modulus: &CrtModulus) -> BoxedUint {
        modulus.modulus().pow_signed(&self.x, self.exponent()).unwrap()
    }
}

/// Exponents with and without reduction; bases shorter and longer than N^k; with and without signs.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for k in [1, 2] {
        for (x, e) in [(200 * k, 56), (904, 96), (232 * k, 704)] {
            for sign in [None, Some(false), Some(true)] {
                cases.push(Case { k, x: number(x), e: number(e), sign });
            }
        }
    }
    cases
}

/// The power is right without the fault, and with it is either right or withheld.
fn nothing_gets_out(what: &str, fault: impl Fn(&mut CrtModulus)) {
    for case in cases() {
        let mut modulus = modulus(case.k);
        let right = case.right(&modulus);
        assert_eq!(modulus.pow(&case.x, case.exponent()).as_ref(), Ok(&right));
        fault(&mut modulus);
        match modulus.pow(&case.x, case.exponent()) {
            Err(Error::Fault) => {}
            // This case does not use the constant: an order if nothing is reduced, a constant for
            // longer numbers.
            found => assert_eq!(found.as_ref(), Ok(&right), "{what}: {}", case.name()),
        }
    }
}

/// The same, and with the longest base and exponent the fault is always detected.
fn is_a_fault(what: &str, fault: impl Fn(&mut CrtModulus)) {
    nothing_gets_out(what, &fault);
    for sign in [None, Some(false), Some(true)] {
        let case = Case { k: 2, x: number(904), e: number(904), sign };
        let mut modulus = modulus(case.k);
        fault(&mut modulus);
        assert_eq!(modulus.pow(&case.x, case.exponent()), Err(Error::Fault), "{what}: {}", case.name());
    }
}

#[test]
fn in_a_constant() {
    for half in 0..2 {
        for i in 0..2 {
            is_a_fault("reduction", |modulus| modulus.halves[half].factor.constants()[i].fill(0));
        }
        for bit in [0, 1, 64, 100] {
            is_a_fault("order", |modulus| {
                let order = &mut modulus.halves[half].order;
                let flipped =
                    BoxedUint::clone(order) ^ BoxedUint::one_with_precision(order.bits_precision()).shl(bit);
                *order = Zeroizing::new(flipped);
            });
        }
        is_a_fault("order modulo r", |modulus| modulus.check.constants().0[half] ^= 2);
        // This constant only scales a comparison, so a fault in it cannot cause another error.
        nothing_gets_out("r", |modulus| modulus.check.constants().1[half].fill(0));
    }
    let used = [0, 1, 2];
    for i in used {
        is_a_fault("recombination", |modulus| modulus.recombination.constants().nth(i).unwrap().fill(0));
    }
    for bit in [1, 100, 250] {
        is_a_fault("N^k·r", |modulus| {
            let flipped = BoxedUint::clone(&modulus.widest)
                ^ BoxedUint::one_with_precision(modulus.widest.bits_precision()).shl(bit);
            modulus.widest = Zeroizing::new(flipped);
        });
    }
}

/// Corrupts each limb of the inputs that are computed without a kernel: bases and exponents,
/// reduced and inverted.
#[test]
fn in_what_the_powers_are_computed_from() {
    for case in cases() {
        let modulus = modulus(case.k);
        let (e, x) = (case.exponent(), &case.x);
        let right = modulus.checked(x, &e, &modulus.base(x, &e).unwrap(), &modulus.exponents(&e).unwrap());
        assert_eq!(right, Ok(case.right(&modulus)));
        for which in 0..7 {
            for limb in 0.. {
                let mut base = modulus.base(x, &e).unwrap();
                let mut exponents = modulus.exponents(&e).unwrap();
                let [of_p, of_q] = &mut exponents.reduced;
                let words: Option<&mut [u64]> = match which {
                    0 => Some(&mut base.limbs),
                    1 => base.inverse.as_mut().map(|inverse| &mut inverse[..]),
                    2 => Some(exponents.whole.limbs_mut()),
                    3 => Some(of_p.rest.limbs_mut()),
                    4 => Some(of_q.rest.limbs_mut()),
                    5 => Some(&mut of_p.multiple),
                    _ => Some(&mut of_q.multiple),
                };
                let Some(word) = words.and_then(|words| words.get_mut(limb)) else { break };
                *word ^= 1 << 5;
                let found = modulus.checked(x, &e, &base, &exponents);
                assert_eq!(found, Err(Error::Fault), "{which}, limb {limb}: {}", case.name());
            }
        }
    }
}

/// Corrupts every single result of the arithmetic modulo N^k, p^k·r and q^k·r in turn, including
/// the released value.
#[test]
fn in_each_operation() {
    results_spoilt(1);
}

/// The fastest kernel, on every machine: it computes two powers at a time. Without AVX-512 it is
/// interpreted, and all results would take some 200 seconds. So this tests one in eight, and each
/// case with only one of the three moduli in turn.
#[cfg(all(feature = "std", target_arch = "x86_64", target_os = "linux"))]
#[test]
fn in_operations_of_ifma52() {
    crate::checkmem::emulate(|| results_spoilt(8));
}

/// All results: `cargo test --release -p moduli --lib -- --ignored`.
#[cfg(all(feature = "std", target_arch = "x86_64", target_os = "linux"))]
#[test]
#[ignore = "takes minutes"]
fn in_each_operation_of_ifma52() {
    crate::checkmem::emulate(|| results_spoilt(1));
}

/// Corrupts one result in `every`. The first of them differs from case to case.
fn results_spoilt(every: usize) {
    // The least number of faults detected modulo N^k, p^k·r and q^k·r.
    let least = [4, 61, 9];
    let mut caught_of_all = 0;
    let spoilers = [(); 3].map(|()| Arc::new(Spoiler::default()));
    spoilers.iter().for_each(|spoiler| spoiler.aim(usize::MAX));
    // To create a modulus takes longer than its powers.
    let moduli = [1, 2].map(|k| {
        let mut modulus = modulus(k);
        modulus.observe(spoilers.clone().map(|spoiler| spoiler as Arc<dyn Observer>));
        modulus
    });
    for (index, case) in cases().into_iter().enumerate() {
        let modulus = &moduli[case.k as usize - 1];
        let right = case.right(modulus);
        // Three consecutive cases differ only in their signs.
        let turn = (index + index / 3) % 3;
        for (of, spoiler) in spoilers.iter().enumerate().filter(|(of, _)| every == 1 || *of == turn) {
            let (mut caught, mut harmless) = (0, 0);
            for target in (index % every..).step_by(every) {
                spoiler.aim(target);
                let found = modulus.pow(&case.x, case.exponent());
                let Some(operation) = spoiler.spoilt() else {
                    assert_eq!(found.as_ref(), Ok(&right));
                    spoiler.aim(usize::MAX);
                    break;
                };
                match &found {
                    Err(Error::Fault) => caught += 1,
                    // The result was a table entry that no digit selects, or a summand that is
                    // zero.
                    Ok(power) if power == &right => harmless += 1,
                    _ => panic!(
                        "{}, modulo {}: {operation:?}, result {target}, gave {found:?}",
                        case.name(),
                        ["N^k", "p^k·r", "q^k·r"][of]
                    ),
                }
                // Converted values are compared, recombined or released, so no fault in one is
                // harmless.
                if matches!(operation, Operation::FromMontgomery | Operation::Store) {
                    assert_eq!(found, Err(Error::Fault), "{}: {operation:?}, {target}", case.name());
                }
            }
            // The kernel of p computes both powers. That of q only reduces, converts and compares.
            assert!(
                (every > 1 || caught >= least[of]) && harmless < 40,
                "{}: {caught} caught, {harmless} harmless",
                case.name()
            );
            caught_of_all += caught;
        }
    }
    let share = if every == 1 { 1 } else { 3 * every };
    assert!(caught_of_all * share > cases().len() * least.iter().sum::<usize>(), "{caught_of_all} caught");
}

/// Shows that the check matters: without it, each of these faults reveals a factor.
#[test]
fn without_the_check_a_fault_gives_the_primes_away() {
    let modulus = modulus(1);
    let case = Case { k: 1, x: number(200), e: number(96), sign: None };
    let big = |x: &[u64]| x.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 64u32) + limb);
    let [p, q] = primes().map(|prime| big(&moduli_kernel::limbs::to_limbs(&prime, 1)));
    let (e, n) = (case.exponent(), &p * &q);
    let (base, exponents) = (modulus.base(&case.x, &e).unwrap(), modulus.exponents(&e).unwrap());
    let mut sessions = modulus.sessions();
    let right = modulus.residues(&mut sessions, &base, &exponents).unwrap();
    let expected = big(&modulus.number(&mut sessions, &right));
    assert_eq!(expected, big(&moduli_kernel::limbs::to_limbs(&case.right(&modulus), 1)));
    for (half, found) in [(0, &q), (1, &p)] {
        let mut wrong = right.clone();
        wrong[half].fill(0);
        let number = big(&modulus.number(&mut sessions, &wrong));
        let difference = &expected + &n - number;
        let factor = |prime: &BigUint| &difference % prime == BigUint::ZERO;
        assert!(factor(found) && (factor(&p) != factor(&q)));
    }
}
