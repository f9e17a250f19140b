//! Keys that must be rejected, each for the right reason.

use moduli::{
    Error,
    scheme::rsa::{PrivateKey, PublicKey},
};
use num_bigint::BigUint;

use crate::refused::refused;
use crate::rsa::support::{Numbers, prime, sequence};

fn good() -> Numbers {
    Numbers::new(512, 512, 65_537)
}

#[test]
fn moduli_and_exponents_out_of_bounds() {
    let with = |change: fn(&mut Numbers)| {
        let mut numbers = good();
        change(&mut numbers);
        numbers
    };
    let both = |numbers: &Numbers, because: &str| {
        refused(numbers.public(), because);
        refused(numbers.private(), because);
        refused(PrivateKey::from_pkcs1_der(&numbers.pkcs1()), because);
        refused(PublicKey::from_pkcs1_der(&sequence(&[numbers.n.clone(), numbers.e.clone()])), because);
    };
    both(&with(|key| key.n += 1u32), "n: the modulus is even");
    both(&with(|key| key.n >>= 1), "n has 1023 bits; 1024 to 16384 are supported");
    both(&with(|key| key.n = BigUint::ZERO), "n has 0 bits");
    both(&with(|key| key.n = (BigUint::from(1u32) << 16_384) + 1u32), "n has 16385 bits");
    both(&with(|key| key.e = BigUint::ZERO), "e must be odd and greater than 1");
    both(&with(|key| key.e = BigUint::from(1u32)), "e must be odd and greater than 1");
    both(&with(|key| key.e = BigUint::from(65_536u32)), "e must be odd and greater than 1");
    both(&with(|key| key.e = (BigUint::from(1u32) << 256) + 1u32), "e has 257 bits; the maximum is 256");
    assert!(with(|key| key.e = (BigUint::from(1u32) << 255) + 1u32).public().is_ok());
    assert!(with(|key| key.n = (BigUint::from(1u32) << 16_383) + 1u32).public().is_ok());
}

#[test]
fn numbers_that_do_not_belong_together() {
    let Numbers { n, e, d, p, q } = good();
    let private = |n: &BigUint, d: &BigUint, p: &BigUint, q: &BigUint| {
        let numbers = Numbers { n: n.clone(), e: e.clone(), d: d.clone(), p: p.clone(), q: q.clone() };
        numbers.private()
    };
    assert!(private(&n, &d, &p, &q).is_ok());
    assert!(private(&n, &d, &q, &p).is_ok(), "without CRT values the order is free");
    refused(private(&(&n + 2u32), &d, &p, &q), "n is not the product of p and q");
    refused(private(&n, &d, &p, &p), "n is not the product of p and q");
    refused(private(&n, &d, &p, &(&q + 2u32)), "n is not the product of p and q");
    refused(private(&n, &d, &n, &BigUint::from(1u32)), "q has 1 bits; for this n it needs 256");
    refused(private(&n, &d, &BigUint::ZERO, &q), "p has 0 bits");
    refused(private(&(&p * &p), &d, &p, &p), "p and q are equal");
    refused(private(&n, &(&d + 1u32), &p, &q), "d·e is not 1 modulo p − 1");
    refused(private(&n, &BigUint::ZERO, &p, &q), "d·e is not 1 modulo p − 1");
    refused(private(&n, &(&d + &n), &p, &q), "d is not below n");
    // d is right modulo p − 1 and wrong modulo q − 1.
    let half_right = &d % (&p - 1u32);
    refused(private(&n, &half_right, &p, &q), "d·e is not 1 modulo q − 1");
    // p is even, so n is even for every q.
    refused(private(&((&p + 1u32) * &q), &d, &(&p + 1u32), &q), "n: the modulus is even");
    // p and q with a common factor.
    let (a, b, c) = (prime(300, 1), prime(300, 2), prime(300, 3));
    let (p, q) = (&a * &b, &a * &c);
    refused(Numbers::of(&p, &q, &e).unwrap().private(), "p and q have a common factor");
}

