//! Makes, verifies, damages and encodes signatures.

use std::sync::Arc;

use crypto_bigint::BoxedUint;
use moduli::{
    Error, FixedBase, MemorySize,
    error::{ParameterError, SignatureError},
    scheme::dsa::{
        Hash, Signature, Signer, Verifier, signature_from_der, signature_from_fixed, signature_to_fixed,
    },
};
use num_bigint::BigUint;
use signature::{
    SignatureEncoding,
    hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner},
};

use crate::dsa::{
    pairs::{ODD_163, Pair, RFC_1024, RFC_2048},
    support::{
        Scripted, Seeded, big, boxed, group, number, private_key, public_key, signer, table, verifier,
    },
};

const PAIRS: [&Pair; 3] = [&RFC_1024, &RFC_2048, &ODD_163];
const SIGNING: [Hash; 4] = [Hash::Sha224, Hash::Sha256, Hash::Sha384, Hash::Sha512];

const NOT_THIS: Error = Error::Signature(SignatureError::Mismatch);

/// FIPS 186-4, 4.7, with num-bigint.
fn oracle(pair: &Pair, digest: &[u8], signature: &Signature) -> bool {
    let [p, q, g, y] = [pair.p, pair.q, pair.g, pair.y].map(|hex| big(&number(hex)));
    let (r, s) = (big(signature.r()), big(signature.s()));
    let h = BigUint::from_bytes_be(digest) >> (8 * digest.len() as u64).saturating_sub(q.bits());
    let w = s.modpow(&(&q - 2u32), &q);
    let (u1, u2) = (h * &w % &q, &r * &w % &q);
    g.modpow(&u1, &p) * y.modpow(&u2, &p) % &p % &q == r
}

#[test]
fn signatures_verify_here_and_elsewhere() {
    use dsa::pkcs8::DecodePublicKey;
    for pair in PAIRS {
        for hash in SIGNING {
            let (signer, verifier) = (signer(pair, hash), verifier(pair, hash));
            for message in [&b""[..], b"a", &[0x5a; 1000]] {
                let digest = hash.digest(message);
                let signature = signer.sign(message).unwrap();
                verifier.verify(message, &signature).unwrap();
                verifier.verify_der(message, &signature.to_bytes()).unwrap();
                assert_eq!(signer.sign_digest(&digest).unwrap(), signature);
                assert!(oracle(pair, &digest, &signature));
                if pair.q != ODD_163.q {
                    let der = public_key(pair).to_spki_der().unwrap();
                    let theirs = dsa::VerifyingKey::from_public_key_der(&der).unwrap();
                    theirs.verify_prehash(&digest, &signature).unwrap();
                }
            }
        }
    }
}

#[test]
fn hedged_signatures_differ_and_verify() {
    let (signer, verifier) = (signer(&RFC_2048, Hash::Sha256), verifier(&RFC_2048, Hash::Sha256));
    let mut rng = Seeded::new(7);
    let first = signer.sign_hedged(&mut rng, b"sample").unwrap();
    let second = signer.sign_hedged(&mut rng, b"sample").unwrap();
    assert_ne!(first, second);
    assert_ne!(first, signer.sign(b"sample").unwrap());
    for signature in [&first, &second] {
        verifier.verify(b"sample", signature).unwrap();
    }
    assert_eq!(signer.sign_hedged(&mut Seeded::new(7), b"sample").unwrap(), first);

    let failed = signer.sign_hedged(&mut Scripted(vec![]), b"sample");
    assert!(matches!(failed, Err(Error::Random(_))));
    // The system's generator.
    verifier.verify(b"x", &signer.sign_hedged(&mut getrandom::SysRng, b"x").unwrap()).unwrap();
}

#[test]
fn the_hedged_nonce_is_that_of_section_3_6() {
    // k' = 00 01 … 1f; computed by another program from the definition.
    let signer = signer(&ODD_163, Hash::Sha256);
    let mut rng = Scripted(vec![(0..32).collect()]);
    let signature = signer.sign_hedged(&mut rng, b"sample").unwrap();
    assert_eq!(signature.r().as_ref(), &number("38749823C8E63D6DD8DC4222AAD6B096B29D64482"));
    assert_eq!(signature.s().as_ref(), &number("38CBA2E5D0AF200EDD0996149C4AF83882C94CBA6"));
}

