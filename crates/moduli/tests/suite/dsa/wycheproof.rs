//! Wycheproof's DSA tests. Policy: what is only `acceptable` there is refused here, as is everything `invalid`.

use moduli::{
    Error,
    scheme::dsa::{Hash, PublicKey, Verifier, signature_from_fixed},
};
use wycheproof::{
    HashFunction, TestResult,
    dsa::{TestName, TestSet},
};

fn run(name: TestName, verify: impl Fn(&Verifier, &[u8], &[u8]) -> Result<(), Error>) -> [usize; 2] {
    let set = TestSet::load(name).unwrap();
    let mut counts = [0, 0];
    for group in set.test_groups {
        let key = PublicKey::from_spki_der(&group.der).unwrap();
        assert_eq!(PublicKey::from_pem(&group.pem).unwrap(), key);
        let hash = match group.hash {
            HashFunction::Sha2_224 => Hash::Sha224,
            HashFunction::Sha2_256 => Hash::Sha256,
            other => panic!("{other:?} is new here"),
        };
        let verifier = Verifier::new(key, hash);
        for test in group.tests {
            let result = verify(&verifier, &test.msg, &test.sig);
            let valid = matches!(test.result, TestResult::Valid);
            assert_eq!(result.is_ok(), valid, "{name:?} {}: {}: {result:?}", test.tc_id, test.comment);
            counts[usize::from(valid)] += 1;
        }
    }
    assert_eq!(counts[0] + counts[1], set.number_of_tests);
    counts
}

#[test]
fn der_signatures() {
    for name in [
        TestName::Dsa2048_224Sha224,
        TestName::Dsa2048_224Sha256,
        TestName::Dsa2048_256Sha256,
        TestName::Dsa3072_256Sha256,
    ] {
        let [refused, verified] = run(name, Verifier::verify_der);
        println!("{name:?}: {verified} verified, {refused} refused");
        assert!(refused > 100 && verified > 30);
    }
}

#[test]
fn fixed_length_signatures() {
    for name in [
        TestName::Dsa2048_224Sha224P1363,
        TestName::Dsa2048_224Sha256P1363,
        TestName::Dsa2048_256Sha256P1363,
        TestName::Dsa3072_256Sha256P1363,
    ] {
        let [refused, verified] = run(name, |verifier, message, bytes| {
            verifier.verify(message, &signature_from_fixed(verifier.public_key().parameters(), bytes)?)
        });
        println!("{name:?}: {verified} verified, {refused} refused");
        assert!(refused > 30 && verified > 30);
    }
}
