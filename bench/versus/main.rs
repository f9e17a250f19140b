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
    ($kernel:literal, $exponent_bits:literal, $bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let (p, x, e) = (number($bits, 7) | edges, number($bits - 1, 8), number($exponent_bits, 9));
        let base = base::Modulus::with_kernel(&p, base::KernelChoice::named($kernel).expect("a kernel"))
            .expect("a modulus");
        let new = new::Modulus::with_kernel(&p, new::KernelChoice::named($kernel).expect("a kernel"))
            .expect("a modulus");
        assert_eq!(base.pow(&x, &e).ok(), new.pow(&x, &e).ok());
        let name = |what| format!("{what}, {}, {} of {} bits", $kernel, $exponent_bits, $bits);
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

/// Eight powers side by side, of a variable base and of a comb.
macro_rules! batch {
    ($bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let p = number($bits, 7) | edges;
        let pairs: Vec<_> = (0..8).map(|i| (number($bits - 1, 8 + i), number(256, 20 + i))).collect();
        let pairs: Vec<_> = pairs.iter().map(|(x, e)| (x, e)).collect();
        let exponents: Vec<&BoxedUint> = pairs.iter().map(|pair| pair.1).collect();
        let (base, new) =
            (base::Modulus::new(&p).expect("a modulus"), new::Modulus::new(&p).expect("a modulus"));
        contest(
            concat!("pow_batch of 8, 256 of ", $bits),
            || drop(black_box(base.pow_batch(pairs.iter().copied()))),
            || drop(black_box(new.pow_batch(pairs.iter().copied()))),
        );
        let g = BoxedUint::from(3u64);
        macro_rules! table {
            ($version:ident) => {
                $version::FixedBase::builder(&$version, &g)
                    .exponent_bits(256)
                    .method("comb:6,4".parse().expect("a method"))
                    .build()
                    .expect("a table")
            };
        }
        let (base, new) = (table!(base), table!(new));
        contest(
            concat!("comb, 8 exponents, 256 of ", $bits),
            || drop(black_box(base.pow_batch(exponents.iter().copied()))),
            || drop(black_box(new.pow_batch(exponents.iter().copied()))),
        );
    }};
}

/// Masked look-ups in long rows, and public ones.
macro_rules! look_ups {
    ($bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let (p, e) = (number($bits, 7) | edges, number(256, 9));
        let (base, new) =
            (base::Modulus::new(&p).expect("a modulus"), new::Modulus::new(&p).expect("a modulus"));
        let g = BoxedUint::from(3u64);
        macro_rules! table {
            ($version:ident) => {
                $version::FixedBase::builder(&$version, &g)
                    .exponent_bits(256)
                    .method("comb:10,8".parse().expect("a method"))
                    .build()
                    .expect("a table")
            };
        }
        let (base, new) = (table!(base), table!(new));
        contest(
            concat!("comb of 10 teeth, 256 of ", $bits),
            || drop(black_box(base.pow(&e))),
            || drop(black_box(new.pow(&e))),
        );
        contest(
            concat!("the same, public, 256 of ", $bits),
            || drop(black_box(base.pow_vartime(&e))),
            || drop(black_box(new.pow_vartime(&e))),
        );
    }};
}

fn main() {
    println!("{:<40} {:>15}  new against it, median (quartiles)", "", "base version");
    rsa!("example-2048.pem", 2048);
    rsa!("example-3072.pem", 3072);
    rsa!("example-4096.pem", 4096);
    powers!("detect", 256, 256);
    powers!("detect", 512, 512);
    powers!("detect", 1024, 1024);
    powers!("detect", 256, 2048);
    powers!("detect", 256, 3072);
    powers!("detect", 4096, 4096);
    powers!("detect", 256, 7680);
    powers!("portable", 256, 256);
    powers!("portable", 256, 2048);
    let is_supported = |name| base::KernelChoice::named(name).is_ok_and(|kernel| kernel.is_supported());
    if is_supported("adx") {
        powers!("adx", 256, 256);
        powers!("adx", 256, 2048);
    }
    if is_supported("fma50") {
        powers!("fma50", 256, 2048);
        powers!("fma50", 2048, 2048);
    }
    batch!(256);
    batch!(1024);
    batch!(2048);
    look_ups!(3072);
}