#[test]
fn no_flipped_bit_goes_unseen() {
    let (signer, verifier) = (signer(&RFC_1024, Hash::Sha256), verifier(&RFC_1024, Hash::Sha256));
    let message = b"the message";
    let signature = signer.sign(message).unwrap();
    let fixed = signature_to_fixed(&group(&RFC_1024), &signature).unwrap();
    for bit in 0..8 * fixed.len() {
        let mut damaged = fixed.clone();
        damaged[bit / 8] ^= 0x80 >> (bit % 8);
        let damaged = signature_from_fixed(&group(&RFC_1024), &damaged).unwrap();
        assert!(matches!(verifier.verify(message, &damaged), Err(Error::Signature(_))), "bit {bit}");
    }
    for bit in 0..8 * message.len() {
        let mut damaged = *message;
        damaged[bit / 8] ^= 0x80 >> (bit % 8);
        assert_eq!(verifier.verify(&damaged, &signature), Err(NOT_THIS));
    }
    let der = signature.to_vec();
    for bit in 0..8 * der.len() {
        let mut damaged = der.clone();
        damaged[bit / 8] ^= 0x80 >> (bit % 8);
        assert!(matches!(verifier.verify_der(message, &damaged), Err(Error::Signature(_))), "bit {bit}");
    }
}

#[test]
fn other_keys_hashes_and_ranges_are_refused() {
    let message = b"sample";
    let signature = signer(&RFC_2048, Hash::Sha256).sign(message).unwrap();
    let right = verifier(&RFC_2048, Hash::Sha256);
    right.verify(message, &signature).unwrap();
    assert_eq!(verifier(&RFC_2048, Hash::Sha512).verify(message, &signature), Err(NOT_THIS));
    let other = moduli::scheme::dsa::PrivateKey::new(&group(&RFC_2048), &BoxedUint::from(2u64)).unwrap();
    let wrong_key = Verifier::new(other.public_key().clone(), Hash::Sha256);
    assert_eq!(wrong_key.verify(message, &signature), Err(NOT_THIS));

    // r and s are numbers below q, not residue classes modulo q.
    let (r, s, q) = (signature.r().as_ref(), signature.s().as_ref(), number(RFC_2048.q));
    let plus_q = |x: &BoxedUint| boxed(&(big(x) + big(&q)));
    let above = Err(Error::Signature(SignatureError::NotBelowOrder));
    for (r, s) in
        [(plus_q(r), s.clone()), (r.clone(), plus_q(s)), (q.clone(), s.clone()), (r.clone(), q.clone())]
    {
        assert_eq!(right.verify(message, &Signature::from_components(r, s).unwrap()), above);
    }
    // (r, −s) must not verify, nor must the exchanged numbers.
    let minus = boxed(&(big(&q) - big(s)));
    let negated = Signature::from_components(r.clone(), minus).unwrap();
    assert_eq!(right.verify(message, &negated), Err(NOT_THIS));
    let swapped = Signature::from_components(s.clone(), r.clone()).unwrap();
    assert_eq!(right.verify(message, &swapped), Err(NOT_THIS));
}

#[test]
fn sha1_verifies_but_does_not_sign() {
    let refused = {
        let table = table(&RFC_1024, 160, "radix:4");
        Signer::with_table(private_key(&RFC_1024), Hash::Sha1, table).map(|_| ())
    };
    assert!(matches!(refused, Err(Error::Parameter(ParameterError { name: "hash", .. }))));
    let signer = signer(&RFC_1024, Hash::Sha256);
    let signature = signer.sign_digest_for_tests(Hash::Sha1, &Hash::Sha1.digest(b"old"), None).unwrap();
    verifier(&RFC_1024, Hash::Sha1).verify(b"old", &signature).unwrap();
}

#[test]
fn digests_of_another_length_are_refused() {
    let signer = signer(&RFC_1024, Hash::Sha256);
    let verifier = verifier(&RFC_1024, Hash::Sha256);
    let signature = signer.sign(b"m").unwrap();
    for length in [0, 20, 31, 33, 64] {
        let digest = vec![1; length];
        let failed = signer.sign_digest(&digest);
        assert!(matches!(failed, Err(Error::Parameter(ParameterError { name: "digest", .. }))), "{length}");
        let failed = verifier.verify_digest(&digest, &signature);
        assert!(matches!(failed, Err(Error::Parameter(ParameterError { name: "digest", .. }))), "{length}");
    }
}

