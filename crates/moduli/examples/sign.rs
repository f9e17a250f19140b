//! DSA: a key, a table for its generator, and signatures. `cargo run --release --example sign`
//!
//! The same without Rust: `moduli dsa keygen`, `moduli dsa sign`, `moduli dsa verify`.

use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::{
    Error, MemorySize,
    groups::Group,
    scheme::dsa::{DomainParameters, Hash, PrivateKey, Signer, Verifier},
};

fn main() -> Result<(), Error> {
    let group = Group::named("dsa-2048-256")?;
    let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator())?;
    let key = PrivateKey::generate(&parameters, &mut UnwrapErr(SysRng))?;
    let public = key.public_key().clone();

    // Every signature raises the generator to a secret nonce, which a table makes fast. RFC 6979
    // derives the nonce.
    let signer = Signer::new(key, Hash::Sha256, MemorySize::mib(1))?;
    let signature = signer.sign(b"what is signed")?;

    let verifier = Verifier::new(public, Hash::Sha256);
    verifier.verify(b"what is signed", &signature)?;
    assert!(verifier.verify(b"something else", &signature).is_err());
    println!("signed and verified");
    Ok(())
}