#[test]
fn crt_values_of_another_key() {
    let fields = good().fields();
    let read = |fields: &[BigUint]| PrivateKey::from_pkcs1_der(&sequence(fields));
    assert!(read(&fields).is_ok());
    let mut swapped = fields.clone();
    swapped.swap(4, 5);
    refused(read(&swapped), "dp is not d modulo p − 1");
    swapped.swap(6, 7);
    refused(read(&swapped), "qinv is not the inverse of q modulo p");
    swapped[8] = fields[5].clone().modinv(&fields[4]).unwrap();
    refused(read(&swapped), "qinv is not the inverse of q modulo p");
    swapped[8] = fields[4].modinv(&fields[5]).unwrap();
    assert!(read(&swapped).is_ok());
    let p_minus_one = &fields[4] - 1u32;
    for (index, reason, modulus) in [
        (6, "dp is not d modulo p − 1", &p_minus_one),
        (7, "dq is not d modulo q − 1", &p_minus_one),
        (8, "qinv is not the inverse of q modulo p", &fields[4]),
    ] {
        // A different value, 0, and the right value plus a multiple of its modulus.
        for value in [&fields[index] + 1u32, BigUint::ZERO, &fields[index] + modulus] {
            let mut wrong = fields.clone();
            wrong[index] = value;
            refused(read(&wrong), reason);
        }
    }
}

#[test]
fn other_versions_and_shapes() {
    let fields = good().fields();
    let read = |der: &[u8]| PrivateKey::from_pkcs1_der(der);
    let mut wrong = fields.clone();
    for version in [1u32, 2, 255] {
        wrong[0] = BigUint::from(version);
        refused(read(&sequence(&wrong)), "malformed RSA private key");
    }
    refused(read(&sequence(&fields[..8])), "malformed RSA private key");
    refused(read(&sequence(&[&fields[..], &fields[..1]].concat())), "malformed RSA private key");
    // Three primes: version 1 and a sequence of sequences at the end.
    let info = sequence(&[prime(512, 9), BigUint::from(5u32), BigUint::from(7u32)]);
    let header =
        |content: &[u8]| [&[0x30, 0x82], &(content.len() as u16).to_be_bytes()[..], content].concat();
    wrong[0] = BigUint::from(1u32);
    let integers = sequence(&wrong);
    let infos = [&[0x30, info.len() as u8], &info[..]].concat();
    let multi = header(&[&integers[4..], &infos].concat());
    refused(read(&multi), "more than two primes");
    refused(read(&vec![0x30; 70_000]), "70000 bytes");
    refused(PrivateKey::from_pkcs8_der(&vec![0x30; 70_000]), "70000 bytes");
    refused(PublicKey::from_spki_der(&vec![0x30; 70_000]), "70000 bytes");
    // DER of the wrong kind.
    refused(PrivateKey::from_pkcs8_der(&good().pkcs1()), "malformed PKCS#8 private key");
    refused(PublicKey::from_pkcs1_der(&good().pkcs1()), "malformed RSA public key");
    refused(PublicKey::from_spki_der(&good().pkcs1()), "malformed public key");
}

#[test]
fn no_damaged_key_is_accepted_and_none_panics() {
    let der = good().pkcs1();
    for length in 0..der.len() {
        assert!(matches!(PrivateKey::from_pkcs1_der(&der[..length]), Err(Error::Key(_))), "{length} bytes");
    }
    assert!(matches!(PrivateKey::from_pkcs1_der(&[&der[..], &[0]].concat()), Err(Error::Key(_))));
    for position in 0..der.len() {
        for change in [0x01, 0x80] {
            let mut damaged = der.clone();
            damaged[position] ^= change;
            let read = PrivateKey::from_pkcs1_der(&damaged);
            assert!(matches!(read, Err(Error::Key(_))), "byte {position} xor {change:#x}");
        }
    }
}
