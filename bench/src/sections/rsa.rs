//! RSA private operations.

use crypto_bigint::BoxedUint;
use getrandom::SysRng;
use moduli::{KernelChoice, scheme::rsa::PrivateKey};

use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Limbs, Numbers, from_uint, to_uint},
    rivals::{OpenSslKey, gmp::Integer},
    rsa_key::Key,
};

/// Private operations with CRT, blinding and a check of the result.
pub const SECTION: Section = Section {
    name: "rsa",
    title: "RSA private operation (CRT, blinded, result checked), modulus in bits",
    about: "`PrivateKey::decrypt_raw` is compared with OpenSSL's `RSA_private_decrypt` without padding, which \
            blinds by default. For a batch, `decrypt_raw_batch` on one core is compared with as many single \
            operations.",
    baseline: "OpenSSL",
    run,
};

const E: u64 = 65_537;

/// The number of operations in a batch.
const BATCH: usize = 8;

/// The name of the contest of batches.
pub fn batch_of(bits: u32) -> String {
    format!("{bits}, batch of {BATCH}")
}

/// A key that is the same in every run. Never use it.
fn key(bits: u32) -> Key {
    let mut numbers = Numbers::new(0x25a + u64::from(bits));
    let mut prime = || loop {
        let mut start = numbers.exactly(bits / 2);
        // Set both upper bits, so that the product has its full length.
        *start.last_mut().expect("it has limbs") |= 3 << 62;
        let prime = Integer::new(&start).next_prime();
        let less = to_uint(&prime.limbs()) - BoxedUint::one();
        let less = Integer::new(&from_uint(&less));
        let mut d = Integer::default();
        if d.invert(&Integer::new(&[E]), &less) {
            return (prime, less, d);
        }
    };
    let ((p, p_less, dp), (q, q_less, dq)) = (prime(), prime());
    let (n, phi) = (p.times(&q), p_less.times(&q_less));
    let (mut d, mut q_inverse) = (Integer::default(), Integer::default());
    assert!(d.invert(&Integer::new(&[E]), &phi) && q_inverse.invert(&q, &p), "e has an inverse modulo both");
    let [n, d, p, q, dp, dq, q_inverse] = [n, d, p, q, dp, dq, q_inverse].map(|x| x.limbs());
    Key { n, e: vec![E], d, p, q, dp, dq, q_inverse }
}

/// The key with a kernel: `PrivateKey` uses the kernel that the environment names.
fn private_key(key: &Key, kernel: KernelChoice) -> PrivateKey {
    let [n, e, d, p, q] = [&key.n, &key.e, &key.d, &key.p, &key.q].map(|limbs| to_uint(limbs));
    // SAFETY: the process has one thread.
    unsafe { std::env::set_var("MODULI_KERNEL", kernel.name()) };
    let key = PrivateKey::from_components(&n, &e, &d, &p, &q);
    // SAFETY: as above.
    unsafe { std::env::remove_var("MODULI_KERNEL") };
    key.expect("the key is right")
}

fn run(bench: &mut Bench) {
    let sizes: &[u32] = if bench.quick { &[2048] } else { &[2048, 3072, 4096] };
    for &bits in sizes {
        let key = key(bits);
        let mut numbers = Numbers::new(0xc);
        let inputs: Vec<Limbs> = (0..16).map(|_| numbers.below(bits - 1)).collect();
        let uints: Vec<_> = inputs.iter().map(|limbs| to_uint(limbs)).collect();
        let mut contest = Contest::new(format!("{bits}"));
        let theirs = OpenSslKey::new(&key, &inputs);
        contest.enter("OpenSSL", "", theirs, OpenSslKey::decrypt, OpenSslKey::value);
        for kernel in bench.kernels.clone() {
            let (own, uints) = (private_key(&key, kernel), &uints);
            contest.enter(
                kernel.name(),
                "constant-time",
                uints[0].clone(),
                move |x, i| {
                    let m = own.decrypt_raw(&mut SysRng, &uints[i % uints.len()]);
                    *x = m.expect("the key is right");
                },
                |x| from_uint(x),
            );
        }
        bench.contest(contest);
        batch(bench, bits, &key, &inputs);
    }
}

/// Measures eight operations with one key, on one core. The time is for all eight.
fn batch(bench: &mut Bench, bits: u32, key: &Key, inputs: &[Limbs]) {
    let uints: Vec<_> = inputs.iter().map(|limbs| to_uint(limbs)).collect();
    let mut contest = Contest::new(batch_of(bits));
    let theirs = (OpenSslKey::new(key, inputs), Limbs::new());
    contest.enter(
        "OpenSSL",
        "",
        theirs,
        |(key, sum), i| {
            sum.clear();
            for place in 0..BATCH {
                key.decrypt(i + place);
                sum.extend(key.value());
            }
        },
        |(_, sum)| sum.clone(),
    );
    for kernel in bench.kernels.clone() {
        let (own, uints) = (private_key(key, kernel), &uints);
        contest.enter(
            kernel.name(),
            "constant-time",
            vec![uints[0].clone()],
            move |out, i| {
                let values = (0..BATCH).map(|place| &uints[(i + place) % uints.len()]);
                let powers = own.decrypt_raw_batch(&mut SysRng, values).into_iter();
                *out = powers.map(|power| power.expect("the key is right")).collect();
            },
            |out| out.iter().flat_map(from_uint).collect(),
        );
    }
    bench.contest(contest);
}
