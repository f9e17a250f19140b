//! Keys and signatures as DER and PEM: a key that is accepted is written as it was read, signs and verifies.

use core::convert::Infallible;

use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};
use moduli::{
    Error, MemorySize,
    scheme::{dsa, rsa},
};
use pkcs8::der::Encode;

use crate::input::Input;

/// The longest modulus that is used in computations.
const MOST_BITS: u32 = 2048;

const MESSAGE: &[u8] = b"message";

/// The same bytes every time, so a finding can be reproduced.
struct Fixed;

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0x5a5a_5a5a)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0x5a5a_5a5a_5a5a_5a5a)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0x5a);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

/// The key, or nothing if it is refused. The error must be one of keys.
fn taken<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(key) => Some(key),
        Err(Error::Key(_)) => None,
        Err(error) => panic!("another error than that of a key: {error}"),
    }
}

fn dsa_public(key: &dsa::PublicKey, signature: &[u8]) {
    let again = key.to_spki_der().expect("it can be written");
    assert!(*key == dsa::PublicKey::from_spki_der(&again).expect("it was written so"));
    let pem = key.to_pem().expect("it can be written");
    assert!(*key == dsa::PublicKey::from_pem(&pem).expect("it was written so"));
    if key.parameters().p().bits() <= MOST_BITS {
        let verifier = dsa::Verifier::new(key.clone(), dsa::Hash::Sha256);
        let _ = verifier.verify_der(MESSAGE, signature);
        if let Ok(signature) = dsa::signature_from_fixed(key.parameters(), signature) {
            let _ = verifier.verify(MESSAGE, &signature);
        }
    }
}

fn dsa_private(key: dsa::PrivateKey) {
    let again = key.to_pkcs8_der().expect("it can be written");
    let again = dsa::PrivateKey::from_pkcs8_der(&again).expect("it was written so");
    assert!(again.secret() == key.secret() && again.public_key() == key.public_key());
    let pem = key.to_pem().expect("it can be written");
    assert!(dsa::PrivateKey::from_pem(&pem).expect("it was written so").secret() == key.secret());
    dsa_public(key.public_key(), &[]);
    if key.parameters().p().bits() <= MOST_BITS {
        let verifier = dsa::Verifier::new(key.public_key().clone(), dsa::Hash::Sha256);
        let signer =
            dsa::Signer::new(key, dsa::Hash::Sha256, MemorySize::kib(4)).expect("4 KiB hold a table");
        match signer.sign(MESSAGE) {
            Ok(signature) => verifier.verify(MESSAGE, &signature).expect("it was signed so"),
            // p and q may be composite.
            Err(Error::Fault | Error::NotInvertible { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn rsa_public(key: &rsa::PublicKey, signature: &[u8]) {
    let again = key.to_spki_der().expect("it can be written");
    assert!(*key == rsa::PublicKey::from_spki_der(&again).expect("it was written so"));
    let pem = key.to_pem().expect("it can be written");
    assert!(*key == rsa::PublicKey::from_pem(&pem).expect("it was written so"));
    if key.n().bits() <= MOST_BITS {
        let mut padded = vec![0; key.bytes().saturating_sub(signature.len())];
        padded.extend(signature);
        for bytes in [signature, &padded] {
            let Ok(signature) = rsa::Signature::try_from(bytes) else { continue };
            for scheme in [rsa::Scheme::pss(rsa::Hash::Sha256), rsa::Scheme::pkcs1(rsa::Hash::Sha512)] {
                let _ = rsa::Verifier::new(key.clone(), scheme).verify(MESSAGE, &signature);
            }
        }
    }
}

fn rsa_private(key: &rsa::PrivateKey) {
    let public = key.public_key();
    rsa_public(public, &[]);
    if public.n().bits() <= MOST_BITS {
        let m = BoxedUint::from(0x1234_5678u64);
        match key.sign_raw(&mut Fixed, &m) {
            Ok(power) => assert!(public.encrypt_raw(&power).expect("it is below n") == m),
            // p and q may be composite.
            Err(Error::Fault) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// The first byte says what the rest is: DER or text. A signature follows its key, with its length before it.
pub fn keys(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 4 {
        0 => der(input.rest(), &[]),
        1 => pem(&String::from_utf8_lossy(input.rest())),
        2 => {
            let length = input.word(2) as usize;
            let signature = input.take(length);
            der(input.rest(), signature);
        }
        _ => signature(input.rest()),
    }
}

fn der(bytes: &[u8], signature: &[u8]) {
    if let Some(key) = taken(dsa::PublicKey::from_spki_der(bytes)) {
        assert!(key.to_spki_der().expect("it can be written") == bytes, "a key has two encodings");
        dsa_public(&key, signature);
    }
    [dsa::PrivateKey::from_pkcs8_der(bytes), dsa::PrivateKey::from_traditional_der(bytes)]
        .into_iter()
        .filter_map(taken)
        .for_each(dsa_private);
    for key in [rsa::PublicKey::from_spki_der(bytes), rsa::PublicKey::from_pkcs1_der(bytes)] {
        taken(key).iter().for_each(|key| rsa_public(key, signature));
    }
    for key in [rsa::PrivateKey::from_pkcs8_der(bytes), rsa::PrivateKey::from_pkcs1_der(bytes)] {
        taken(key).iter().for_each(rsa_private);
    }
}

fn pem(text: &str) {
    taken(dsa::PublicKey::from_pem(text)).iter().for_each(|key| dsa_public(key, &[]));
    taken(dsa::PrivateKey::from_pem(text)).into_iter().for_each(dsa_private);
    taken(rsa::PublicKey::from_pem(text)).iter().for_each(|key| rsa_public(key, &[]));
    taken(rsa::PrivateKey::from_pem(text)).iter().for_each(rsa_private);
}

fn signature(bytes: &[u8]) {
    match dsa::signature_from_der(bytes) {
        Ok(signature) => {
            assert!(signature.to_der().expect("it can be written") == bytes, "a signature has two encodings");
        }
        Err(Error::Signature(_)) => {}
        Err(error) => panic!("another error than that of a signature: {error}"),
    }
}
