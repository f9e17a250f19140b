//! Wycheproof's DSA tests. The library must reject tests that are only `acceptable`, like the
//! `invalid` ones.

use moduli::{
    Error,
    scheme::dsa::{Hash, PublicKey, Verifier, signature_from_fixed},
};
use testing::wycheproof::{Release, set};

fn run(name: &str, verify: impl Fn(&Verifier, &[u8], &[u8]) -> Result<(), Error>) -> [usize; 2] {
    let (groups, number_of_tests) = set(Release::Current, name).groups();
    let mut counts = [0, 0];
    for group in groups {
        let key = PublicKey::from_spki_der(&group.bytes("publicKeyDer")).unwrap();
        assert_eq!(PublicKey::from_pem(group.text("publicKeyPem")).unwrap(), key);
        let hash = match group.text("sha") {
            "SHA-224" => Hash::Sha224,
            "SHA-256" => Hash::Sha256,
            other => panic!("{other} is new here"),
        };
        let verifier = Verifier::new(key, hash);
        for test in group.tests() {
            let result = verify(&verifier, &test.bytes("msg"), &test.bytes("sig"));
            let valid = test.is_valid();
            assert_eq!(result.is_ok(), valid, "{name} {}: {result:?}", test.name());
            counts[usize::from(valid)] += 1;
        }
    }
    assert_eq!(counts[0] + counts[1], number_of_tests);
    counts
}

#[test]
fn der_signatures() {
    for name in ["dsa_2048_224_sha224", "dsa_2048_224_sha256", "dsa_2048_256_sha256", "dsa_3072_256_sha256"] {
        let [refused, verified] = run(name, Verifier::verify_der);
        println!("{name}: {verified} verified, {refused} refused");
        assert!(refused > 100 && verified > 30);
    }
}

#[test]
fn fixed_length_signatures() {
    for name in [
        "dsa_2048_224_sha224_p1363",
        "dsa_2048_224_sha256_p1363",
        "dsa_2048_256_sha256_p1363",
        "dsa_3072_256_sha256_p1363",
    ] {
        let [refused, verified] = run(name, |verifier, message, bytes| {
            verifier.verify(message, &signature_from_fixed(verifier.public_key().parameters(), bytes)?)
        });
        println!("{name}: {verified} verified, {refused} refused");
        assert!(refused > 30 && verified > 30);
    }
}
