//! Four processes sign with one key and share one table in memory. `cargo run --release --example
//! dsa_server`
//!
//! The parent builds the table once and saves it. Each process maps the file, so the system keeps
//! one copy for all of them.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::{
    Error, Expected, FixedBase, MemorySize, Modulus,
    error::SignatureError,
    groups::Group,
    scheme::dsa::{DomainParameters, Hash, PrivateKey, PublicKey, Signer, Verifier, signature_from_der},
};
use signature::SignatureEncoding as _;

const PROCESSES: usize = 4;
const SIGNATURES: usize = 25;

fn message(process: usize, i: usize) -> String {
    format!("message {i} of process {process}")
}

/// A process of the server: maps the table and signs.
fn serve(folder: &Path, process: usize) -> Result<(), Box<dyn std::error::Error>> {
    let key = PrivateKey::from_pem(&fs::read_to_string(folder.join("key.pem"))?)?;
    let parameters = key.parameters();
    let (p, g) = (parameters.p().clone(), parameters.g().clone());
    // An attacker who can change the entries can compute the key from signatures. So the entries
    // are verified, and only this user can write to the file.
    // SAFETY: nothing changes the file while it is mapped: it is in a folder that only this program
    // uses.
    let table = unsafe { FixedBase::open_mmap(folder.join("g.table"), &Expected::base(&p, &g))? };
    let signer = Signer::with_table(key, Hash::Sha256, table)?;
    for i in 0..SIGNATURES {
        let signature = signer.sign(message(process, i).as_bytes())?;
        let hex: String = signature.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{hex}");
    }
    Ok(())
}

fn prepare(folder: &Path) -> Result<PublicKey, Box<dyn std::error::Error>> {
    let group = Group::named("dsa-2048-256")?;
    let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator())?;
    let key = PrivateKey::generate(&parameters, &mut UnwrapErr(SysRng))?;
    let p = Modulus::new(group.modulus())?;
    let table = FixedBase::builder(&p, group.generator())
        .order(group.order())
        .exponent_bits(256)
        .budget(MemorySize::mib(4))
        .build()?;
    table.save(folder.join("g.table"))?;
    fs::write(folder.join("key.pem"), &*key.to_pem()?)?;
    Ok(key.public_key().clone())
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().collect();
    if let [_, folder, process] = &arguments[..] {
        return serve(Path::new(folder), process.parse()?);
    }
    let folder = env::temp_dir().join(format!("moduli-server-{}", std::process::id()));
    fs::create_dir(&folder)?;
    let public = prepare(&folder)?;
    let children: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let mut child = Command::new(env::current_exe()?);
            child.arg(&folder).arg(process.to_string()).stdout(Stdio::piped()).spawn()
        })
        .collect::<Result<_, _>>()?;
    let verifier = Verifier::new(public, Hash::Sha256);
    let mut verified = 0;
    for (process, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output()?;
        for (i, line) in String::from_utf8(output.stdout)?.lines().enumerate() {
            let bytes = bytes_of(line).ok_or(Error::Signature(SignatureError::NotDer))?;
            verifier.verify(message(process, i).as_bytes(), &signature_from_der(&bytes)?)?;
            verified += 1;
        }
    }
    fs::remove_dir_all(&folder)?;
    assert_eq!(verified, PROCESSES * SIGNATURES);
    println!("{verified} signatures of {PROCESSES} processes, all verified");
    Ok(())
}
