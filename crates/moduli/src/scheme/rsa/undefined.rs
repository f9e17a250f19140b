//! The private operation under valgrind, with the secrets of a key marked: see [`crate::undefined`].

use core::convert::Infallible;
use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};

use super::{Hash, PrivateKey, Scheme, Signer, Verifier};
use crate::undefined::{assert_public, hide, reveal};

/// Random numbers that nobody may know.
struct Hidden(u64);

impl TryRng for Hidden {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes.iter_mut() {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (self.0 >> 56) as u8;
        }
        hide(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Hidden {}

/// All of a key but n, e and the lengths is secret. (What the kernels hold of p and q stays unmarked: they read it as
/// they read a public modulus, at fixed places.)
fn key() -> PrivateKey {
    let key = PrivateKey::from_pem(include_str!("example.pem")).unwrap();
    for half in &key.halves {
        hide(half.exponent.as_words());
        for shift in &half.shifts {
            hide(shift);
        }
    }
    hide(&key.q_inverse);
    hide(&key.q);
    key
}

#[test]
fn private_operations() {
    let rng = &mut Hidden(1);
    for blind in [false, true] {
        let key = key().with_exponent_blinding(blind);
        for i in 0..3 {
            let m = BoxedUint::from_be_slice_vartime(&[0x5a + i; 128]);
            let hidden = m.clone();
            hide(hidden.as_words());
            let mut s = Ok(BoxedUint::one());
            // Whether m is below n, whether the result is right; for the first one, whether r has an inverse.
            let outcomes = if i == 0 { 3 } else { 2 };
            assert_public(outcomes, "private operation", || s = key.decrypt_raw(rng, &hidden));
            let s = s.unwrap();
            reveal(s.as_words());
            assert_eq!(key.public_key().encrypt_raw(&s).unwrap(), m);
        }
    }
}

#[test]
fn signatures() {
    let rng = &mut Hidden(2);
    for scheme in [Scheme::pkcs1(Hash::Sha256), Scheme::pss(Hash::Sha256)] {
        let key = key();
        let verifier = Verifier::new(key.public_key().clone(), scheme);
        let signer = Signer::new(key, scheme).unwrap();
        let mut signature = None;
        // Whether the result is right and whether r has an inverse. The top bit of a padded message is 0, that of n is not.
        assert_public(2, "signature", || signature = Some(signer.sign(rng, b"message").unwrap()));
        let signature = signature.unwrap();
        reveal(signature.as_bytes());
        verifier.verify(b"message", &signature).unwrap();
    }
}
