//! Compares the private operations per second, with blinding, CRT and the check, with those of `openssl
//! speed`, in turns.
//!
//! Other processes may be running on this machine. So the best round counts for speeds, and the median of the
//! ratios, each within a round. Pin it to one core:
//! `taskset -c 0 cargo run --release --manifest-path bench/Cargo.toml --example rsa_measured [ROUNDS]`

use std::{hint::black_box, process::Command, time::Instant};

use crypto_bigint::{BoxedUint, ConcatenatingMul, NonZero, Resize};
use crypto_primes::{Flavor, random_prime};
use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::scheme::rsa::PrivateKey;

/// OpenSSL's setting without AVX-512. AVX2, BMI and ADX stay enabled.
const NO_AVX512: &str = ":~0xdc230000";

fn main() {
    let rounds = std::env::args().nth(1).map_or(5, |text| text.parse().expect("a number of rounds"));
    println!("{}", version());
    println!("private operations a second, best rounds; medians of the ratios");
    println!(
        "{:>5} {:>10} {:>10} {:>6} {:>14} {:>6}",
        "bits", "moduli", "OpenSSL", "ratio", "no AVX-512", "ratio"
    );
    for bits in [2048, 3072, 4096] {
        let key = key(bits);
        let c = BoxedUint::from_be_slice_vartime(&vec![0x5a; bits as usize / 8 - 1]);
        let rounds: Vec<[f64; 3]> = (0..rounds)
            .map(|_| [rate(&key, &c), openssl(bits, None), openssl(bits, Some(NO_AVX512))])
            .collect();
        let [ours, theirs, theirs_avx2] =
            [0, 1, 2].map(|i| rounds.iter().map(|round| round[i]).fold(0.0, f64::max));
        let [ratio, ratio_avx2] =
            [1, 2].map(|i| median(rounds.iter().map(|round| round[0] / round[i]).collect()));
        println!("{bits:>5} {ours:>10.1} {theirs:>10.1} {ratio:>6.2} {theirs_avx2:>14.1} {ratio_avx2:>6.2}",);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The processor time of this thread in seconds, as the kernel counts it; `openssl speed` counts in the same
/// way. If the kernel does not count it, the seconds since the start.
fn computed(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

/// The operations per second, measured for one second.
fn rate(key: &PrivateKey, c: &BoxedUint) -> f64 {
    let (start, mut count) = (Instant::now(), 0);
    let before = computed(start);
    loop {
        for _ in 0..8 {
            black_box(key.decrypt_raw(&mut SysRng, black_box(c)).expect("a right result"));
        }
        count += 8;
        let seconds = computed(start) - before;
        if seconds >= 1.0 {
            return f64::from(count) / seconds;
        }
    }
}

/// Signatures per second by `openssl speed`, with its default blinding; 0 if it is missing.
fn openssl(bits: u32, capabilities: Option<&str>) -> f64 {
    let mut command = Command::new("openssl");
    command.args(["speed", "-mr", "-seconds", "1", &format!("rsa{bits}")]);
    if let Some(capabilities) = capabilities {
        command.env("OPENSSL_ia32cap", capabilities);
    }
    let Ok(output) = command.output() else { return 0.0 };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // +F2:index:bits:signatures per second:verifications per second
    let line = text.lines().find_map(|line| line.strip_prefix("+F2:"));
    line.and_then(|line| line.split(':').nth(2)?.parse::<f64>().ok()).unwrap_or_default()
}

fn version() -> String {
    let output = Command::new("openssl").arg("version").output();
    output.map_or("no OpenSSL".into(), |output| String::from_utf8_lossy(&output.stdout).trim().into())
}

/// A fresh key.
fn key(bits: u32) -> PrivateKey {
    let e = BoxedUint::from(65_537u64);
    loop {
        let mut rng = UnwrapErr(SysRng);
        let [p, q]: [BoxedUint; 2] = [0; 2].map(|_| random_prime(&mut rng, Flavor::Any, bits / 2));
        let n = p.concatenating_mul(&q);
        let one = BoxedUint::one();
        let order = p.wrapping_sub(&one).concatenating_mul(q.wrapping_sub(&one));
        let order: NonZero<BoxedUint> = Option::from(NonZero::new(order)).expect("primes are greater than 1");
        let d = (&e).resize_unchecked(order.bits_precision()).invert_mod(&order);
        if let Some(d) = Option::<BoxedUint>::from(d)
            && n.bits_vartime() == bits
        {
            return PrivateKey::from_components(&n, &e, &d, &p, &q).expect("a key");
        }
    }
}
