//! Wycheproof's RSA tests. The library must reject tests that are only `acceptable`, like the
//! `invalid` ones.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    scheme::rsa::{Hash, PrivateKey, PublicKey, Scheme, Signature, Signer, Verifier},
};
use signature::SignatureEncoding;
use testing::wycheproof::{Release, set};

use crate::rsa::support::Seeded;

/// Returns `None` for a hash function that is not supported.
fn hash(name: &str) -> Option<Hash> {
    match name {
        "SHA-1" => Some(Hash::Sha1),
        "SHA-224" => Some(Hash::Sha224),
        "SHA-256" => Some(Hash::Sha256),
        "SHA-384" => Some(Hash::Sha384),
        "SHA-512" => Some(Hash::Sha512),
        "SHA-512/224" | "SHA-512/256" | "SHAKE128" | "SHAKE256" => None,
        other => panic!("{other} is new here"),
    }
}

fn verify(verifier: &Verifier, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    verifier.verify(message, &Signature::try_from(signature)?)
}

/// `rsa_sig_gen_misc`, which later releases call `rsa_pkcs1_*_sig_gen`.
#[test]
fn generated_signatures() {
    let (groups, number_of_tests) = set(Release::Generation, "rsa_sig_gen_misc").groups();
    let (mut signed, mut random) = (0, Seeded::new(1));
    for group in groups {
        let hash = hash(group.text("sha")).unwrap();
        let key = PrivateKey::from_pem(group.text("privateKeyPem")).unwrap();
        assert_eq!(key.public_key(), &PublicKey::from_pem(group.text("keyPem")).unwrap());
        assert_eq!(key.public_key(), &PublicKey::from_spki_der(&group.bytes("keyDer")).unwrap());
        assert_eq!(key.public_key(), &PublicKey::from_pkcs1_der(&group.bytes("keyAsn")).unwrap());
        let scheme = Scheme::pkcs1(hash);
        let verifier = Verifier::new(key.public_key().clone(), scheme);
        if hash == Hash::Sha1 {
            // The library does not sign with this hash function. The test applies the primitive to
            // each signature's message representative and compares the signature.
            for test in group.tests() {
                let s = BoxedUint::from_be_slice_vartime(&test.bytes("sig"));
                let m = key.public_key().encrypt_raw(&s).unwrap();
                assert_eq!(key.sign_raw(&mut random, &m).unwrap(), s);
                verify(&verifier, &test.bytes("msg"), &test.bytes("sig")).unwrap();
                signed += 1;
            }
            continue;
        }
        let signer = Signer::new(key, scheme).unwrap();
        for test in group.tests() {
            let signature = signer.sign(&mut random, &test.bytes("msg")).unwrap();
            assert_eq!(signature.to_vec(), test.bytes("sig"), "{}", test.name());
            verify(&verifier, &test.bytes("msg"), &test.bytes("sig")).unwrap();
            signed += 1;
        }
    }
    assert_eq!(signed, number_of_tests);
    println!("{signed} signed");
}

#[test]
fn pkcs1_signatures() {
    let mut counts = [0, 0];
    for name in [
        "rsa_signature_2048_sha224",
        "rsa_signature_2048_sha256",
        "rsa_signature_2048_sha384",
        "rsa_signature_2048_sha512",
        "rsa_signature_3072_sha256",
        "rsa_signature_3072_sha384",
        "rsa_signature_3072_sha512",
        "rsa_signature_4096_sha256",
        "rsa_signature_4096_sha384",
        "rsa_signature_4096_sha512",
        "rsa_signature_8192_sha256",
        "rsa_signature_8192_sha384",
        "rsa_signature_8192_sha512",
    ] {
        for group in set(Release::Current, name).groups().0 {
            let key = PublicKey::from_spki_der(&group.bytes("publicKeyDer")).unwrap();
            assert_eq!(PublicKey::from_pem(group.text("publicKeyPem")).unwrap(), key);
            assert_eq!(PublicKey::from_pkcs1_der(&group.bytes("publicKeyAsn")).unwrap(), key);
            let verifier = Verifier::new(key, Scheme::pkcs1(hash(group.text("sha")).unwrap()));
            for test in group.tests() {
                let result = verify(&verifier, &test.bytes("msg"), &test.bytes("sig"));
                let valid = test.is_valid();
                assert_eq!(result.is_ok(), valid, "{name} {}: {result:?}", test.name());
                counts[usize::from(valid)] += 1;
            }
        }
    }
    println!("{} verified, {} refused", counts[1], counts[0]);
    assert!(counts[0] > 1000 && counts[1] > 80);
}

