//! Products of powers of variable bases.

use super::operations::operands;
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Numbers, from_uint, to_uint, trim},
    rivals::gmp::Integer,
};

/// Products of many public powers, or of few secret ones.
pub const SECTION: Section = Section {
    name: "multi-power",
    title: "Products of powers, x^a·y^b·…, exponents of 256 bits, modulus of 3072",
    about: "The bases vary. On one core, `Modulus::multi_pow_vartime` and `Modulus::multi_pow` are compared with \
            one `mpz_powm` for each base, and with single powers by moduli that are multiplied together. The \
            time is that of the whole product.",
    baseline: "mpz_powm",
    run,
};

/// The contests' names, with their numbers of bases.
pub const COUNTS: [(&str, usize); 3] = [("8 bases", 8), ("100 bases", 100), ("1000 bases", 1000)];

fn run(bench: &mut Bench) {
    let (modulus, ..) = operands(3072);
    let counts = if bench.quick { &COUNTS[..1] } else { &COUNTS };
    for &(name, count) in counts {
        let mut numbers = Numbers::new(count as u64);
        let bases: Vec<_> = (0..count).map(|_| numbers.below(3071)).collect();
        let exponents: Vec<_> = (0..count).map(|_| numbers.exactly(256)).collect();
        let integers = |all: &[Vec<u64>]| all.iter().map(|x| Integer::new(x)).collect::<Vec<_>>();
        let pairs: Vec<_> =
            bases.iter().map(|x| to_uint(x)).zip(exponents.iter().map(|e| to_uint(e))).collect();
        let pairs = &pairs;
        let mut contest = Contest::new(name);
        let scratch = (Integer::default(), Integer::default(), Integer::default());
        contest.enter(
            "mpz_powm",
            "",
            (integers(&bases), integers(&exponents), Integer::new(&modulus), scratch),
            |(bases, exponents, n, (product, power, scratch)), _| {
                product.assign(&[1]);
                for (x, e) in bases.iter().zip(exponents) {
                    power.powm(x, e, n);
                    product.multiply(power, n, scratch);
                }
            },
            |(_, _, _, (product, ..))| trim(product.limbs()),
        );
        for own in bench.moduli(&modulus) {
            for secret in [true, false] {
                let word = if secret { "constant-time" } else { "public" };
                let together = own.clone();
                contest.enter(
                    format!("{} {word}", own.kernel_name()),
                    "",
                    to_uint(&[1]),
                    move |product, _| {
                        let pairs = pairs.iter().map(|(x, e)| (x, e));
                        let result = if secret {
                            together.multi_pow(pairs)
                        } else {
                            together.multi_pow_vartime(pairs)
                        };
                        *product = result.expect("no exponent has a sign");
                    },
                    |product| from_uint(product),
                );
                let single = own.clone();
                contest.enter(
                    format!("{} {word}, one by one", own.kernel_name()),
                    "",
                    to_uint(&[1]),
                    move |result, _| {
                        let mut product = single.element(&to_uint(&[1]));
                        for (x, e) in pairs {
                            let power = if secret {
                                single.pow(x, e)
                            } else {
                                single.pow_vartime(x, e).expect("no exponent has a sign")
                            };
                            product =
                                product.try_mul(&single.element(&power)).expect("the modulus is the same");
                        }
                        *result = product.to_uint();
                    },
                    |product| from_uint(product),
                );
            }
        }
        bench.contest(contest);
    }
}
