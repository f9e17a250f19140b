//! The subjects for the schemes: DSA of 1024 bits with an order of 160, and RSA of 1024 bits.

use std::{cell::RefCell, sync::Arc};
use testing::Random;

use moduli::{
    Error, FixedBase,
    groups::Group,
    scheme::{dsa, rsa},
};

use super::{
    secrets::Slot,
    subjects::{Call, Subject},
};

/// The key is the secret. Messages, and so nonces, are random for all classes.
pub fn signatures(all: &mut Vec<Subject>) -> Result<(), Error> {
    let group = Group::named("dsa-1024-160")?;
    let parameters = dsa::DomainParameters::new(group.modulus(), group.order(), group.generator())?;
    let builder = FixedBase::builder(parameters.p(), parameters.g()).exponent_bits(160).split(1);
    let table = Arc::new(builder.method("comb:5,3".parse()?).build()?);
    // Below q, which has 160 bits.
    let slot = Slot { bits: 159, lowest: 1 };
    let kernel = parameters.p().kernel_name();
    let group = parameters.clone();
    let call: Call = Box::new(move |secret, clock| {
        let key = dsa::PrivateKey::new(&group, &secret.numbers[0]).expect("a key below q");
        let signer = dsa::Signer::with_table(key, dsa::Hash::Sha256, Arc::clone(&table))
            .expect("a table of the group");
        clock.time(|| signer.sign(&secret.public));
    });
    let name = "dsa::Signer::sign".to_string();
    all.push(Subject { name, kernel, planted: false, slots: vec![slot], call });
    let call: Call = Box::new(move |secret, clock| {
        clock.time(|| dsa::PrivateKey::new(&parameters, &secret.numbers[0]));
    });
    let name = "dsa::PrivateKey::new".to_string();
    all.push(Subject { name, kernel, planted: false, slots: vec![slot], call });
    Ok(())
}

/// The value is the secret. It has 1024 bits.
pub fn private_operations(all: &mut Vec<Subject>) -> Result<(), Error> {
    let key = rsa::PrivateKey::from_pem(include_str!("../../src/scheme/rsa/example.pem"))?;
    let n = key.public_key().n().clone();
    let (slots, kernel) = (vec![Slot { bits: n.bits() - 1, lowest: 0 }], n.kernel_name());
    let public = key.public_key().clone();
    let call: Call = Box::new(move |secret, clock| {
        let rng = RefCell::new(Random(u64::from(secret.public[0])));
        clock.time(|| key.decrypt_raw(&mut *rng.borrow_mut(), &secret.numbers[0]));
    });
    let name = "rsa::PrivateKey::decrypt_raw".to_string();
    all.push(Subject { name, kernel, planted: false, slots: slots.clone(), call });
    let call: Call = Box::new(move |secret, clock| clock.time(|| public.encrypt_raw(&secret.numbers[0])));
    let name = "rsa::PublicKey::encrypt_raw".to_string();
    all.push(Subject { name, kernel, planted: false, slots, call });
    Ok(())
}
