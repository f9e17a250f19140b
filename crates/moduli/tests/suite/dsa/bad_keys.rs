//! Keys that must be rejected, each for the right reason.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    scheme::dsa::{DomainParameters, PrivateKey, PublicKey},
};
use num_bigint::BigUint;
use pkcs8::{
    AlgorithmIdentifierRef, PrivateKeyInfoRef, SubjectPublicKeyInfoRef,
    der::{
        Encode,
        asn1::{AnyRef, BitStringRef, OctetStringRef, UintRef},
    },
};

use crate::dsa::{
    openssl,
    pairs::{ODD_163, RFC_1024, RFC_2048},
    support::{big, boxed, group, number, private_key, public_key},
};
use crate::refused::refused;

#[test]
fn parameters_that_do_not_belong_together() {
    let [p, q, g] = [RFC_1024.p, RFC_1024.q, RFC_1024.g].map(number);
    let one = BoxedUint::one();
    let refused = |p: &BoxedUint, q: &BoxedUint, g: &BoxedUint, because: &str| {
        refused(DomainParameters::new(p, q, g), because);
    };
    refused(&(&p + &one), &q, &g, "p: the modulus is even");
    refused(&p, &(&q + &one), &g, "q: the modulus is even");
    refused(&BoxedUint::zero(), &q, &g, "p has 0 bits");
    refused(&p, &BoxedUint::from(3u64), &g, "q has 2 bits; 160 to 512 are supported");
    refused(&number(RFC_2048.q), &q, &g, "p has 256 bits; 1024 to 16384 are supported");
    refused(&boxed(&((BigUint::from(1u32) << 16_384) + 1u32)), &q, &g, "p has 16385 bits");
    refused(&p, &p, &g, "q has 1024 bits");
    refused(&p, &number(RFC_2048.q), &g, "q does not divide p − 1");
    refused(&p, &(&q + &BoxedUint::from(2u64)), &g, "q does not divide p − 1");
    refused(&p, &q, &BoxedUint::zero(), "g is out of range");
    refused(&p, &q, &one, "g is out of range");
    refused(&p, &q, &p, "g is out of range");
    refused(&p, &q, &(&p + &g), "g is out of range");
    refused(&p, &q, &(&p - &one), "g does not have order q");
    refused(&p, &q, &(&g + &one), "g does not have order q");
}

#[test]
fn a_composite_q() {
    // q = a·b with p = 2cq + 1: everything matches, but q is not prime.
    let a = big(&number(RFC_1024.q));
    let q = &a * BigUint::from(1_000_003u32);
    let mut p = &q << (1024 - q.bits());
    let step = &q << 1;
    p += 1u32;
    while BigUint::from(2u32).modpow(&(&p - 1u32), &p) != BigUint::from(1u32) {
        p += &step;
    }
    let g = BigUint::from(2u32).modpow(&((&p - 1u32) / &q), &p);
    refused(DomainParameters::new(&boxed(&p), &boxed(&q), &boxed(&g)), "q is not prime");
}

#[test]
fn public_values_outside_the_group() {
    let group = group(&RFC_1024);
    let p = number(RFC_1024.p);
    let y = number(RFC_1024.y);
    let one = BoxedUint::one();
    refused(PublicKey::new(&group, &BoxedUint::zero()), "y is out of range");
    refused(PublicKey::new(&group, &one), "y is out of range");
    refused(PublicKey::new(&group, &p), "y is out of range");
    refused(PublicKey::new(&group, &(&p + &y)), "y is out of range");
    refused(PublicKey::new(&group, &(&p - &one)), "y is not a power of g");
    refused(PublicKey::new(&group, &(&p - &y)), "y is not a power of g");
    refused(PublicKey::new(&group, &(&y + &one)), "y is not a power of g");
}

#[test]
fn secrets_out_of_range_or_of_another_key() {
    let group = group(&RFC_1024);
    let [q, x, y] = [RFC_1024.q, RFC_1024.x, RFC_1024.y].map(number);
    refused(PrivateKey::new(&group, &BoxedUint::zero()), "x is out of range");
    refused(PrivateKey::new(&group, &q), "x is out of range");
    refused(PrivateKey::new(&group, &(&q + &x)), "x is out of range");
    refused(PrivateKey::new(&group, &number(RFC_1024.p)), "x is out of range");
    refused(PrivateKey::from_pair(&group, &(&x + &BoxedUint::one()), &y), "y does not belong to x");
    refused(PrivateKey::from_pair(&group, &x, &group.g().clone()), "y does not belong to x");
    assert!(PrivateKey::new(&group, &(&q - &BoxedUint::one())).is_ok());
    assert!(PrivateKey::new(&group, &BoxedUint::one()).is_ok());
}

#[test]
fn keys_of_other_kinds() {
    refused(
        PrivateKey::from_pem(openssl::ED25519_PRIVATE),
        "not a DSA key: its algorithm is Ed25519 (1.3.101.112)",
    );
    refused(
        PublicKey::from_pem(openssl::ED25519_PUBLIC),
        "not a DSA key: its algorithm is Ed25519 (1.3.101.112)",
    );
    refused(PrivateKey::from_pem(openssl::SPKI), "no PEM block labelled PRIVATE KEY or DSA PRIVATE KEY");
    refused(PublicKey::from_pem(openssl::PKCS8), "no PEM block labelled PUBLIC KEY");
    refused(PrivateKey::from_pem(""), "no PEM block");
    let encrypted = openssl::PKCS8.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    refused(PrivateKey::from_pem(&encrypted), "encrypted");
    let header = "-----BEGIN DSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n";
    let encrypted = openssl::TRADITIONAL.replace("-----BEGIN DSA PRIVATE KEY-----\n", header);
    refused(PrivateKey::from_pem(&encrypted), "encrypted");
    refused(PrivateKey::from_pem(openssl::PKCS8.split("-----END").next().unwrap()), "has no end");
    refused(PrivateKey::from_pem(&openssl::PKCS8.replace("MIIB", "M!IB")), "malformed PEM block");
    refused(PrivateKey::from_pkcs8_der(&vec![0x30; 70_000]), "70000 bytes");
    refused(PublicKey::from_spki_der(&vec![0x30; 70_000]), "70000 bytes");
}