/// All files for PSS.
const PSS: [&str; 26] = [
    "rsa_pss_2048_sha1_mgf1_20_params",
    "rsa_pss_2048_sha1_mgf1_20",
    "rsa_pss_2048_sha256_mgf1_0_params",
    "rsa_pss_2048_sha256_mgf1_0",
    "rsa_pss_2048_sha256_mgf1_32_params",
    "rsa_pss_2048_sha256_mgf1_32",
    "rsa_pss_2048_sha256_mgf1sha1_20",
    "rsa_pss_2048_sha384_mgf1_48",
    "rsa_pss_2048_sha512_224_mgf1_28",
    "rsa_pss_2048_sha512_256_mgf1_32",
    "rsa_pss_2048_sha512_mgf1sha256_32_params",
    "rsa_pss_2048_shake128",
    "rsa_pss_2048_shake256",
    "rsa_pss_3072_sha256_mgf1_32_params",
    "rsa_pss_3072_sha256_mgf1_32",
    "rsa_pss_3072_shake128",
    "rsa_pss_3072_shake256",
    "rsa_pss_4096_sha256_mgf1_32",
    "rsa_pss_4096_sha384_mgf1_48",
    "rsa_pss_4096_sha512_mgf1_32_params",
    "rsa_pss_4096_sha512_mgf1_32",
    "rsa_pss_4096_sha512_mgf1_64_params",
    "rsa_pss_4096_sha512_mgf1_64",
    "rsa_pss_4096_shake256",
    "rsa_pss_misc_params",
    "rsa_pss_misc",
];

#[test]
fn pss_signatures() {
    let (mut counts, mut others) = ([0, 0], 0);
    for name in PSS {
        for group in set(Release::Current, name).groups().0 {
            let mask_hash = match group.text("mgfSha") {
                "" => group.text("sha"),
                named => named,
            };
            let (Some(hash), Some(mask_hash)) = (hash(group.text("sha")), hash(mask_hash)) else {
                others += 1;
                continue;
            };
            // The SubjectPublicKeyInfo may contain an RSASSA-PSS key, which is of another kind; the
            // PKCS#1 form is always present.
            let key = PublicKey::from_pkcs1_der(&group.bytes("publicKeyAsn")).unwrap();
            let verifier = Verifier::new(key, Scheme::pss_with(hash, mask_hash, group.number("sLen")));
            for test in group.tests() {
                let result = verify(&verifier, &test.bytes("msg"), &test.bytes("sig"));
                let valid = test.is_valid();
                assert_eq!(result.is_ok(), valid, "{name} {}: {result:?}", test.name());
                counts[usize::from(valid)] += 1;
            }
        }
    }
    println!("{} verified, {} refused; {others} groups of other hash functions", counts[1], counts[0]);
    assert!(counts[0] > 500 && counts[1] > 300);
}

#[test]
fn decryptions() {
    let (mut right, mut refused, mut random) = (0, 0, Seeded::new(2));
    for name in ["rsa_pkcs1_2048", "rsa_pkcs1_3072", "rsa_pkcs1_4096"] {
        for group in set(Release::Current, name).groups().0 {
            let key = PrivateKey::from_pkcs8_der(&group.bytes("privateKeyPkcs8")).unwrap();
            assert_eq!(
                key.public_key(),
                PrivateKey::from_pem(group.text("privateKeyPem")).unwrap().public_key()
            );
            for test in group.tests() {
                let c = BoxedUint::from_be_slice_vartime(&test.bytes("ct"));
                let Ok(m) = key.decrypt_raw(&mut random, &c) else {
                    assert!(c >= *key.public_key().n().value().as_ref(), "{}", test.name());
                    refused += 1;
                    continue;
                };
                assert_eq!(key.public_key().encrypt_raw(&m).unwrap(), c, "{}", test.name());
                if test.is_valid() {
                    // 0 2 padding 0 message.
                    let (bytes, plain) = (m.to_be_bytes(), test.bytes("msg"));
                    assert_eq!(bytes[..2], [0, 2]);
                    let message = &bytes[bytes.len() - plain.len()..];
                    assert_eq!((bytes[bytes.len() - plain.len() - 1], message), (0, &plain[..]));
                    right += 1;
                }
            }
        }
    }
    println!("{right} decrypted, {refused} not below n");
    assert!(right > 30 && refused > 0);
}
