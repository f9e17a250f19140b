//! DSA (FIPS 186-3 and 186-2).

use std::collections::BTreeMap;

use crypto_bigint::BoxedUint;
use moduli::{
    Error, FixedBase,
    error::SignatureError,
    scheme::dsa::{DomainParameters, Hash, PrivateKey, PublicKey, Signature, Signer, Verifier},
};

use crate::nist::cases::{Case, cases};

impl Case {
    fn group(&self) -> Result<DomainParameters, Error> {
        DomainParameters::new(&self.number("P"), &self.number("Q"), &self.number("G"))
    }

    /// The hash function in the section's heading; SHA-1 if there is none, as in FIPS 186-2.
    fn hash(&self) -> Hash {
        let name = self.section.split(", ").find(|part| part.starts_with("SHA-")).unwrap_or("SHA-1");
        Hash::named(&name.replace("SHA-", "sha")).unwrap()
    }
}

/// The text of a file of vectors.
fn read(name: &str) -> String {
    crate::nist::cases::read(&format!("DSA/{name}"))
}

fn key_pairs(file: &str) -> usize {
    let cases = cases(&read(file), "Y");
    for case in &cases {
        let group = case.group().unwrap();
        let key = PrivateKey::new(&group, &case.number("X")).unwrap();
        assert_eq!(key.public_key().y(), &case.number("Y"), "{}", case.section);
        assert!(PrivateKey::from_pair(&group, &case.number("X"), &case.number("Y")).is_ok());
    }
    cases.len()
}

#[test]
#[ignore = "needs the vectors: make test"]
fn key_pairs_have_the_published_y() {
    assert_eq!(key_pairs("FIPS_186-3/KeyPair.rsp"), 40);
    assert_eq!(key_pairs("FIPS_186-2/KeyPair.rsp"), 10);
}

fn signatures(file: &str) -> usize {
    let cases = cases(&read(file), "S");
    for case in &cases {
        let key =
            PrivateKey::from_pair(&case.group().unwrap(), &case.number("X"), &case.number("Y")).unwrap();
        let verifier = Verifier::new(key.public_key().clone(), case.hash());
        let table = FixedBase::builder(key.parameters().p(), key.parameters().g())
            .exponent_bits(key.parameters().q().bits())
            .method("comb:5,2".parse().unwrap())
            .build()
            .unwrap();
        let signer = Signer::with_table(key, Hash::Sha256, table).unwrap();
        let message = case.bytes("Msg");
        let digest = case.hash().digest(&message);
        let nonce = case.number("K");
        let signature = signer.sign_digest_for_tests(case.hash(), &digest, Some(&nonce)).unwrap();
        let expected = Signature::from_components(case.number("R"), case.number("S")).unwrap();
        assert_eq!(signature, expected, "{}", case.section);
        verifier.verify(&message, &signature).unwrap();
    }
    cases.len()
}

#[test]
#[ignore = "needs the vectors: make test"]
fn signatures_with_the_published_nonces() {
    assert_eq!(signatures("FIPS_186-3/SigGen.txt"), 300);
    assert_eq!(signatures("FIPS_186-2/SigGen.txt"), 15);
}

/// The numbers of verified and of rejected signatures. Some are rejected because of their keys.
fn verifications(file: &str) -> [usize; 2] {
    let mut counts = [0, 0];
    for case in cases(&read(file), "Result") {
        let result = (|| {
            let key = PublicKey::new(&case.group().unwrap(), &case.number("Y"))?;
            let malformed = Error::Signature(SignatureError::Zero);
            let signature =
                Signature::from_components(case.number("R"), case.number("S")).ok_or(malformed)?;
            Verifier::new(key, case.hash()).verify(&case.bytes("Msg"), &signature)
        })();
        let expected = case.fields["Result"].starts_with('P');
        assert_eq!(result.is_ok(), expected, "{} {}: {result:?}", case.section, case.fields["Result"]);
        counts[usize::from(!expected)] += 1;
    }
    counts
}

#[test]
#[ignore = "needs the vectors: make test"]
fn verification_agrees() {
    assert_eq!(verifications("FIPS_186-3/SigVer.rsp"), [140, 160]);
    assert_eq!(verifications("FIPS_186-2/SigVer.rsp"), [7, 8]);
}

/// Domain parameters with a verdict. Cases that [`DomainParameters::new`] does not check (the
/// primality of p, and the derivation of p, q and g from the seed) are counted separately and
/// printed.
#[test]
#[ignore = "needs the vectors: make test"]
fn bad_domain_parameters_are_refused() {
    let text = read("FIPS_186-3/PQGVer.rsp");
    let mut counts = BTreeMap::<String, usize>::new();
    let mut count = |what: &str| *counts.entry(what.to_string()).or_default() += 1;
    // The parts with only p and q come first, then those with g.
    let split = text.find("[A.2.2").expect("a part A.2.2");
    for case in cases(&text[..split], "Result") {
        let result = DomainParameters::new(&case.number("P"), &case.number("Q"), &BoxedUint::from(2u64));
        let divides =
            !matches!(&result, Err(Error::Key(error)) if error.to_string().contains("q does not divide"));
        let verdict = case.fields["Result"].to_lowercase();
        let expected = !(verdict.contains("div p-1") || verdict.contains("divide (p - 1)"));
        match verdict.split_once('(').map(|(_, why)| why.trim_end_matches(')')) {
            Some("p not prime") => count("p, q: not decided here: p not prime"),
            Some(why) if why.contains("seed") => count("p, q: not decided here: from another seed"),
            _ => {
                assert_eq!(divides, expected, "{verdict}");
                count(if expected { "p, q: accepted" } else { "p, q: refused" });
            }
        }
    }
    for case in cases(&text[split..], "Result") {
        let valid = case.fields["Result"].starts_with('P');
        match (case.group(), valid) {
            (Ok(_), true) => count("g: accepted"),
            (Err(_), false) => count("g: refused"),
            (result, _) => panic!("{}: {result:?}", case.fields["Result"]),
        }
    }
    println!("{counts:#?}");
    assert_eq!(counts["p, q: accepted"], 60);
    assert_eq!(counts["p, q: refused"], 30);
    assert_eq!(counts["p, q: not decided here: p not prime"], 30);
    assert_eq!(counts["p, q: not decided here: from another seed"], 30);
    assert_eq!(counts["g: accepted"], 60);
    assert_eq!(counts["g: refused"], 90);
}

#[test]
#[ignore = "needs the vectors: make test"]
fn a_nilpotent_generator_is_refused() {
    assert!(matches!(PrivateKey::from_pem(&read("custom/nilpotent.pem")), Err(Error::Key(_))));
}
