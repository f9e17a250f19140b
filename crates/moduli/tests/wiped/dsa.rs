//! The keys and nonces of DSA.

use crypto_bigint::BoxedUint;
use moduli::{
    FixedBase,
    scheme::dsa::{DomainParameters, Hash, PrivateKey, Signature, Signer},
};
use num_bigint::BigUint;

use super::{Random, Secrets, big, boxed, nothing_is_left, turn};

#[allow(dead_code)]
#[path = "../suite/dsa/pairs.rs"]
mod pairs;

const MESSAGE: &[u8] = b"a message";

fn number(hex: &str) -> BoxedUint {
    boxed(&BigUint::parse_bytes(hex.as_bytes(), 16).unwrap())
}

struct Subject {
    group: DomainParameters,
    x: BoxedUint,
}

impl Subject {
    fn new() -> Self {
        let pair = &pairs::RFC_2048;
        let group = DomainParameters::new(&number(pair.p), &number(pair.q), &number(pair.g)).unwrap();
        Self { group, x: number(pair.x) }
    }

    fn key(&self) -> PrivateKey {
        PrivateKey::new(&self.group, &self.x).unwrap()
    }

    fn signer(&self) -> Signer {
        let builder = FixedBase::builder(self.group.p(), self.group.g()).exponent_bits(256);
        let table = builder.method("comb:5,2".parse().unwrap()).build().unwrap();
        Signer::with_table(self.key(), Hash::Sha256, table).unwrap()
    }

    /// The key and, for a signature, its nonce k, 1/k and g^k.
    fn secrets(&self, signature: Option<&Signature>) -> Secrets {
        let secrets = super::with_residue(Secrets::default(), "x", self.group.q(), &self.x);
        let Some(signature) = signature else { return secrets };
        let q = big(self.group.q().value().as_ref());
        let digest = BigUint::from_bytes_be(&Hash::Sha256.digest(MESSAGE));
        let (r, s) = (big(signature.r()), big(signature.s()));
        let inverse = s * (digest + r * big(&self.x)).modinv(&q).unwrap() % &q;
        let nonce = boxed(&inverse.modinv(&q).unwrap());
        let power = self.group.p().pow(self.group.g(), &nonce);
        let secrets = super::with_residue(secrets, "the nonce", self.group.q(), &nonce);
        let secrets = super::with_residue(secrets, "its inverse", self.group.q(), &boxed(&inverse));
        super::with_residue(secrets, "its power", self.group.p(), &power)
    }
}

#[test]
fn keys() {
    let _turn = turn();
    let subject = Subject::new();
    let secrets = subject.secrets(None);
    nothing_is_left("a key", &secrets, || drop(subject.key()));
    nothing_is_left("a signer", &secrets, || drop(subject.signer()));
}

#[test]
fn signatures() {
    let _turn = turn();
    let subject = Subject::new();
    let signer = subject.signer();
    let signature = signer.sign(MESSAGE).unwrap();
    let secrets = subject.secrets(Some(&signature));
    nothing_is_left("a signature", &secrets, || signer.sign(MESSAGE).unwrap());
    let hedged = signer.sign_hedged(&mut Random(1), MESSAGE).unwrap();
    let secrets = subject.secrets(Some(&hedged));
    nothing_is_left("a hedged signature", &secrets, || {
        assert_eq!(signer.sign_hedged(&mut Random(1), MESSAGE).unwrap(), hedged);
    });
}
