//! The exponentiation of crypto-bigint, which shares no code with this library, as the reference.

use crypto_bigint::{
    BoxedUint, Odd, Resize,
    modular::{BoxedMontyForm, BoxedMontyParams},
};
use moduli::scheme::dsa::{PublicKey, Signature};

/// Arithmetic modulo one number.
pub struct Oracle {
    modulus: Odd<BoxedUint>,
    parameters: BoxedMontyParams,
}

impl Oracle {
    /// Prepares for a modulus.
    pub fn new(modulus: &Odd<BoxedUint>) -> Self {
        Self { modulus: modulus.clone(), parameters: BoxedMontyParams::new_vartime(modulus.clone()) }
    }

    fn residue(&self, value: &BoxedUint) -> BoxedMontyForm {
        BoxedMontyForm::new(value.rem_vartime(self.modulus.as_nz_ref()), &self.parameters)
    }

    /// base^exponent.
    pub fn pow(&self, base: &BoxedUint, exponent: &BoxedUint) -> BoxedUint {
        self.residue(base).pow_bounded_exp(exponent, exponent.bits_vartime()).retrieve()
    }

    /// a·b.
    pub fn mul(&self, a: &BoxedUint, b: &BoxedUint) -> BoxedUint {
        self.residue(a).mul(&self.residue(b)).retrieve()
    }

    /// value^(−1), if there is one.
    fn invert(&self, value: &BoxedUint) -> Option<BoxedUint> {
        self.residue(value).invert().into_option().map(|inverse| inverse.retrieve())
    }
}

/// The verification equation of FIPS 186-4, 4.7.
pub struct DsaOracle {
    p: Oracle,
    q: Oracle,
    g: BoxedUint,
    y: BoxedUint,
}

impl DsaOracle {
    /// For the signatures of one key.
    pub fn new(key: &PublicKey) -> Self {
        let parameters = key.parameters();
        Self {
            p: Oracle::new(parameters.p().value()),
            q: Oracle::new(parameters.q().value()),
            g: parameters.g().clone(),
            y: key.y().clone(),
        }
    }

    /// Whether this is a signature of a message with this digest, which must be at most as long as
    /// q.
    pub fn accepts(&self, digest: &[u8], signature: &Signature) -> bool {
        let (r, s) = (signature.r().as_ref(), signature.s().as_ref());
        let order: &BoxedUint = &self.q.modulus;
        let Some(w) = self.q.invert(s) else { return false };
        let u1 = self.q.mul(&BoxedUint::from_be_slice_vartime(digest), &w);
        let u2 = self.q.mul(r, &w);
        let v = self.p.mul(&self.p.pow(&self.g, &u1), &self.p.pow(&self.y, &u2));
        r < order && s < order && same(&v.rem_vartime(self.q.modulus.as_nz_ref()), r)
    }
}

/// Whether two numbers are equal, whatever their precisions.
pub fn same(a: &BoxedUint, b: &BoxedUint) -> bool {
    let precision = a.bits_precision().max(b.bits_precision());
    a.resize_unchecked(precision) == b.resize_unchecked(precision)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use moduli::{
        FixedBase, Method,
        groups::Group,
        scheme::dsa::{DomainParameters, Hash, PrivateKey, Signer},
    };

    use super::*;

    #[test]
    fn powers_and_products_are_right() {
        let number = BoxedUint::from;
        let oracle = Oracle::new(&Odd::new(number(1_000_003u64)).unwrap());
        assert!(same(&oracle.pow(&number(2u64), &number(20u64)), &number(48_573u64)));
        assert!(same(&oracle.pow(&number(2u64), &number(0u64)), &number(1u64)));
        assert!(same(&oracle.mul(&number(1_000_002u64), &number(1_000_004u64)), &number(1_000_002u64)));
        assert!(!same(&number(1u64), &BoxedUint::zero_with_precision(4096)));
    }

    #[test]
    fn signatures_of_other_messages_and_keys_are_refused() {
        let group = Group::named("dsa-1024-160").unwrap();
        let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
        let table = FixedBase::builder(parameters.p(), parameters.g())
            .exponent_bits(160)
            .method(Method::Comb { teeth: 4, tables: 1, short_tables: 0 });
        let table = Arc::new(table.build().unwrap());
        let key = || PrivateKey::generate(&parameters, &mut getrandom::SysRng).unwrap();
        let (key, other) = (key(), key());
        let (oracle, other) = (DsaOracle::new(key.public_key()), DsaOracle::new(other.public_key()));
        // The digest may be at most as long as q, so only its leftmost 20 bytes are used.
        let signer = Signer::with_table(key, Hash::Sha256, table).unwrap();
        let digest = Hash::Sha256.digest(b"text");
        let signature = signer.sign_digest(&digest).unwrap();
        assert!(oracle.accepts(&digest[..20], &signature));
        assert!(!oracle.accepts(&Hash::Sha256.digest(b"test")[..20], &signature));
        assert!(!other.accepts(&digest[..20], &signature));
    }
}