/// A SubjectPublicKeyInfo with these integers as parameters.
fn spki(parameters: Option<&[&str]>, y: &str) -> Vec<u8> {
    let bytes = |hex: &str| number(hex).to_be_bytes();
    let encoded = parameters.map(|fields| {
        let fields: Vec<_> = fields.iter().map(|hex| bytes(hex)).collect();
        fields.iter().map(|field| UintRef::new(field).unwrap()).collect::<Vec<_>>().to_der().unwrap()
    });
    let y = UintRef::new(&bytes(y)).unwrap().to_der().unwrap();
    SubjectPublicKeyInfoRef {
        algorithm: AlgorithmIdentifierRef {
            oid: dsa::OID,
            parameters: encoded.as_ref().map(|der| AnyRef::try_from(der.as_slice()).unwrap()),
        },
        subject_public_key: BitStringRef::from_bytes(&y).unwrap(),
    }
    .to_der()
    .unwrap()
}

#[test]
fn incomplete_parameters() {
    let key = &RFC_1024;
    assert!(PublicKey::from_spki_der(&spki(Some(&[key.p, key.q, key.g]), key.y)).is_ok());
    refused(PublicKey::from_spki_der(&spki(None, key.y)), "the parameters p, q and g are missing");
    refused(PublicKey::from_spki_der(&spki(Some(&[key.p, key.q]), key.y)), "2 parameters");
    refused(PublicKey::from_spki_der(&spki(Some(&[key.p, key.g, key.q]), key.y)), "q has 1019 bits");
    refused(PublicKey::from_spki_der(&spki(Some(&[key.p, key.q, key.g]), "1")), "y is out of range");
    let traditional = |fields: &[&str]| {
        let fields: Vec<_> = fields.iter().map(|hex| number(hex).to_be_bytes()).collect();
        fields.iter().map(|field| UintRef::new(field).unwrap()).collect::<Vec<_>>().to_der().unwrap()
    };
    let read = |fields: &[&str]| PrivateKey::from_traditional_der(&traditional(fields));
    assert!(read(&["0", key.p, key.q, key.g, key.y, key.x]).is_ok());
    refused(read(&["1", key.p, key.q, key.g, key.y, key.x]), "version is not 0");
    refused(read(&["0", key.p, key.q, key.g, key.y]), "5 integers");
    refused(read(&["0", key.p, key.q, key.g, key.g, key.x]), "y does not belong to x");
}

#[test]
fn a_pkcs8_key_that_carries_the_y_of_another() {
    let pair = &RFC_1024;
    let parameters = [pair.p, pair.q, pair.g].map(|hex| number(hex).to_be_bytes());
    let parameters =
        parameters.iter().map(|field| UintRef::new(field).unwrap()).collect::<Vec<_>>().to_der().unwrap();
    let integer = |hex: &str| UintRef::new(&number(hex).to_be_bytes()).unwrap().to_der().unwrap();
    let x = integer(pair.x);
    for (y, right) in [(pair.y, true), (pair.g, false)] {
        let y = integer(y);
        let key = PrivateKeyInfoRef {
            algorithm: AlgorithmIdentifierRef {
                oid: dsa::OID,
                parameters: Some(AnyRef::try_from(parameters.as_slice()).unwrap()),
            },
            private_key: OctetStringRef::new(&x).unwrap(),
            public_key: Some(BitStringRef::from_bytes(&y).unwrap()),
        };
        let read = PrivateKey::from_pkcs8_der(&key.to_der().unwrap());
        if right {
            assert_eq!(read.unwrap().public_key(), &public_key(pair));
        } else {
            refused(read, "y does not belong to x");
        }
    }
}

#[test]
fn no_damaged_key_is_accepted_and_none_panics() {
    let public = public_key(&RFC_1024).to_spki_der().unwrap();
    let private = private_key(&ODD_163).to_pkcs8_der().unwrap();
    for length in 0..public.len() {
        assert!(matches!(PublicKey::from_spki_der(&public[..length]), Err(Error::Key(_))));
    }
    for length in 0..private.len() {
        assert!(matches!(PrivateKey::from_pkcs8_der(&private[..length]), Err(Error::Key(_))));
    }
    let trailing = [&public[..], &[0]].concat();
    assert!(matches!(PublicKey::from_spki_der(&trailing), Err(Error::Key(_))));
    for position in 0..public.len() {
        for change in [0x01, 0x80] {
            let mut damaged = public.clone();
            damaged[position] ^= change;
            assert!(
                matches!(PublicKey::from_spki_der(&damaged), Err(Error::Key(_))),
                "byte {position} xor {change:#x}"
            );
        }
    }
    // A changed x is another key; every other change must be detected.
    let x_starts = private.len() - 21;
    for position in 0..x_starts {
        let mut damaged = private.to_vec();
        damaged[position] ^= 1;
        let read = PrivateKey::from_pkcs8_der(&damaged);
        assert!(matches!(read, Err(Error::Key(_))), "byte {position}");
    }
}
