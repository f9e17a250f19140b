//! Exponentiations of a variable base.

use crypto_bigint::modular::BoxedMontyForm;

use super::operations::{monty_params, operands};
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Limbs, Numbers, from_uint, to_uint, trim},
    rivals::{AwsLc, OpenSsl, gmp::Integer},
};

/// A power of a variable base with a secret exponent.
pub const SECTION: Section = Section {
    name: "exponentiation",
    title: "Exponentiation, exponent/modulus in bits",
    about: "The base varies; base and exponent are secret. moduli computes `Modulus::pow`, conversions included, \
            and as its variable-time counterpart `Modulus::pow_vartime` (\"public\"). The others are `mpz_powm` \
            (not constant-time) and `mpz_powm_sec` of GMP; `BN_mod_exp_mont_consttime` of OpenSSL and of AWS-LC, \
            with a Montgomery context made in advance; and crypto-bigint, with parameters made in advance.",
    baseline: "mpz_powm",
    run,
};

/// Exponents of exactly `bits` bits.
pub fn exponents(bits: u32) -> Vec<Limbs> {
    let mut numbers = Numbers::new(0xe + u64::from(bits));
    (0..16).map(|_| numbers.exactly(bits)).collect()
}

fn run(bench: &mut Bench) {
    let sizes: &[(u32, u32)] = match bench.quick {
        true => &[(2048, 2048), (256, 3072)],
        false => &[
            (1024, 1024),
            (2048, 2048),
            (3072, 3072),
            (4096, 4096),
            (7680, 7680),
            (8192, 8192),
            (15360, 15360),
            (256, 2048),
            (256, 3072),
            (256, 4096),
        ],
    };
    for &(exponent_bits, bits) in sizes {
        let (modulus, _, base) = operands(bits);
        let exponents = exponents(exponent_bits);
        let uints: Vec<_> = exponents.iter().map(|limbs| to_uint(limbs)).collect();
        let (params, uint) = (monty_params(&modulus), to_uint(&base));
        let moduli = bench.moduli(&modulus);
        let mut contest = Contest::new(format!("{exponent_bits}/{bits}"));
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
        contest.enter(
            "OpenSSL",
            "",
            OpenSsl::new(&modulus, &base, &base).with_exponents(&exponents),
            OpenSsl::power,
            OpenSsl::value,
        );
        contest.enter(
            "AWS-LC",
            "",
            AwsLc::new(&modulus, &base, &base).with_exponents(&exponents),
            AwsLc::power,
            AwsLc::value,
        );
        // This candidate is four times slower than the others, so long exponents would take minutes.
        if exponent_bits <= 4096 {
            contest.enter(
                "crypto-bigint",
                "",
                uint.clone(),
                |x, i| {
                    *x = BoxedMontyForm::new(uint.clone(), &params).pow(&uints[i % uints.len()]).retrieve()
                },
                |x| from_uint(x),
            );
        }
        for own in &moduli {
            contest.enter(
                own.kernel_name(),
                "constant-time",
                uint.clone(),
                |x, i| *x = own.pow(&uint, &uints[i % uints.len()]),
                |x| from_uint(x),
            );
        }
        for own in &moduli {
            contest.enter(
                format!("{} vartime", own.kernel_name()),
                "public",
                uint.clone(),
                |x, i| {
                    *x = own.pow_vartime(&uint, &uints[i % uints.len()]).expect("the exponent is not signed")
                },
                |x| from_uint(x),
            );
        }
        bench.contest(contest);
    }
}
