//! Injects faults into every part of the private operation: no wrong result is released.

use alloc::{sync::Arc, vec::Vec};
use crypto_bigint::{BoxedUint, rand_core::TryCryptoRng};
use zeroize::Zeroizing;

use super::{PrivateKey, Scheme, Signer, Verifier};
use crate::{crt::faults::Spoiler, error::Error, scheme::rsa::Hash};
use moduli_kernel::{Observer, Operation};

const PEM: &str = include_str!("example.pem");

fn rng() -> impl TryCryptoRng {
    getrandom::SysRng
}

fn key() -> PrivateKey {
    PrivateKey::from_pem(PEM).unwrap()
}

fn message() -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&[0x5a; 100])
}

/// Without the fault the key works; with it, every operation reports a fault.
fn nothing_gets_out(what: &str, fault: impl Fn(&mut PrivateKey)) {
    let (mut key, m) = (key(), message());
    let s = key.sign_raw(&mut rng(), &m).unwrap();
    assert_eq!(key.public_key().encrypt_raw(&s).unwrap(), m);
    fault(&mut key);
    for blind in [false, true] {
        key = key.with_exponent_blinding(blind);
        for _ in 0..40 {
            assert_eq!(key.sign_raw(&mut rng(), &m), Err(Error::Fault), "{what}");
        }
    }
    #[cfg(feature = "rayon")]
    {
        key = key.with_parallel_halves(true);
        assert_eq!(key.decrypt_raw(&mut rng(), &m), Err(Error::Fault), "{what}");
    }
    let batch = key.decrypt_raw_batch(&mut rng(), &alloc::vec![m; 40]);
    assert_eq!(batch, alloc::vec![Err(Error::Fault); 40], "{what}");
    let signer = Signer::new(key, Scheme::pkcs1(Hash::Sha256)).unwrap();
    assert_eq!(signer.sign(&mut rng(), b"message"), Err(Error::Fault), "{what}");
    assert_eq!(signer.sign_batch(&mut rng(), &[b"message"; 9]), Err(Error::Fault), "{what}");
}

#[test]
fn in_an_exponent() {
    for half in 0..2 {
        for bit in [0, 1, 100, 510] {
            nothing_gets_out("exponent", |key| {
                let exponent = &mut key.halves[half].exponent;
                let flipped = BoxedUint::clone(exponent) ^ (BoxedUint::one_with_precision(512) << bit);
                *exponent = Zeroizing::new(flipped);
            });
        }
    }
}

#[test]
fn in_a_constant() {
    // Zero is a residue in the form of every kernel; a number with flipped bits may not be one.
    let count = key().recombination.constants().count();
    assert_eq!(count, 3, "the inverse of q, q, and 1");
    for i in 0..count {
        nothing_gets_out("recombination", |key| key.recombination.constants().nth(i).unwrap().fill(0));
    }
    for i in 0..2 {
        nothing_gets_out("reduction to p", |key| key.halves[0].factor.constants()[i].fill(0));
        nothing_gets_out("reduction to q", |key| key.halves[1].factor.constants()[i].fill(0));
    }
}

#[test]
fn in_the_multiple_that_blinds_exponents() {
    let (mut key, m) = (key(), message());
    let s = key.sign_raw(&mut rng(), &m).unwrap();
    for half in 0..2 {
        let other = key.halves[1 - half].group_order.clone();
        let right = core::mem::replace(&mut key.halves[half].group_order, other);
        key = key.with_exponent_blinding(true);
        assert_eq!(key.sign_raw(&mut rng(), &m), Err(Error::Fault));
        // The fault affects only this multiple.
        key = key.with_exponent_blinding(false);
        assert_eq!(key.sign_raw(&mut rng(), &m).unwrap(), s);
        key.halves[half].group_order = right;
    }
}

#[test]
fn in_the_blinding() {
    let (key, m) = (key(), message());
    for half in 0..2 {
        let s = key.sign_raw(&mut rng(), &m).unwrap();
        if let Some(pair) = &mut key.blinding().last {
            let residue = if half == 0 { &mut pair.blinder } else { &mut pair.unblinder };
            residue.fill(0);
        }
        assert_eq!(key.sign_raw(&mut rng(), &m), Err(Error::Fault));
        // The fault also drops the pair.
        assert_eq!(key.sign_raw(&mut rng(), &m).unwrap(), s);
    }
}

#[test]
fn in_e() {
    let other = BoxedUint::from(17u64);
    nothing_gets_out("e", |key| {
        key.public = super::PublicKey::new(key.public.n().value().as_ref(), &other).unwrap();
    });
}

#[test]
fn factors_that_are_not_prime() {
    // n = p·q where p is composite, with d·e = 1 modulo p − 1 and q − 1.
    let [half_of_p, q] = composite();
    let p = half_of_p;
    let e = BoxedUint::from(65_537u64);
    let d = inverse_modulo_orders(&e, &p, &q);
    let n = (&num(&p) * &num(&q)).to_bytes_be();
    let n = BoxedUint::from_be_slice_vartime(&n);
    let key = PrivateKey::from_components(&n, &e, &d, &p, &q).unwrap();
    assert_eq!(key.sign_raw(&mut rng(), &message()), Err(Error::Fault));
}

