//! Modular inverses.

use moduli::Modulus;
use moduli_rns::{
    base::BaseShape,
    inverse::{BinaryTernary, Jump, Options, Wide},
};

use super::operations::operands;
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Limbs, Numbers, from_uint, to_uint, trim},
    rivals::{AwsLc, OpenSsl, gmp::Integer},
};

/// Single inversions, and a batch of a thousand.
pub const SECTION: Section = Section {
    name: "inversion",
    title: "Modular inversion, modulus in bits",
    about: "One inversion of a random value: by moduli's constant-time and variable-time functions, by three \
            methods in a residue number system, and by `mpz_invert`, `BN_mod_inverse` and crypto-bigint's \
            safegcd. For the batch, `Modulus::invert_batch` of 1000 values on one core is compared with 1000 \
            calls of `mpz_invert`; the time is that of all values.",
    baseline: "mpz_invert",
    run,
};

/// The name of the contest of the batch.
pub const BATCH: &str = "1000 values, 2048";

/// A modulus of `bits` bits without the factors 2 and 3, and values that have an inverse.
fn problem(bits: u32, count: usize) -> (Limbs, Vec<Limbs>) {
    let (mut modulus, ..) = operands(bits);
    let invertible = |x: &[u64], n: &[u64]| Integer::default().invert(&Integer::new(x), &Integer::new(n));
    while !invertible(&[6], &modulus) {
        modulus[0] ^= 2;
        modulus[0] = modulus[0].wrapping_add(4);
    }
    let mut numbers = Numbers::new(0x1 + u64::from(bits));
    let mut values = Vec::new();
    while values.len() < count {
        let mut x = numbers.below(bits - 1);
        x.resize(modulus.len(), 0);
        if invertible(&x, &modulus) {
            values.push(x);
        }
    }
    (modulus, values)
}

fn run(bench: &mut Bench) {
    let sizes: &[u32] = if bench.quick { &[256, 2048] } else { &[256, 384, 521, 2048] };
    for &bits in sizes {
        single(bench, bits);
    }
    batch(bench);
}

fn single(bench: &mut Bench, bits: u32) {
    let (modulus, values) = problem(bits, 64);
    let uints: Vec<_> = values.iter().map(|limbs| to_uint(limbs)).collect();
    let (uints, zero) = (&uints, to_uint(&[0]));
    let own = Modulus::new(&to_uint(&modulus)).expect("the modulus is odd");
    let p = own.value();
    let at = |i: usize| &uints[i % uints.len()];
    let shape = BaseShape { channels: (bits as usize + 5).div_ceil(64), width: 64 };
    let options = Options::default();
    let jump = Jump::new(p, shape, 32).expect("the shape holds the modulus");
    let wide = Wide::new(p, 144, shape, &options).expect("the modulus has no factor 2 or 3");
    let ternary = BinaryTernary::new(p, shape, &options).expect("the modulus has no factor 2 or 3");
    let mut contest = Contest::new(format!("{bits}"));
    let integers: Vec<Integer> = values.iter().map(|limbs| Integer::new(limbs)).collect();
    contest.enter(
        "mpz_invert",
        "",
        (Integer::default(), integers, Integer::new(&modulus)),
        |(x, values, n), i| assert!(x.invert(&values[i % values.len()], n)),
        |(x, ..)| trim(x.limbs()),
    );
    let library = OpenSsl::new(&modulus, &values[0], &values[0]).with_exponents(&values);
    contest.enter("OpenSSL", "", library, OpenSsl::invert, OpenSsl::value);
    let library = AwsLc::new(&modulus, &values[0], &values[0]).with_exponents(&values);
    contest.enter("AWS-LC", "", library, AwsLc::invert, AwsLc::value);
    let right = "the value has an inverse";
    contest.enter(
        "crypto-bigint",
        "constant-time",
        zero.clone(),
        |x, i| *x = Option::from(at(i).invert_odd_mod(p)).expect(right),
        |x| from_uint(x),
    );
    contest.enter(
        "invert",
        "constant-time",
        zero.clone(),
        |x, i| *x = own.invert(at(i)).expect(right),
        |x| from_uint(x),
    );
    contest.enter(
        "invert_vartime",
        "public",
        zero.clone(),
        |x, i| *x = own.invert_vartime(at(i)).expect(right),
        |x| from_uint(x),
    );
    contest.enter(
        "residues: jump",
        "constant-time",
        zero.clone(),
        |x, i| *x = jump.invert(at(i)).expect(right),
        |x| from_uint(x),
    );
    contest.enter(
        "residues: wide",
        "public",
        zero.clone(),
        |x, i| *x = wide.invert_vartime(at(i)).expect(right),
        |x| from_uint(x),
    );
    contest.enter(
        "residues: binary-ternary",
        "public",
        zero.clone(),
        |x, i| *x = ternary.invert_vartime(at(i)).expect(right),
        |x| from_uint(x),
    );
    bench.contest(contest);
}

fn batch(bench: &mut Bench) {
    let (modulus, values) = problem(2048, 1000);
    let uints: Vec<_> = values.iter().map(|limbs| to_uint(limbs)).collect();
    let moduli = bench.moduli(&modulus);
    let mut contest = Contest::new(BATCH).warm(0.0);
    let integers: Vec<Integer> = values.iter().map(|limbs| Integer::new(limbs)).collect();
    let out: Vec<Integer> = values.iter().map(|_| Integer::default()).collect();
    // The value of a batch: all inverses, one after the other.
    contest.enter(
        "mpz_invert",
        "",
        (out, integers, Integer::new(&modulus)),
        |(out, values, n), _| out.iter_mut().zip(values).for_each(|(x, value)| assert!(x.invert(value, n))),
        |(out, ..)| out.iter().flat_map(|x| trim(x.limbs())).collect(),
    );
    for own in &moduli {
        contest.enter(
            own.kernel_name(),
            "constant-time",
            Vec::new(),
            |out, _| *out = own.invert_batch(&uints),
            |out| out.iter().flatten().flat_map(from_uint).collect(),
        );
    }
    bench.contest(contest);
}
