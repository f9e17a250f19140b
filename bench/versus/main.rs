//! Two versions of the library in one process, in turn: `make versus BASE=<commit>` builds this against both.

use std::{hint::black_box, time::Instant};

use crypto_bigint::BoxedUint;

/// Rounds; the ratio within each counts.
const ROUNDS: usize = 301;

/// Nanoseconds of one version in one round.
const TURN: f64 = 400_000.0;

fn number(bits: u32, seed: u64) -> BoxedUint {
    let mut state = seed;
    let words = (0..bits.div_ceil(64)).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_left(32) ^ state >> 7
    });
    let number = BoxedUint::from_words(words);
    let spare = number.bits_precision() - bits;
    number.shl(spare).shr(spare)
}

fn time(work: &mut dyn FnMut(), count: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        work();
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

fn contest(name: &str, mut base: impl FnMut(), mut new: impl FnMut()) {
    time(&mut base, 3);
    time(&mut new, 3);
    let count = ((TURN / time(&mut base, 3)) as usize).max(1);
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (of_base, of_new) = if round % 2 == 0 {
            let of_base = time(&mut base, count);
            (of_base, time(&mut new, count))
        } else {
            let of_new = time(&mut new, count);
            (time(&mut base, count), of_new)
        };
        times.push(of_base);
        ratios.push(of_new / of_base);
    }
    times.sort_by(f64::total_cmp);
    ratios.sort_by(f64::total_cmp);
    let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[ROUNDS * quarter / 4]);
    println!("{name:<40} {:>12.0} ns  {middle:.3}  ({low:.3} to {high:.3})", times[ROUNDS / 2]);
}

/// Powers of a variable base and of a comb, which every version agrees on.
macro_rules! powers {
    ($kernel:ident, $exponent_bits:literal, $bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let (p, x, e) = (number($bits, 7) | edges, number($bits - 1, 8), number($exponent_bits, 9));
        let base = base::Modulus::with_kernel(&p, base::KernelChoice::$kernel).expect("a modulus");
        let new = new::Modulus::with_kernel(&p, new::KernelChoice::$kernel).expect("a modulus");
        assert_eq!(base.pow(&x, &e).ok(), new.pow(&x, &e).ok());
        let name = |what| format!("{what}, {}, {} of {} bits", stringify!($kernel), $exponent_bits, $bits);
        contest(&name("pow"), || drop(black_box(base.pow(&x, &e))), || drop(black_box(new.pow(&x, &e))));
        let g = BoxedUint::from(3u64);
        macro_rules! table {
            ($version:ident) => {
                $version::FixedBase::builder(&$version, &g)
                    .exponent_bits($exponent_bits)
                    .method("comb:6,4".parse().expect("a method"))
                    .build()
                    .expect("a table")
            };
        }
        let (base, new) = (table!(base), table!(new));
        assert_eq!(base.pow(&e).ok(), new.pow(&e).ok());
        contest(&name("comb"), || drop(black_box(base.pow(&e))), || drop(black_box(new.pow(&e))));
    }};
}

/// The private operation.
macro_rules! rsa {
    ($file:literal, $bits:literal) => {{
        let pem = include_str!(concat!("../../crates/moduli/src/scheme/rsa/", $file));
        let base = base::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let new = new::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let (c, rng) = (number($bits - 2, 5), &mut getrandom::SysRng);
        assert_eq!(base.decrypt_raw(rng, &c).ok(), new.decrypt_raw(rng, &c).ok());
        let of_base = || drop(black_box(base.decrypt_raw(&mut getrandom::SysRng, &c)));
        contest(concat!("RSA ", $bits), of_base, || {
            drop(black_box(new.decrypt_raw(&mut getrandom::SysRng, &c)));
        });
    }};
}

fn main() {
    println!("{:<40} {:>15}  new against it, median (quartiles)", "", "base version");
    rsa!("example-2048.pem", 2048);
    rsa!("example-3072.pem", 3072);
    rsa!("example-4096.pem", 4096);
    powers!(Detect, 256, 256);
    powers!(Detect, 512, 512);
    powers!(Detect, 1024, 1024);
    powers!(Detect, 256, 2048);
    powers!(Detect, 256, 3072);
    powers!(Detect, 4096, 4096);
    powers!(Portable, 256, 256);
    powers!(Portable, 256, 2048);
    if base::KernelChoice::Adx.is_supported() {
        powers!(Adx, 256, 256);
        powers!(Adx, 256, 2048);
    }
    if base::KernelChoice::Fma50.is_supported() {
        powers!(Fma50, 256, 2048);
        powers!(Fma50, 2048, 2048);
    }
}
