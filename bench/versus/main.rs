//! Two versions of the library in one process, in turn: `make versus BASE=<commit>` builds this against both.

use std::{fmt::Debug, hint::black_box, time::Instant};

use crypto_bigint::BoxedUint;

/// Rounds; the ratio within each counts. Fewer of what takes long.
const ROUNDS: usize = 301;
const LONGEST: f64 = 3e9;

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

fn time<T>(work: &mut impl FnMut() -> T, count: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(work());
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

/// A power, of versions that can fail and of those that cannot.
trait Power {
    fn power(self) -> BoxedUint;
}

impl Power for BoxedUint {
    fn power(self) -> BoxedUint {
        self
    }
}

impl<E: Debug> Power for Result<BoxedUint, E> {
    fn power(self) -> BoxedUint {
        self.expect("a power")
    }
}

/// The values of a batch none of which fails.
fn all<T, E: Debug>(results: Vec<Result<T, E>>) -> Vec<T> {
    results.into_iter().map(|result| result.expect("a value")).collect()
}

/// Both versions give the same, then are timed in turn.
fn contest<T: Debug + PartialEq>(name: &str, mut base: impl FnMut() -> T, mut new: impl FnMut() -> T) {
    assert_eq!(base(), new(), "{name}: the versions differ");
    time(&mut base, 3);
    time(&mut new, 3);
    let once = time(&mut base, 3);
    let count = ((TURN / once) as usize).max(1);
    let rounds = ((LONGEST / (2.0 * once * count as f64)) as usize).clamp(31, ROUNDS);
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..rounds {
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
    let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[rounds * quarter / 4]);
    println!("{name:<40} {:>12.0} ns  {middle:.3}  ({low:.3} to {high:.3})", times[rounds / 2]);
}

/// A version's table of a comb for powers of 3.
macro_rules! table {
    ($version:ident, $modulus:expr, $exponent_bits:literal, $comb:literal) => {
        $version::FixedBase::builder(&$modulus, &BoxedUint::from(3u64))
            .exponent_bits($exponent_bits)
            .method($comb.parse().expect("a method"))
            .build()
            .expect("a table")
    };
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
        let name = |what| format!("{what}, {}, {} of {} bits", $kernel, $exponent_bits, $bits);
        contest(&name("pow"), || base.pow(&x, &e).power(), || new.pow(&x, &e).power());
        let (base, new) =
            (table!(base, base, $exponent_bits, "comb:6,4"), table!(new, new, $exponent_bits, "comb:6,4"));
        contest(&name("comb"), || base.pow(&e).expect("a power"), || new.pow(&e).expect("a power"));
    }};
}

/// Powers of tables without squarings, in pieces or not.
macro_rules! digits {
    ($method:literal, $split:literal, $bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let (p, e) = (number($bits, 7) | edges, number(256, 9));
        let (base, new) =
            (base::Modulus::new(&p).expect("a modulus"), new::Modulus::new(&p).expect("a modulus"));
        macro_rules! table {
            ($version:ident, $modulus:expr) => {
                $version::FixedBase::builder(&$modulus, &BoxedUint::from(3u64))
                    .exponent_bits(256)
                    .method($method.parse().expect("a method"))
                    .split($split)
                    .build()
                    .expect("a table")
            };
        }
        let (base, new) = (table!(base, base), table!(new, new));
        contest(
            concat!($method, " in ", $split, ", 256 of ", $bits),
            || base.pow(&e).expect("a power"),
            || new.pow(&e).expect("a power"),
        );
    }};
}

/// A signer with a table.
macro_rules! signer {
    ($version:ident) => {{
        let group = $version::groups::Group::named("dsa-3072-256").expect("a group");
        let (p, q, g) = (group.modulus(), group.order(), group.generator());
        let parameters = $version::scheme::dsa::DomainParameters::new(p, q, g).expect("parameters");
        let key = $version::scheme::dsa::PrivateKey::new(&parameters, &number(250, 77)).expect("a key");
        let modulus = $version::Modulus::new(p).expect("a modulus");
        let table = $version::FixedBase::builder(&modulus, g)
            .exponent_bits(256)
            .method("radix:44".parse().expect("a method"))
            .build()
            .expect("a table");
        let hash = $version::scheme::dsa::Hash::Sha256;
        $version::scheme::dsa::Signer::with_table(key, hash, table).expect("a signer")
    }};
}

/// The private operation.
macro_rules! rsa {
    ($file:literal, $bits:literal) => {{
        let pem = include_str!(concat!("../../crates/moduli/src/scheme/rsa/", $file));
        let base = base::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let new = new::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let c = number($bits - 2, 5);
        let of_base = || base.decrypt_raw(&mut getrandom::SysRng, &c).expect("a number");
        contest(concat!("RSA ", $bits), of_base, || {
            new.decrypt_raw(&mut getrandom::SysRng, &c).expect("a number")
        });
    }};
}

