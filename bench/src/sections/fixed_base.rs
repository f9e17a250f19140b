//! Powers of a fixed base, for different memory budgets of the tables.

use moduli::{FixedBase, MemorySize, Modulus, Secrecy};

use super::operations::operands;
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Limbs, Numbers, from_uint, to_uint, trim},
    rivals::{
        gmp::{Integer, Montgomery},
        gmp_fixed::{Comb, Plain, Radix8, teeth},
    },
};

/// Powers of a base that is known in advance.
pub const SECTION: Section = Section {
    name: "fixed-base",
    title: "Fixed base, exponent/modulus in bits, budget",
    about: "The planner chooses tables within the budget, for secret exponents (`pow`) and for public ones \
            (`pow_vartime`). GMP computes `mpz_powm` and `mpz_powm_sec`. Two table methods are implemented over \
            GMP: a comb with a single table within the same budget, as in gmpmee, and a radix-2^8 table of any \
            size, as in ElectionGuard (4 MiB for 256/4096). These two choose entries by address, so they are not \
            constant-time. They multiply by `mpz_mul` and `mpz_mod` or, in the columns marked redc, by GMP's \
            Montgomery products.",
    baseline: "mpz_powm",
    run,
};

/// The length of the exponents.
pub const EXPONENT_BITS: u32 = 256;

/// Random exponents, which may have leading zeros, for an average over all exponents.
pub fn random_exponents(bits: u32, count: usize) -> Vec<Limbs> {
    let mut numbers = Numbers::new(0xf + u64::from(bits));
    (0..count).map(|_| numbers.below(bits)).collect()
}

/// The name of a contest.
pub fn name(bits: u32, budget: MemorySize) -> String {
    format!("{EXPONENT_BITS}/{bits}, {budget}")
}

fn table(modulus: &Modulus, base: &Limbs, budget: MemorySize, secrecy: Secrecy) -> FixedBase {
    let base = to_uint(base);
    let builder = FixedBase::builder(modulus, &base).exponent_bits(EXPONENT_BITS);
    builder.budget(budget).secrecy(secrecy).build().expect("the budget has room for a table")
}

fn run(bench: &mut Bench) {
    let (kib, mib) = (MemorySize::kib, MemorySize::mib);
    let all = [kib(64), kib(256), mib(1), mib(4), mib(16), mib(64)];
    let sizes: &[(u32, &[MemorySize])] = match bench.quick {
        true => &[(3072, &[mib(1), mib(4)]), (4096, &[mib(4)])],
        false => &[(2048, &all), (3072, &all), (4096, &all)],
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
    let at = |i: usize| &exponents[i % exponents.len()];
    let uints: Vec<_> = exponents.iter().map(|limbs| to_uint(limbs)).collect();
    let uints = &uints;
    let mut contest = Contest::new(name(bits, budget)).warm(0.5);
    let integers = || {
        let exponents: Vec<Integer> = exponents.iter().map(|limbs| Integer::new(limbs)).collect();
        (Integer::default(), Integer::new(&base), exponents, Integer::new(&modulus))
    };
    contest.enter(
        "mpz_powm",
        "",
        integers(),
        |(x, base, exponents, n), i| x.powm(base, &exponents[i % exponents.len()], n),
        |(x, ..)| trim(x.limbs()),
    );
    contest.enter(
        "mpz_powm_sec",
        "",
        integers(),
        |(x, base, exponents, n), i| x.powm_sec(base, &exponents[i % exponents.len()], n),
        |(x, ..)| trim(x.limbs()),
    );
    let teeth = teeth(budget.0, bits, EXPONENT_BITS).min(16);
    let detail = format!("{teeth} teeth");
    let montgomery = Montgomery::new(&modulus);
    contest.enter(
        "comb over GMP",
        detail.clone(),
        Comb::new(Plain::new(&modulus), &base, EXPONENT_BITS, teeth),
        |comb, i| comb.power(at(i)),
        Comb::value,
    );
    contest.enter(
        "comb over GMP redc",
        detail,
        Comb::new(montgomery.clone(), &base, EXPONENT_BITS, teeth),
        |comb, i| comb.power(at(i)),
        Comb::value,
    );
    contest.enter(
        "radix 2^8 over GMP",
        "",
        Radix8::new(Plain::new(&modulus), &base, EXPONENT_BITS),
        |table, i| table.power(at(i)),
        Radix8::value,
    );
    contest.enter(
        "radix 2^8 over GMP redc",
        "",
        Radix8::new(montgomery, &base, EXPONENT_BITS),
        |table, i| table.power(at(i)),
        Radix8::value,
    );
    for own in bench.moduli(&modulus) {
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let fixed = table(&own, &base, budget, secrecy);
            let shape = fixed.shape().to_string();
            let word = if secrecy == Secrecy::Secret { "constant-time" } else { "public" };
            contest.enter(
                format!("{} {word}", own.kernel_name()),
                shape,
                (fixed, to_uint(&base)),
                move |(fixed, x), i| {
                    let e = &uints[i % uints.len()];
                    let power = match secrecy {
                        Secrecy::Secret => fixed.pow(e),
                        Secrecy::Public => fixed.pow_vartime(e),
                    };
                    *x = power.expect("the exponent is as long as was said");
                },
                |(_, x)| from_uint(x),
            );
        }
    }
    bench.contest(contest);
}