#[test]
fn a_key_can_be_used_again_after_a_fault() {
    let (mut key, m) = (key(), message());
    let right = key.halves[0].exponent.clone();
    key.halves[0].exponent = key.halves[1].exponent.clone();
    assert_eq!(key.sign_raw(&mut rng(), &m), Err(Error::Fault));
    key.halves[0].exponent = right;
    let verifier = Verifier::new(key.public_key().clone(), Scheme::pss(Hash::Sha256));
    let signer = Signer::new(key, Scheme::pss(Hash::Sha256)).unwrap();
    verifier.verify(b"text", &signer.sign(&mut rng(), b"text").unwrap()).unwrap();
}

/// Corrupts every single result of the arithmetic modulo n, p and q in turn, including the released
/// value.
#[test]
fn in_each_operation() {
    results_spoilt(1);
}

/// The fastest kernel, on every machine: it computes two powers at a time. Without AVX-512 it is
/// interpreted, and all results would take some 100 seconds, so this tests one in sixteen.
#[cfg(all(feature = "std", target_arch = "x86_64", target_os = "linux"))]
#[test]
fn in_operations_of_ifma52() {
    crate::checkmem::emulate(|| results_spoilt(16));
}

/// All results: `cargo test --release -p moduli --lib -- --ignored`.
#[cfg(all(feature = "std", target_arch = "x86_64", target_os = "linux"))]
#[test]
#[ignore = "takes minutes"]
fn in_each_operation_of_ifma52() {
    crate::checkmem::emulate(|| results_spoilt(1));
}

/// Corrupts one in `every` of the results modulo p, which are hundreds, and each of the others.
fn results_spoilt(every: usize) {
    let mut key = key();
    let (rng, m) = (&mut rng(), message());
    let right = key.sign_raw(rng, &m).unwrap();
    let spoilers = [(); 3].map(|()| Arc::new(Spoiler::default()));
    spoilers.iter().for_each(|spoiler| spoiler.aim(usize::MAX));
    key.observe(spoilers.clone().map(|spoiler| spoiler as Arc<dyn Observer>));
    for (of, spoiler) in spoilers.iter().enumerate() {
        assert_eq!(key.sign_raw(rng, &m).as_ref(), Ok(&right), "nothing is spoilt yet");
        let mut leaves = Vec::new();
        let (mut caught, mut harmless) = (0, 0);
        let every = if of == 1 { every } else { 1 };
        for target in (0..).step_by(every) {
            spoiler.aim(usize::MAX);
            let random = key.randomness(rng).unwrap();
            spoiler.aim(target);
            let found = key.compute(&m, &random);
            let Some(operation) = spoiler.spoilt() else {
                assert_eq!(found.as_ref(), Ok(&right));
                spoiler.aim(usize::MAX);
                break;
            };
            match &found {
                Err(Error::Fault) => caught += 1,
                // The result was a table entry that no digit selects.
                Ok(s) if s == &right => harmless += 1,
                _ => panic!("modulo {}: {operation:?}, result {target}, gave {found:?}", ["n", "p", "q"][of]),
            }
            if matches!(operation, Operation::FromMontgomery | Operation::Store) {
                leaves.push(found);
            }
        }
        // The kernel of p computes both powers. That of q only reduces and converts.
        let few = [10, 500, 5][of] / every;
        assert!(caught > few && harmless * 10 < caught, "{caught} caught, {harmless} harmless");
        // Converted values are exponentiated, recombined, released or checked, so no fault in one
        // is harmless.
        assert_eq!(leaves.iter().filter(|found| found.is_ok()).count(), 0);
        // Powers in a form of their own convert bases and powers.
        let moved = if key.halves[0].factor.modulus.power_session_of_two(512).is_some() { 2 } else { 0 };
        assert!(every > 1 || leaves.len() == [3, 1 + moved, 1 + moved][of]);
    }
}

fn num(x: &BoxedUint) -> num_bigint::BigUint {
    num_bigint::BigUint::from_bytes_be(&x.to_be_bytes())
}

/// Two odd numbers of 512 bits, the first composite. Their predecessors are coprime to e.
fn composite() -> [BoxedUint; 2] {
    let key = key();
    let q = key.halves[1].factor.modulus.value().as_ref().clone();
    let e = num_bigint::BigUint::from(65_537u32);
    let factor = num_bigint::BigUint::from(1_000_003u32);
    let mut other = (num(&q) >> 20u32) | num_bigint::BigUint::from(1u32);
    loop {
        let product = &other * &factor;
        if (&product - 1u32).modinv(&e).is_some() && product.bits() >= 500 {
            let bytes: Vec<u8> = product.to_bytes_be();
            return [BoxedUint::from_be_slice_vartime(&bytes), q];
        }
        other += 2u32;
    }
}

fn inverse_modulo_orders(e: &BoxedUint, p: &BoxedUint, q: &BoxedUint) -> BoxedUint {
    let (p, q) = (num(p) - 1u32, num(q) - 1u32);
    let order = &p * &q; // a multiple of both
    BoxedUint::from_be_slice_vartime(&num(e).modinv(&order).unwrap().to_bytes_be())
}
