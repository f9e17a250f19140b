//! Valid and invalid signatures.

use moduli::{
    Error,
    error::{ParameterError, SignatureError},
    scheme::rsa::{Hash, PublicKey, Scheme, Signature, Signer, Verifier},
};
use num_bigint::BigUint;
use signature::{
    RandomizedSigner, SignatureEncoding,
    hazmat::{PrehashVerifier, RandomizedPrehashSigner},
};

use crate::rsa::support::{Constant, Numbers, Seeded, big, boxed};

const HASHES: [Hash; 4] = [Hash::Sha224, Hash::Sha256, Hash::Sha384, Hash::Sha512];

fn bytes(signature: &Signature) -> Vec<u8> {
    signature.to_vec()
}

fn from(bytes: &[u8]) -> Signature {
    Signature::try_from(bytes).unwrap()
}

#[test]
fn every_scheme_at_every_length_of_the_top_byte() {
    for q_bits in 513..=521 {
        let numbers = Numbers::new(600, q_bits, 65_537);
        let key = std::sync::Arc::new(numbers.private().unwrap());
        let mut random = Seeded::new(u64::from(q_bits));
        for hash in HASHES {
            let schemes = [Scheme::pkcs1(hash), Scheme::pss(hash), Scheme::pss_with(hash, Hash::Sha1, 0)];
            for scheme in schemes {
                let signer = Signer::new(key.clone(), scheme).unwrap();
                let verifier = Verifier::new(signer.public_key().clone(), scheme);
                let signature = signer.sign(&mut random, b"text").unwrap();
                assert_eq!(bytes(&signature).len(), signer.public_key().bytes());
                verifier.verify(b"text", &signature).unwrap();
                assert!(verifier.verify(b"test", &signature).is_err());
                for other in schemes.into_iter().filter(|other| *other != scheme) {
                    let other = Verifier::new(signer.public_key().clone(), other);
                    assert!(other.verify(b"text", &signature).is_err());
                }
            }
        }
    }
}

#[test]
fn batches_are_signed_in_order() {
    let key = std::sync::Arc::new(Numbers::new(512, 513, 65_537).private().unwrap());
    let mut random = Seeded::new(11);
    for scheme in [Scheme::pkcs1(Hash::Sha256), Scheme::pss(Hash::Sha256)] {
        let signer = Signer::new(key.clone(), scheme).unwrap();
        let verifier = Verifier::new(signer.public_key().clone(), scheme);
        let messages: Vec<_> = (0..33).map(|i| format!("message {i}")).collect();
        let signatures = signer.sign_batch(&mut random, &messages).unwrap();
        assert_eq!(signatures.len(), messages.len());
        for (message, signature) in messages.iter().zip(&signatures) {
            verifier.verify(message.as_bytes(), signature).unwrap();
        }
        assert!(verifier.verify(messages[0].as_bytes(), &signatures[1]).is_err());
        assert_eq!(signer.sign_batch(&mut random, &[[0u8; 3]; 0]), Ok(vec![]));
        let dry = signer.sign_batch(&mut Constant(None), &messages);
        assert!(matches!(dry, Err(Error::Random(_))) || scheme == Scheme::pkcs1(Hash::Sha256));
    }
}

/// If n has 8·i + 1 bits, it has one byte more than the PSS encoding, and this byte must be 0.
#[test]
fn what_stands_above_the_encoding_counts() {
    let numbers = Numbers::new(600, 513, 65_537);
    let key = std::sync::Arc::new(numbers.private().unwrap());
    let scheme = Scheme::pss(Hash::Sha256);
    let signer = Signer::new(key.clone(), scheme).unwrap();
    let verifier = Verifier::new(signer.public_key().clone(), scheme);
    let mut random = Seeded::new(9);
    let above = BigUint::from(1u32) << 1112u32;
    let (signature, forged) = (0..200)
        .find_map(|_| {
            let signature = signer.sign(&mut random, b"text").unwrap();
            let encoded = BigUint::from_bytes_be(&bytes(&signature)).modpow(&numbers.e, &numbers.n);
            assert!(encoded < above);
            Some((signature, encoded + &above)).filter(|(_, forged)| *forged < numbers.n)
        })
        .unwrap();
    verifier.verify(b"text", &signature).unwrap();
    let forged = big(&key.sign_raw(&mut random, &boxed(&forged)).unwrap()).to_bytes_be();
    let padded = [vec![0; 140 - forged.len()], forged].concat();
    assert!(matches!(verifier.verify(b"text", &from(&padded)), Err(Error::Signature(_))));
}

#[test]
fn only_pss_signatures_depend_on_randomness() {
    let numbers = Numbers::new(512, 512, 65_537);
    let sign = |scheme, seed| {
        let signer = Signer::new(numbers.private().unwrap(), scheme).unwrap();
        signer.sign(&mut Seeded::new(seed), b"text").unwrap()
    };
    let (pkcs1, pss) = (Scheme::pkcs1(Hash::Sha256), Scheme::pss(Hash::Sha256));
    assert_eq!(sign(pkcs1, 1), sign(pkcs1, 2));
    assert_ne!(sign(pss, 1), sign(pss, 2));
    assert_eq!(sign(pss, 1), sign(pss, 1));
    let unsalted = Scheme::pss_with(Hash::Sha256, Hash::Sha256, 0);
    assert_eq!(sign(unsalted, 1), sign(unsalted, 2));
    let signer = Signer::new(numbers.private().unwrap(), pss).unwrap();
    let failed = signer.sign(&mut Constant(None), b"text");
    assert!(matches!(failed, Err(Error::Random(_))));
}

