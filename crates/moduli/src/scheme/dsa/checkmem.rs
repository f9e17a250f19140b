//! Signs with a classified secret key: see [`crate::checkmem`].

use super::{DomainParameters, Hash, PrivateKey, Signer, Verifier};
use crate::{
    checkmem::{Hidden, assert_public, classify, declassify, watch},
    fixed::MemorySize,
    groups::Group,
};
use crypto_bigint::BoxedUint;

#[test]
fn signatures() {
    watch(|| {
        // Public outcomes for each group: that some candidates for the nonce are not below q, and
        // that one is; that it has an inverse; that r and s are not 0.
        for (name, outcomes) in [("dsa-1024-160", 6), ("dsa-2048-256", 4), ("dsa-3072-256", 4)] {
            let group = Group::named(name).unwrap();
            let parameters =
                DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
            let mut bytes = [0x35; 32];
            let x = &mut bytes[..parameters.q_bytes()];
            let public = PrivateKey::new(&parameters, &BoxedUint::from_be_slice_vartime(x)).unwrap();
            classify(x);
            let key = PrivateKey::new(&parameters, &BoxedUint::from_be_slice_vartime(x)).unwrap();
            let verifier = Verifier::new(public.public_key().clone(), Hash::Sha256);
            let signer = Signer::new(key, Hash::Sha256, MemorySize::kib(64)).unwrap();
            let mut signature = None;
            assert_public(outcomes, name, || signature = Some(signer.sign(b"message").unwrap()));
            let signature = signature.unwrap();
            for number in [signature.r(), signature.s()] {
                declassify(number.as_ref().as_words());
            }
            verifier.verify(b"message", &signature).unwrap();
        }
    });
}

/// Public: that the first of these candidates is not below q and that the second is. The latter
/// counts twice, because `new` checks again.
#[test]
fn keys() {
    watch(|| {
        let group = Group::named("dsa-1024-160").unwrap();
        let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
        let mut key = None;
        assert_public(3, "generate", || {
            key = Some(PrivateKey::generate(&parameters, &mut Hidden(5)).unwrap())
        });
        let key = key.unwrap();
        declassify(key.secret().as_words());
        declassify(key.public_key().y().as_words());
        let again = PrivateKey::new(&parameters, key.secret()).unwrap();
        assert_eq!(again.public_key().y(), key.public_key().y());
    });
}
