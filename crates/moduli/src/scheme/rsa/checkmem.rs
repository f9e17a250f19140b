//! The private operation with a key whose secrets are classified: see [`crate::checkmem`].

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{Hash, PrivateKey, Scheme, Signer, Verifier};
use crate::checkmem::{Hidden, assert_public, classify, declassify, is_interpreted, watch};

/// 1024 bits.
const EXAMPLE: &str = include_str!("example.pem");

/// A key of which everything except n, e and the lengths is classified. (The kernels' copies of p
/// and q are not: they are read like a public modulus, at fixed addresses.)
fn key(pem: &str) -> PrivateKey {
    let mut key = PrivateKey::from_pem(pem).unwrap();
    for half in &mut key.halves {
        classify(half.exponent.as_mut_words());
        for constant in half.factor.constants() {
            classify(constant);
        }
    }
    for constant in key.recombination.constants() {
        classify(constant);
    }
    key
}

#[test]
fn private_operations() {
    watch(|| {
        let rng = &mut Hidden(1);
        for blind in [false, true] {
            let key = key(EXAMPLE).with_exponent_blinding(blind);
            for i in 0..3 {
                let m = BoxedUint::from_be_slice_vartime(&[0x5a + i; 128]);
                let mut hidden = m.clone();
                classify(hidden.as_mut_words());
                let mut s = Ok(BoxedUint::one());
                // Public: whether m is below n and whether the result is right; for the first one,
                // also whether r has an inverse.
                let outcomes = if i == 0 { 3 } else { 2 };
                assert_public(outcomes, "private operation", || s = key.decrypt_raw(rng, &hidden));
                let s = s.unwrap();
                declassify(s.as_words());
                assert_eq!(key.public_key().encrypt_raw(&s).unwrap(), m);
            }
        }
    });
}

/// Side by side if the kernels have lanes.
#[test]
fn batches_of_private_operations() {
    const COUNT: usize = 17;
    watch(|| {
        let rng = &mut Hidden(4);
        for blind in [false, true] {
            let key = key(EXAMPLE).with_exponent_blinding(blind);
            let values: Vec<_> =
                (0..COUNT as u8).map(|i| BoxedUint::from_be_slice_vartime(&[0x2b + i; 128])).collect();
            let mut hidden = values.clone();
            hidden.iter_mut().for_each(|value| classify(value.as_mut_words()));
            let mut powers = Vec::new();
            // Public: whether each value is below n, whether each result is right, and whether r
            // has an inverse.
            assert_public(2 * COUNT + 1, "batch", || powers = key.decrypt_raw_batch(rng, &hidden));
            for (power, m) in powers.into_iter().zip(values) {
                let power = power.unwrap();
                declassify(power.as_words());
                assert_eq!(key.public_key().encrypt_raw(&power).unwrap(), m);
            }
        }
    });
}

#[test]
fn signatures() {
    watch(|| {
        let rng = &mut Hidden(2);
        for scheme in [Scheme::pkcs1(Hash::Sha256), Scheme::pss(Hash::Sha256)] {
            let key = key(EXAMPLE);
            let verifier = Verifier::new(key.public_key().clone(), scheme);
            let signer = Signer::new(key, scheme).unwrap();
            let mut signature = None;
            // Public: whether the result is right, and whether r has an inverse. The top bit of a
            // padded message is 0 and that of n is not. A tool that tracks bits sees that the
            // message is below n; one that tracks bytes does not if the top byte contains random
            // bits (PSS).
            let below = usize::from(is_interpreted() && scheme == Scheme::pss(Hash::Sha256));
            assert_public(2 + below, "signature", || signature = Some(signer.sign(rng, b"message").unwrap()));
            let signature = signature.unwrap();
            declassify(signature.as_bytes());
            verifier.verify(b"message", &signature).unwrap();
        }
    });
}

/// At lengths used in practice.
#[test]
fn long_private_operations() {
    watch(|| {
        let pems = [
            include_str!("example-2048.pem"),
            include_str!("example-3072.pem"),
            include_str!("example-4096.pem"),
        ];
        for pem in pems {
            let rng = &mut Hidden(3);
            let key = key(pem);
            let bytes = key.public_key().bytes();
            let m = BoxedUint::from_be_slice_vartime(&alloc::vec![0x5a; bytes]);
            let mut hidden = m.clone();
            classify(hidden.as_mut_words());
            let mut s = Ok(BoxedUint::one());
            assert_public(3, "private operation", || s = key.decrypt_raw(rng, &hidden));
            let s = s.unwrap();
            declassify(s.as_words());
            assert_eq!(key.public_key().encrypt_raw(&s).unwrap(), m);
        }
    });
}