#[test]
fn salts_of_every_length_that_fits() {
    let numbers = Numbers::new(512, 512, 65_537);
    let key = std::sync::Arc::new(numbers.private().unwrap());
    // At most 128 bytes minus the digest and two.
    for salt in [0, 1, 31, 33, 93, 94] {
        let scheme = Scheme::pss_with(Hash::Sha256, Hash::Sha256, salt);
        assert_eq!(scheme.salt_bytes(), salt);
        let signer = Signer::new(key.clone(), scheme).unwrap();
        let signature = signer.sign(&mut Seeded::new(1), b"text").unwrap();
        Verifier::new(signer.public_key().clone(), scheme).verify(b"text", &signature).unwrap();
        // A verifier without a given length accepts any.
        let any = Verifier::new(signer.public_key().clone(), Scheme::pss(Hash::Sha256));
        any.verify(b"text", &signature).unwrap();
        assert!(any.verify(b"another", &signature).is_err());
        for other in [salt + 1, usize::MAX] {
            let other = Scheme::pss_with(Hash::Sha256, Hash::Sha256, other);
            assert!(Verifier::new(signer.public_key().clone(), other).verify(b"text", &signature).is_err());
        }
    }
    for salt in [95, 1000, usize::MAX] {
        let refused = Signer::new(key.clone(), Scheme::pss_with(Hash::Sha256, Hash::Sha256, salt)).err();
        assert!(
            matches!(refused, Some(Error::Parameter(ParameterError { name: "signature scheme", .. }))),
            "{salt}"
        );
    }
    // SHA-512 with a salt as long as the digest needs 130 bytes.
    let refused = Signer::new(key.clone(), Scheme::pss(Hash::Sha512)).err().unwrap();
    assert_eq!(refused.to_string(), "signature scheme: needs 130 bytes; this key has 128");
    for scheme in [Scheme::pkcs1(Hash::Sha1), Scheme::pss(Hash::Sha1)] {
        assert!(matches!(
            Signer::new(key.clone(), scheme),
            Err(Error::Parameter(ParameterError { name: "hash", .. }))
        ));
    }
}

#[test]
fn bad_signatures() {
    let numbers = Numbers::new(512, 512, 65_537);
    let scheme = Scheme::pkcs1(Hash::Sha256);
    let signer = Signer::new(numbers.private().unwrap(), scheme).unwrap();
    let verifier = Verifier::new(signer.public_key().clone(), scheme);
    let signature = signer.sign(&mut Seeded::new(1), b"text").unwrap();
    let good = bytes(&signature);
    let because = |bytes: &[u8], reason| {
        assert_eq!(verifier.verify(b"text", &from(bytes)), Err(Error::Signature(reason)));
    };
    because(&[&[0], &good[..]].concat(), SignatureError::NotModulusLength);
    because(&[&good[..], &[0]].concat(), SignatureError::NotModulusLength);
    let plus_n = (BigUint::from_bytes_be(&good) + &numbers.n).to_bytes_be();
    if plus_n.len() == good.len() {
        because(&plus_n, SignatureError::NotBelowModulus);
    }
    because(&numbers.n.to_bytes_be(), SignatureError::NotBelowModulus);
    because(&[0xff; 128], SignatureError::NotBelowModulus);
    because(&[0; 128], SignatureError::Mismatch);
    because(&(&numbers.n - 1u32).to_bytes_be(), SignatureError::Mismatch);
    for position in 0..good.len() {
        let mut damaged = good.clone();
        damaged[position] ^= 1;
        assert!(verifier.verify(b"text", &from(&damaged)).is_err(), "byte {position}");
    }
    for length in [0, 1, 127, 2049] {
        let refused = Signature::try_from(&vec![1; length][..]).err();
        assert_eq!(refused, Some(Error::Signature(SignatureError::NoKeyLength)), "{length}");
    }
    for length in [128, 129, 2048] {
        assert!(Signature::try_from(&vec![1; length][..]).is_ok(), "{length}");
    }
    let other: PublicKey = Numbers::new(513, 512, 65_537).public().unwrap();
    assert!(Verifier::new(other, scheme).verify(b"text", &signature).is_err());
}

#[test]
fn digests_and_traits() {
    let numbers = Numbers::new(512, 512, 65_537);
    let scheme = Scheme::pss(Hash::Sha256);
    let signer = Signer::new(numbers.private().unwrap(), scheme).unwrap();
    let verifier = Verifier::new(signer.public_key().clone(), scheme);
    assert_eq!((signer.scheme(), verifier.scheme(), scheme.hash()), (scheme, scheme, Hash::Sha256));
    let mut random = Seeded::new(1);
    let digest = Hash::Sha256.digest(b"text");
    let of_message = RandomizedSigner::try_sign_with_rng(&signer, &mut random, b"text").unwrap();
    let of_digest = signer.sign_prehash_with_rng(&mut random, &digest).unwrap();
    for signature in [&of_message, &of_digest] {
        signature::Verifier::verify(&verifier, b"text", signature).unwrap();
        verifier.verify_prehash(&digest, signature).unwrap();
        assert_eq!(from(&signature.to_bytes()), *signature);
    }
    for length in [0, 20, 31, 33] {
        let digest = vec![0; length];
        let named = |result: Result<(), Error>| {
            matches!(result, Err(Error::Parameter(ParameterError { name: "digest", .. })))
        };
        assert!(named(signer.sign_digest(&mut random, &digest).map(drop)));
        assert!(named(verifier.verify_digest(&digest, &of_message)));
    }
}
