//! Signing under valgrind, with the secret key marked: see [`crate::undefined`].

use super::{DomainParameters, Hash, PrivateKey, Signer, Verifier};
use crate::{
    fixed::Bytes,
    groups::Group,
    undefined::{assert_public, hide, reveal},
};
use crypto_bigint::BoxedUint;

#[test]
fn signatures() {
    let group = Group::named("dsa-1024-160").unwrap();
    let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
    let x = BoxedUint::from_be_slice_vartime(&[0x35; 20]);
    let key = PrivateKey::new(&parameters, &x).unwrap();
    let verifier = Verifier::new(key.public_key().clone(), Hash::Sha256);
    hide(key.secret().as_words());
    let signer = Signer::new(key, Hash::Sha256, Bytes::kib(64)).unwrap();
    let mut signature = None;
    // Which candidates for the nonce lie below q (here the third), whether it has an inverse, whether r and s are 0.
    assert_public(6, "signature", || signature = Some(signer.sign(b"message").unwrap()));
    let signature = signature.unwrap();
    for number in [signature.r(), signature.s()] {
        reveal(number.as_ref().as_words());
    }
    verifier.verify(b"message", &signature).unwrap();
}
