//! RSA signatures with PKCS#1 v1.5 and PSS (FIPS 186-3 and 186-2).

use crypto_bigint::{
    BoxedUint,
    rand_core::{TryCryptoRng, TryRng},
};
use moduli::scheme::rsa::{Hash, PrivateKey, PublicKey, Scheme, Signature, Signer, Verifier};
use num_bigint::BigUint;
use signature::SignatureEncoding;

use crate::nist::cases::{Case, cases, read};

fn of(file: &str, last: &str) -> Vec<Case> {
    cases(&read(&format!("RSA/FIPS_186-2/{file}")), last)
}

impl Case {
    fn sha(&self) -> Hash {
        Hash::named(&self.fields["SHAAlg"].to_lowercase()).unwrap()
    }

    fn scheme(&self, pss: bool) -> Scheme {
        match self.fields.get("SaltVal") {
            Some(_) if pss => Scheme::pss_with(self.sha(), self.sha(), self.bytes("SaltVal").len()),
            None if pss => Scheme::pss_with(self.sha(), self.sha(), 0),
            _ => Scheme::pkcs1(self.sha()),
        }
    }

    fn big(&self, name: &str) -> BigUint {
        BigUint::from_bytes_be(&self.bytes(name))
    }

    fn verifier(&self, pss: bool) -> Verifier {
        Verifier::new(PublicKey::new(&self.number("n"), &self.number("e")).unwrap(), self.scheme(pss))
    }

    fn signature(&self) -> Signature {
        Signature::try_from(&self.bytes("S")[..]).unwrap()
    }
}

/// A prime factor of n, computed from d: a square root of 1 that is neither 1 nor −1 gives one
/// (NIST SP 800-56B, appendix C).
fn factor(n: &BigUint, e: &BigUint, d: &BigUint) -> BigUint {
    let one = BigUint::from(1u32);
    let even = e * d - &one;
    let twos = even.trailing_zeros().unwrap();
    for base in 2u32.. {
        let mut root = BigUint::from(base).modpow(&(&even >> twos), n);
        for _ in 0..twos {
            let square = &root * &root % n;
            if square == one {
                let factor = gcd(n.clone(), &root + n - &one);
                if factor != one && factor != *n {
                    return factor;
                }
                break;
            }
            root = square;
        }
    }
    unreachable!()
}

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// A generator that first returns the salt of a case, then arbitrary bytes.
struct Salted(Option<Vec<u8>>);

impl TryRng for Salted {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(1)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(1)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        match self.0.take() {
            Some(salt) => bytes.copy_from_slice(&salt),
            None => bytes.fill(0x5a),
        }
        Ok(())
    }
}

impl TryCryptoRng for Salted {}

/// The numbers of signatures that are made again and compared, and of those with SHA-1, which are
/// only verified.
fn signatures(file: &str, pss: bool) -> [usize; 2] {
    let mut counts = [0, 0];
    let mut last: Option<(String, PrivateKey)> = None;
    for case in of(file, "S") {
        case.verifier(pss).verify(&case.bytes("Msg"), &case.signature()).unwrap();
        if case.sha() == Hash::Sha1 {
            counts[1] += 1;
            continue;
        }
        let modulus = case.fields["n"].clone();
        let key = match last.take() {
            Some((of, key)) if of == modulus => key,
            _ => {
                let [n, e, d] = ["n", "e", "d"].map(|name| case.big(name));
                let p = factor(&n, &e, &d);
                let q = &n / &p;
                let [p, q] = [p, q].map(|x| BoxedUint::from_be_slice_vartime(&x.to_bytes_be()));
                let [n, e, d] = ["n", "e", "d"].map(|name| case.number(name));
                PrivateKey::from_components(&n, &e, &d, &p, &q).unwrap()
            }
        };
        let key = std::sync::Arc::new(key);
        let signer = Signer::new(key.clone(), case.scheme(pss)).unwrap();
        let salt = pss.then(|| case.bytes("SaltVal"));
        let signature = signer.sign(&mut Salted(salt), &case.bytes("Msg")).unwrap();
        assert_eq!(signature.to_vec(), case.bytes("S"), "{} {}", case.section, case.fields["SHAAlg"]);
        drop(signer);
        last = std::sync::Arc::into_inner(key).map(|key| (modulus, key));
        counts[0] += 1;
    }
    counts
}

#[test]
#[ignore = "needs the vectors: make test"]
fn signatures_are_those_published() {
    assert_eq!(signatures("SigGen15_186-2.txt", false), [200, 50]);
    assert_eq!(signatures("SigGenPSS_186-2.txt", true), [200, 50]);
}

/// The numbers of verified and of rejected signatures.
fn verifications(file: &str, pss: bool) -> [usize; 2] {
    let mut counts = [0, 0];
    for case in of(file, "Result") {
        let result = case.verifier(pss).verify(&case.bytes("Msg"), &case.signature());
        let expected = case.fields["Result"].starts_with('P');
        assert_eq!(result.is_ok(), expected, "{} {}: {result:?}", case.section, case.fields["Result"]);
        counts[usize::from(!expected)] += 1;
        let key = PrivateKey::from_components(
            &case.number("n"),
            &case.number("e"),
            &case.number("d"),
            &case.number("p"),
            &case.number("q"),
        );
        // If e was changed, d does not match it.
        assert_eq!(key.is_err(), case.fields["Result"].contains("Public Key e changed"));
    }
    counts
}

#[test]
#[ignore = "needs the vectors: make test"]
fn verification_agrees() {
    let [pkcs1, pss] =
        [verifications("SigVer15_186-3.rsp", false), verifications("SigVerPSS_186-3.rsp", true)];
    println!("{pkcs1:?} {pss:?}");
    assert!(pkcs1[0] > 20 && pkcs1[1] > 100 && pss[0] > 20 && pss[1] > 100);
    for (file, pss) in [("SigGen15_186-3.rsp", false), ("SigGenPSS_186-3.rsp", true)] {
        let cases = of(file, "S");
        assert_eq!(cases.len(), 250);
        for case in cases {
            case.verifier(pss).verify(&case.bytes("Msg"), &case.signature()).unwrap();
        }
    }
}