/// Eight private operations side by side.
macro_rules! rsa_batch {
    ($file:literal, $bits:literal) => {{
        let pem = include_str!(concat!("../../crates/moduli/src/scheme/rsa/", $file));
        let base = base::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let new = new::scheme::rsa::PrivateKey::from_pem(pem).expect("a key");
        let values: Vec<_> = (0..8).map(|i| number($bits - 2, 5 + i)).collect();
        let of_base = || all(base.decrypt_raw_batch(&mut getrandom::SysRng, &values));
        contest(concat!("RSA ", $bits, ", 8 at once"), of_base, || {
            all(new.decrypt_raw_batch(&mut getrandom::SysRng, &values))
        });
    }};
}

/// Eight powers side by side of variable bases.
macro_rules! batch {
    ($exponent_bits:literal, $bits:literal) => {{
        let edges = BoxedUint::one_with_precision($bits).shl($bits - 1) | BoxedUint::from(1u64);
        let p = number($bits, 7) | edges;
        let pairs: Vec<_> =
            (0..8).map(|i| (number($bits - 1, 8 + i), number($exponent_bits, 20 + i))).collect();
        let pairs: Vec<_> = pairs.iter().map(|(x, e)| (x, e)).collect();
        let (base, new) =
            (base::Modulus::new(&p).expect("a modulus"), new::Modulus::new(&p).expect("a modulus"));
        contest(
            concat!("pow_batch of 8, ", $exponent_bits, " of ", $bits),
            || all(base.pow_batch(pairs.iter().copied())),
            || all(new.pow_batch(pairs.iter().copied())),
        );
        (base, new)
    }};
}

/// The same, and of a comb.
macro_rules! batches {
    ($bits:literal) => {{
        let (base, new) = batch!(256, $bits);
        let exponents: Vec<BoxedUint> = (0..8).map(|i| number(256, 20 + i)).collect();
        let (base, new) = (table!(base, base, 256, "comb:6,4"), table!(new, new, 256, "comb:6,4"));
        contest(
            concat!("comb, 8 exponents, 256 of ", $bits),
            || all(base.pow_batch(&exponents)),
            || all(new.pow_batch(&exponents)),
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
        let (base, new) = (table!(base, base, 256, "comb:10,8"), table!(new, new, 256, "comb:10,8"));
        contest(
            concat!("comb of 10 teeth, 256 of ", $bits),
            || base.pow(&e).expect("a power"),
            || new.pow(&e).expect("a power"),
        );
        contest(
            concat!("the same, public, 256 of ", $bits),
            || base.pow_vartime(&e).expect("a power"),
            || new.pow_vartime(&e).expect("a power"),
        );
    }};
}

fn main() {
    println!("{:<40} {:>15}  new against it, median (quartiles)", "", "base version");
    rsa!("example-2048.pem", 2048);
    rsa!("example-3072.pem", 3072);
    rsa!("example-4096.pem", 4096);
    rsa_batch!("example-2048.pem", 2048);
    rsa_batch!("example-4096.pem", 4096);
    powers!("detect", 256, 256);
    powers!("detect", 512, 512);
    powers!("detect", 1024, 1024);
    powers!("detect", 256, 2048);
    powers!("detect", 256, 3072);
    powers!("detect", 4096, 4096);
    powers!("detect", 256, 7680);
    powers!("detect", 64, 15_360);
    powers!("portable", 256, 256);
    powers!("portable", 256, 2048);
    powers!("portable", 256, 7680);
    let is_supported = |name| base::KernelChoice::named(name).is_ok_and(|kernel| kernel.is_supported());
    if is_supported("adx") {
        powers!("adx", 256, 256);
        powers!("adx", 256, 2048);
        powers!("adx", 256, 7680);
    }
    if is_supported("fma50") {
        powers!("fma50", 256, 2048);
        powers!("fma50", 2048, 2048);
    }
    batches!(256);
    batches!(1024);
    batches!(2048);
    batches!(3072);
    batch!(512, 512);
    batch!(768, 768);
    batch!(1024, 1024);
    batch!(1200, 1200);
    batch!(2048, 2048);
    batch!(4096, 4096);
    look_ups!(3072);
    digits!("radix:44", 1, 3072);
    digits!("residue-digits:19,4", 2, 4096);
    let (base, new) = (signer!(base), signer!(new));
    // Nonces are made of the message, so that both sign alike.
    contest(
        "DSA signature, 256 of 3072",
        || format!("{:?}", base.sign(b"a message").expect("a signature")),
        || format!("{:?}", new.sign(b"a message").expect("a signature")),
    );
}
