//! Generates, writes and reads keys.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    scheme::dsa::{PrivateKey, PublicKey},
};

use crate::dsa::{
    openssl,
    pairs::{ODD_163, Pair, RFC_1024, RFC_2048},
    support::{Scripted, Seeded, big, group, number, private_key, public_key},
};

const PAIRS: [&Pair; 3] = [&RFC_1024, &RFC_2048, &ODD_163];

#[test]
fn keys_survive_writing_and_reading() {
    for pair in PAIRS {
        let (private, public) = (private_key(pair), public_key(pair));
        assert_eq!(private.public_key(), &public);
        let der = private.to_pkcs8_der().unwrap();
        let pem = private.to_pem().unwrap();
        for read in [PrivateKey::from_pkcs8_der(&der).unwrap(), PrivateKey::from_pem(&pem).unwrap()] {
            assert_eq!(read.secret(), &number(pair.x));
            assert_eq!(read.public_key(), &public);
        }
        assert_eq!(PublicKey::from_spki_der(&public.to_spki_der().unwrap()).unwrap(), public);
        assert_eq!(PublicKey::from_pem(&public.to_pem().unwrap()).unwrap(), public);
    }
}

#[test]
fn keys_are_written_as_openssl_writes_them() {
    assert_eq!(*private_key(&RFC_1024).to_pem().unwrap(), openssl::PKCS8);
    assert_eq!(public_key(&RFC_1024).to_pem().unwrap(), openssl::SPKI);
}

#[test]
fn keys_of_openssl_are_read_whatever_stands_around_them() {
    let parameters = "-----BEGIN DSA PARAMETERS-----\nAAAA\n-----END DSA PARAMETERS-----\n";
    for text in [
        openssl::TRADITIONAL.to_string(),
        format!("{parameters}{}", openssl::TRADITIONAL),
        format!("{parameters}{}", openssl::PKCS8),
        format!("a remark\n{}\n{}trailing\n", openssl::PKCS8, openssl::SPKI),
        openssl::PKCS8.replace('\n', "\r\n"),
    ] {
        let key = PrivateKey::from_pem(&text).unwrap();
        assert_eq!(key.secret(), &number(RFC_1024.x));
        assert_eq!(key.public_key(), &public_key(&RFC_1024));
    }
    assert!(PublicKey::from_pem(&format!("{}{}", openssl::PKCS8, openssl::SPKI)).is_ok());
}

#[test]
fn the_dsa_crate_reads_our_keys_and_we_read_its() {
    use dsa::pkcs8::{DecodePublicKey, EncodePublicKey};
    for pair in [&RFC_1024, &RFC_2048] {
        let ours = public_key(pair);
        let theirs = dsa::VerifyingKey::from_public_key_der(&ours.to_spki_der().unwrap()).unwrap();
        assert_eq!(big(theirs.y()), big(ours.y()));
        let back = theirs.to_public_key_der().unwrap();
        assert_eq!(PublicKey::from_spki_der(back.as_bytes()).unwrap(), ours);
    }
}

#[test]
fn the_secret_may_come_at_any_precision() {
    let wide = BoxedUint::from_be_slice(&number(RFC_1024.x).to_be_bytes(), 2048).unwrap();
    let key = PrivateKey::new(&group(&RFC_1024), &wide).unwrap();
    assert_eq!(key.public_key().y(), &number(RFC_1024.y));
    assert_eq!(key.secret().bits_precision(), 192);
}

#[test]
fn fresh_keys_lie_in_range_and_differ() {
    for pair in PAIRS {
        let group = group(pair);
        let mut rng = Seeded::new(1);
        let keys: Vec<_> = (0..4).map(|_| PrivateKey::generate(&group, &mut rng).unwrap()).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(*key.secret() < *group.q().value().as_ref());
            assert!(keys[..i].iter().all(|other| other.secret() != key.secret()));
            PublicKey::new(&group, key.public_key().y()).unwrap();
            let power = big(group.g()).modpow(&big(key.secret()), &big(group.p().value().as_ref()));
            assert_eq!(big(key.public_key().y()), power);
        }
    }
}

#[test]
fn candidates_out_of_range_are_drawn_again() {
    let group = group(&ODD_163);
    let q = group.q().value().as_ref().to_be_bytes_trimmed_vartime().to_vec();
    let mut last = q.clone();
    last[20] -= 1;
    // 0; all ones, which is above q even after the five unused bits are removed; q; q − 1.
    let mut rng = Scripted(vec![vec![0; 21], vec![0xff; 21], q, last.clone()]);
    let key = PrivateKey::generate(&group, &mut rng).unwrap();
    assert_eq!(key.secret(), &BoxedUint::from_be_slice_vartime(&last));
    assert!(rng.0.is_empty());
    let failed = PrivateKey::generate(&group, &mut rng).map(|_| ());
    assert!(matches!(failed, Err(Error::Random(_))));

    // Unused bits are removed, and do not cause a rejection.
    let mut rng = Scripted(vec![[vec![0xf8], vec![1; 20]].concat()]);
    let key = PrivateKey::generate(&group, &mut rng).unwrap();
    assert_eq!(key.secret(), &BoxedUint::from_be_slice_vartime(&[1; 20]));
}
