//! If no thread can be started, or only one is requested, the calling thread does all the work.

use std::process::Command;
use testing::all;

use crypto_bigint::BoxedUint;
use moduli::{
    Expected, FixedBase, Modulus,
    groups::Group,
    scheme::{
        dsa::{DomainParameters, Hash, PrivateKey, Signer},
        rsa,
    },
};

/// Runs the work below in a separate process with this environment.
fn run(environment: &[(&str, &str)]) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--ignored", "--exact", "all_that_uses_threads", "--test-threads", "1", "--nocapture"]);
    let output = child.envs(environment.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
    #[cfg(target_os = "linux")]
    assert!(text.contains("threads started: 0"), "{text}");
}

#[test]
fn where_threads_cannot_start() {
    // No address space can hold a stack of this size, so the system rejects every thread, for every
    // user.
    run(&[("RUST_MIN_STACK", "1152921504606846976"), ("RAYON_NUM_THREADS", "4")]);
}

#[test]
fn where_one_thread_is_asked_for() {
    run(&[("RAYON_NUM_THREADS", "1")]);
}

/// The threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
#[ignore = "run by the others, in processes of their own"]
fn all_that_uses_threads() {
    let before = threads();
    let group = Group::named("dsa-1024-160").unwrap();
    let p = Modulus::new(group.modulus()).unwrap();
    let g = group.generator();
    let exponents: Vec<BoxedUint> = (1..100u64).map(BoxedUint::from).collect();
    let powers: Vec<BoxedUint> = exponents.iter().map(|e| p.pow_vartime(g, e).unwrap()).collect();

    let table = FixedBase::builder(&p, g).exponent_bits(160).method("comb:10,2".parse().unwrap());
    let table = table.build().unwrap();
    let mut file = Vec::new();
    table.write_to(&mut file).unwrap();
    let table = FixedBase::read_from(&file[..], file.len() as u64, &Expected::base(&p, g)).unwrap();
    table.verify(Some(10), &|_| {}).unwrap();
    assert_eq!(all(table.pow_batch(&exponents)), powers);
    assert_eq!(all(table.pow_batch_vartime(&exponents)), powers);
    assert_eq!(all(p.pow_batch(exponents.iter().map(|e| (g, e)))), powers);
    let inverses: Vec<_> = p.invert_batch(&powers).into_iter().map(Result::unwrap).collect();
    assert_eq!(p.mul(&inverses[7], &powers[7]), BoxedUint::one_with_precision(1024));

    let parameters = DomainParameters::new(group.modulus(), group.order(), g).unwrap();
    let key = PrivateKey::generate(&parameters, &mut getrandom::SysRng).unwrap();
    let signer = Signer::with_table(key, Hash::Sha256, table).unwrap();
    assert_eq!(signer.sign_batch(&[b"text"; 10]).unwrap().len(), 10);

    let pem = include_str!("../src/scheme/rsa/example.pem");
    let key = rsa::PrivateKey::from_pem(pem).unwrap().with_parallel_halves(true);
    key.decrypt_raw(&mut getrandom::SysRng, &BoxedUint::from(2u64)).unwrap();
    println!("threads started: {}", threads() - before);
}