#[test]
fn nonces_out_of_range_or_without_a_signature_are_refused() {
    let signer = signer(&RFC_2048, Hash::Sha256);
    let digest = Hash::Sha256.digest(b"m");
    let q = number(RFC_2048.q);
    for k in [BoxedUint::zero(), q.clone(), boxed(&(big(&q) + 1u32)), number(RFC_2048.p)] {
        let failed = signer.sign_digest_for_tests(Hash::Sha256, &digest, Some(&k));
        assert!(matches!(failed, Err(Error::Parameter(ParameterError { name: "nonce", .. }))));
    }
    let largest = boxed(&(big(&q) - 1u32));
    let signature = signer.sign_digest_for_tests(Hash::Sha256, &digest, Some(&largest)).unwrap();
    assert!(oracle(&RFC_2048, &digest, &signature));

    // h = −x·r makes s = 0.
    let k = BoxedUint::from(5u64);
    let [p, q, g, x] = [RFC_2048.p, RFC_2048.q, RFC_2048.g, RFC_2048.x].map(|hex| big(&number(hex)));
    let r = g.modpow(&BigUint::from(5u32), &p) % &q;
    let h = &q - x * r % &q;
    let mut digest = vec![0; 32];
    let bytes = h.to_bytes_be();
    digest[32 - bytes.len()..].copy_from_slice(&bytes);
    let failed = signer.sign_digest_for_tests(Hash::Sha256, &digest, Some(&k));
    assert!(
        matches!(failed, Err(Error::Parameter(ParameterError { name: "nonce", reason, .. })) if reason.to_string().contains("s = 0"))
    );
}

#[test]
fn a_batch_is_its_messages_one_by_one() {
    let signer = signer(&RFC_1024, Hash::Sha384);
    let messages: Vec<Vec<u8>> = (0..50u8).map(|i| vec![i; usize::from(i)]).collect();
    let batch = signer.sign_batch(&messages).unwrap();
    assert_eq!(batch.len(), 50);
    for (message, signature) in messages.iter().zip(&batch) {
        assert_eq!(&signer.sign(message).unwrap(), signature);
    }
    assert!(signer.sign_batch::<&[u8]>(&[]).unwrap().is_empty());
}

#[test]
fn every_table_gives_the_same_signatures() {
    let expected = signer(&RFC_1024, Hash::Sha256).sign(b"m").unwrap();
    let bad = Signature::from_components(expected.r().as_ref().clone(), BoxedUint::one()).unwrap();
    for method in ["radix:16", "comb:5,2", "m0m1:19,6", "residue-digits:19,6"] {
        for exponent_bits in [160, 161, 256] {
            let table = Arc::new(table(&RFC_1024, exponent_bits, method));
            let signer = Signer::with_table(private_key(&RFC_1024), Hash::Sha256, table.clone()).unwrap();
            assert_eq!(signer.sign(b"m").unwrap(), expected, "{method} {exponent_bits}");
            let verifier = Verifier::with_table(public_key(&RFC_1024), Hash::Sha256, table).unwrap();
            verifier.verify(b"m", &expected).unwrap();
            assert_eq!(verifier.verify(b"n", &expected), Err(NOT_THIS));
            assert_eq!(verifier.verify(b"m", &bad), Err(NOT_THIS));
        }
    }
}

#[test]
fn a_budget_buys_a_table() {
    let expected = signer(&RFC_1024, Hash::Sha256).sign(b"m").unwrap();
    for budget in [MemorySize::kib(4), MemorySize::kib(64), MemorySize::mib(1)] {
        let signer = Signer::new(private_key(&RFC_1024), Hash::Sha256, budget).unwrap();
        assert_eq!(signer.sign(b"m").unwrap(), expected);
    }
    let refused = Signer::new(private_key(&RFC_1024), Hash::Sha256, MemorySize(1)).map(|_| ());
    assert!(matches!(refused, Err(Error::BudgetTooSmall { budget: 1, .. })));
}

#[test]
fn tables_that_do_not_fit_the_key_are_refused() {
    let other_base = {
        let group = group(&RFC_1024);
        let base = group.p().mul(group.g(), group.g());
        FixedBase::builder(group.p(), &base)
            .exponent_bits(160)
            .method("radix:4".parse().unwrap())
            .build()
            .unwrap()
    };
    for (table, because) in [
        (table(&RFC_2048, 256, "radix:4"), "another modulus"),
        (other_base, "another base"),
        (table(&RFC_1024, 159, "radix:4"), "shorter exponents"),
    ] {
        let table = Arc::new(table);
        let signer = Signer::with_table(private_key(&RFC_1024), Hash::Sha256, table.clone()).map(|_| ());
        let verifier = Verifier::with_table(public_key(&RFC_1024), Hash::Sha256, table).map(|_| ());
        for refused in [signer, verifier] {
            let Err(Error::Parameter(ParameterError { name: "table", reason, .. })) = refused else {
                panic!("{refused:?}")
            };
            assert!(reason.to_string().contains(because), "{reason}");
        }
    }
}

