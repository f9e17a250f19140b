//! Injects faults into a signature: with the check, no wrong signature is released.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crypto_bigint::BoxedUint;

use super::{DomainParameters, Hash, PrivateKey, Signer, Verifier};
use crate::{
    error::{Error, TableError},
    fixed::{Expected, FixedBase, Method},
    groups::Group,
    modulus::Modulus,
};
use moduli_kernel::{Observer, Operation};

/// Counts the results of the arithmetic and corrupts one of them.
struct Spoiler {
    modulus: Modulus,
    target: AtomicUsize,
    results: AtomicUsize,
}

impl Spoiler {
    /// Selects the result to corrupt, and resets the count.
    fn aim(&self, target: usize) {
        self.target.store(target, Relaxed);
        self.results.store(0, Relaxed);
    }
}

impl Observer for Spoiler {
    fn after(&self, operation: Operation, result: &mut [u64]) {
        if self.results.fetch_add(1, Relaxed) != self.target.load(Relaxed) {
            return;
        }
        let mut session = self.modulus.session();
        match operation {
            Operation::FromMontgomery => result[0] ^= 1,
            // Adds 1, so that the result stays a residue of the kernel.
            _ => session.add(result, session.one()),
        }
    }
}

/// A signer for a group that is large enough that no wrong signature verifies by accident.
fn signer() -> Signer {
    let group = Group::named("dsa-1024-160").unwrap();
    let group = DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
    let key = PrivateKey::generate(&group, &mut getrandom::SysRng).unwrap();
    // Not split, so that every entry is a residue.
    let method = Method::Comb { teeth: 4, tables: 2, short_tables: 0 };
    let table = FixedBase::builder(group.p(), group.g()).exponent_bits(160).method(method).build().unwrap();
    Signer::with_table(key, Hash::Sha256, table).unwrap()
}

#[test]
fn a_fault_in_any_operation_is_caught_by_the_check_alone() {
    let mut signer = signer();
    let digest = Hash::Sha256.digest(b"text");
    let right = signer.sign_digest(&digest).unwrap();
    let modulus = signer.table.modulus().clone();
    let spoiler =
        Arc::new(Spoiler { modulus, target: AtomicUsize::new(usize::MAX), results: AtomicUsize::new(0) });
    Arc::get_mut(&mut signer.table).unwrap().observe(spoiler.clone());
    let _ = signer.sign_digest(&digest).unwrap();
    let count = spoiler.results.load(Relaxed);
    assert!(count > 30, "{count}");
    for check in [false, true] {
        signer = signer.with_fault_check(check);
        spoiler.aim(usize::MAX);
        assert!(signer.sign_digest(&digest).unwrap() == right);
        for target in 0..count {
            spoiler.aim(target);
            match signer.sign_digest(&digest) {
                Ok(signature) => assert!(!check && signature != right, "result {target}"),
                Err(error) => assert!(check && error == Error::Fault, "result {target}: {error}"),
            }
        }
    }
}

#[test]
fn a_lasting_fault_in_the_key_or_the_table_is_caught() {
    let mut signer = signer().with_fault_check(true);
    let other = signer.parameters().q().element(&BoxedUint::one());
    let right = core::mem::replace(&mut signer.x, other);
    assert!(signer.sign(b"text") == Err(Error::Fault));
    assert!(signer.sign_batch(&[b"text"]) == Err(Error::Fault));
    assert!(signer.sign_hedged(&mut getrandom::SysRng, b"text") == Err(Error::Fault));
    signer.x = right;
    let _ = signer.sign(b"text").unwrap();

    // Sets every entry to 1, with a right checksum.
    let (p, g) = (signer.parameters().p(), signer.parameters().g());
    let mut file = Vec::new();
    signer.table.write_to(&mut file).unwrap();
    let one = p.arithmetic().one();
    let start = file.len() - 32 - signer.table.table_bytes().0 as usize;
    let end = file.len() - 32;
    for entry in file[start..end].chunks_exact_mut(8 * one.len()) {
        entry.copy_from_slice(&one.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    }
    let digest = Hash::Sha256.digest(&file[..end]);
    file[end..].copy_from_slice(&digest);
    let table = || FixedBase::read_from(&file[..], file.len() as u64, &Expected::base_unverified(p, g));
    let key = || PrivateKey::new(signer.parameters(), signer.key.secret()).unwrap();
    let refused = Signer::with_table(key(), Hash::Sha256, table().unwrap()).err();
    assert_eq!(refused, Some(Error::Table(TableError::Unverified)));
    let refused = Verifier::with_table(signer.public_key().clone(), Hash::Sha256, table().unwrap()).err();
    assert_eq!(refused, Some(Error::Table(TableError::Unverified)));
    let table = table().unwrap().trust_unverified_entries();
    let mut forged = Signer::with_table(key(), Hash::Sha256, table).unwrap();
    let _ = forged.sign(b"text").unwrap();
    forged = forged.with_fault_check(true);
    assert!(forged.sign(b"text") == Err(Error::Fault));
}
