//! Many powers of a fixed base at once.

use moduli::{FixedBase, MemorySize, Secrecy};

use super::{
    fixed_base::{EXPONENT_BITS, random_exponents},
    operations::operands,
};
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{from_uint, to_uint, trim},
    rivals::gmp::Integer,
};

/// The number of exponents in a batch.
pub const COUNT: usize = 64;

/// Powers of one base for many exponents, on one core.
pub const SECTION: Section = Section {
    name: "fixed-batch",
    title: "A batch of powers of a fixed base, exponent/modulus in bits, budget",
    about: "64 exponents at a time on one core: `pow_batch` and `pow_batch_vartime`, with tables planned for \
            such batches (`Builder::batch`). The time is that of the whole batch.",
    baseline: "mpz_powm",
    run,
};

/// The name of a contest.
pub fn name(bits: u32, budget: MemorySize) -> String {
    format!("{EXPONENT_BITS}/{bits}, {budget}")
}

fn run(bench: &mut Bench) {
    let (kib, mib) = (MemorySize::kib, MemorySize::mib);
    let sizes: &[(u32, &[MemorySize])] = match bench.quick {
        true => &[(3072, &[mib(4)])],
        false => {
            &[(2048, &[mib(4)]), (3072, &[kib(256), mib(1), mib(4), mib(16), mib(64)]), (4096, &[mib(4)])]
        }
    };
    for &(bits, budgets) in sizes {
        for &budget in budgets {
            one(bench, bits, budget);
        }
    }
}

fn one(bench: &mut Bench, bits: u32, budget: MemorySize) {
    let (modulus, _, base) = operands(bits);
    let exponents = random_exponents(EXPONENT_BITS, 4096);
    // The first exponent of a batch. The exponents are used cyclically.
    let start = |i: usize| i * COUNT % exponents.len();
    let uints: Vec<_> = exponents.iter().map(|limbs| to_uint(limbs)).collect();
    let uints = &uints;
    let mut contest = Contest::new(name(bits, budget)).warm(0.5);
    for secret in [false, true] {
        let results: Vec<Integer> = (0..COUNT).map(|_| Integer::default()).collect();
        let integers: Vec<Integer> = exponents.iter().map(|limbs| Integer::new(limbs)).collect();
        contest.enter(
            if secret { "mpz_powm_sec" } else { "mpz_powm" },
            "",
            (Integer::new(&base), integers, Integer::new(&modulus), results),
            move |(base, exponents, n, out), i| {
                for (e, out) in exponents[start(i)..].iter().zip(out) {
                    if secret {
                        out.powm_sec(base, e, n);
                    } else {
                        out.powm(base, e, n);
                    }
                }
            },
            |(.., out)| out.iter().flat_map(|x| trim(x.limbs())).collect(),
        );
    }
    for own in bench.moduli(&modulus) {
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let base = to_uint(&base);
            let builder = FixedBase::builder(&own, &base).exponent_bits(EXPONENT_BITS).batch(COUNT as u64);
            let fixed =
                builder.budget(budget).secrecy(secrecy).build().expect("the budget has room for a table");
            let shape = fixed.shape().to_string();
            let word = if secrecy == Secrecy::Secret { "constant-time" } else { "public" };
            contest.enter(
                format!("{} {word}", own.kernel_name()),
                shape,
                (fixed, Vec::new()),
                move |(fixed, out), i| {
                    let batch = &uints[start(i)..][..COUNT];
                    let powers = match secrecy {
                        Secrecy::Secret => fixed.pow_batch(batch),
                        Secrecy::Public => fixed.pow_batch_vartime(batch),
                    };
                    *out = powers.into_iter().flatten().collect();
                },
                |(_, out)| out.iter().flat_map(from_uint).collect(),
            );
        }
    }
    bench.contest(contest);
}