#[test]
fn the_der_of_a_signature_is_strict() {
    let malformed = Error::Signature(SignatureError::NotDer);
    let read = |bytes: &[u8]| signature_from_der(bytes);
    let good = read(&[0x30, 6, 2, 1, 5, 2, 1, 7]).unwrap();
    assert_eq!((good.r().as_ref(), good.s().as_ref()), (&BoxedUint::from(5u64), &BoxedUint::from(7u64)));
    assert!(read(&[0x30, 7, 2, 2, 0, 0x85, 2, 1, 7]).is_ok());
    for bad in [
        &[][..],
        &[0x30, 0],
        &[0x30, 3, 2, 1, 5],
        &[0x30, 6, 2, 1, 5, 2, 1, 7, 0],          // trailing byte
        &[0x30, 9, 2, 1, 5, 2, 1, 7, 2, 1, 1],    // three integers
        &[0x30, 7, 2, 2, 0, 5, 2, 1, 7],          // superfluous zero
        &[0x30, 6, 2, 1, 0x85, 2, 1, 7],          // negative
        &[0x30, 6, 2, 1, 0, 2, 1, 7],             // r = 0
        &[0x30, 6, 2, 1, 5, 2, 1, 0],             // s = 0
        &[0x30, 5, 2, 0, 2, 1, 7],                // empty integer
        &[0x30, 0x81, 6, 2, 1, 5, 2, 1, 7],       // long length
        &[0x30, 7, 2, 0x81, 1, 5, 2, 1, 7],       // long length
        &[0x30, 0x80, 2, 1, 5, 2, 1, 7, 0, 0],    // indefinite length
        &[0x31, 6, 2, 1, 5, 2, 1, 7],             // a set
        &[0x30, 6, 4, 1, 5, 2, 1, 7],             // an octet string
        &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 2], // a length of 4 GiB
        &[0x30; 2000],
    ] {
        assert_eq!(read(bad), Err(malformed.clone()), "{bad:x?}");
    }
}

#[test]
fn the_fixed_form_has_the_length_of_q() {
    for pair in PAIRS {
        let group = group(pair);
        let length = number(pair.q).bits_vartime().div_ceil(8) as usize;
        let signature = signer(pair, Hash::Sha256).sign(b"m").unwrap();
        let bytes = signature_to_fixed(&group, &signature).unwrap();
        assert_eq!(bytes.len(), 2 * length);
        assert_eq!(signature_from_fixed(&group, &bytes).unwrap(), signature);
        let small = Signature::from_components(BoxedUint::one(), BoxedUint::from(2u64)).unwrap();
        let bytes = signature_to_fixed(&group, &small).unwrap();
        assert_eq!((bytes[length - 1], bytes[2 * length - 1]), (1, 2));
        assert_eq!(signature_from_fixed(&group, &bytes).unwrap(), small);
        for length in [0, 2 * length - 1, 2 * length + 1] {
            let refused = signature_from_fixed(&group, &vec![1; length]);
            assert!(matches!(refused, Err(Error::Signature(_))));
        }
        assert!(signature_from_fixed(&group, &vec![0; 2 * length]).is_err());
    }
    let signature = signer(&RFC_2048, Hash::Sha256).sign(b"m").unwrap();
    let refused = signature_to_fixed(&group(&RFC_1024), &signature);
    assert!(matches!(refused, Err(Error::Parameter(ParameterError { name: "signature", .. }))));
}

#[test]
fn the_traits_do_what_the_methods_do() {
    fn sign(signer: &(impl signature::Signer<Signature> + PrehashSigner<Signature>)) -> Signature {
        let digest = Hash::Sha256.digest(b"m");
        assert_eq!(signer.sign(b"m"), signer.sign_prehash(&digest).unwrap());
        assert!(signer.sign_prehash(b"short").is_err());
        signer.sign(b"m")
    }
    fn sign_hedged<S>(signer: &S) -> [Signature; 2]
    where
        S: signature::RandomizedSigner<Signature> + RandomizedPrehashSigner<Signature>,
    {
        let digest = Hash::Sha256.digest(b"m");
        [
            signer.sign_with_rng(&mut Seeded::new(3), b"m"),
            signer.sign_prehash_with_rng(&mut Seeded::new(3), &digest).unwrap(),
        ]
    }
    fn verify(verifier: &(impl signature::Verifier<Signature> + PrehashVerifier<Signature>), s: &Signature) {
        let digest = Hash::Sha256.digest(b"m");
        assert!(verifier.verify(b"m", s).is_ok() && verifier.verify(b"n", s).is_err());
        assert!(verifier.verify_prehash(&digest, s).is_ok() && verifier.verify_prehash(b"n", s).is_err());
    }
    let (signer, verifier) = (signer(&RFC_1024, Hash::Sha256), verifier(&RFC_1024, Hash::Sha256));
    let signature = sign(&signer);
    assert_eq!(signature, signer.sign(b"m").unwrap());
    verify(&verifier, &signature);
    let [first, second] = sign_hedged(&signer);
    assert_eq!(first, second);
    verify(&verifier, &first);
}
