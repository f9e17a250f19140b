//! Many exponentiations on one core.

use super::{exponentiation::exponents, operations::operands};
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{Numbers, from_uint, to_uint, trim},
    rivals::gmp::Integer,
};

/// The number of powers in a batch.
pub const COUNT: usize = 8;

/// Eight powers of different bases, on one core.
pub const SECTION: Section = Section {
    name: "batch",
    title: "A batch of eight exponentiations, exponent/modulus in bits",
    about: "Eight secret bases with eight secret exponents, on one core. moduli computes `Modulus::pow_batch`. \
            The time is that of the whole batch.",
    baseline: "mpz_powm",
    run,
};

fn run(bench: &mut Bench) {
    let sizes: &[(u32, u32)] = match bench.quick {
        true => &[(256, 2048)],
        false => {
            &[(1024, 1024), (2048, 2048), (3072, 3072), (4096, 4096), (256, 2048), (256, 3072), (256, 4096)]
        }
    };
    for &(exponent_bits, bits) in sizes {
        let (modulus, ..) = operands(bits);
        let mut numbers = Numbers::new(8);
        let bases: Vec<_> = (0..COUNT).map(|_| numbers.below(bits - 1)).collect();
        let exponents = exponents(exponent_bits);
        let own_bases: Vec<_> = bases.iter().map(|x| to_uint(x)).collect();
        let uints: Vec<_> = exponents.iter().map(|x| to_uint(x)).collect();
        let moduli = bench.moduli(&modulus);
        let mut contest = Contest::new(format!("{exponent_bits}/{bits}"));
        let integers = |all: &[Vec<u64>]| all.iter().map(|x| Integer::new(x)).collect::<Vec<_>>();
        // All candidates must agree on the product of the eight powers.
        let state =
            (integers(&bases), integers(&exponents), Integer::new(&modulus), integers(&vec![vec![]; COUNT]));
        contest.enter(
            "mpz_powm",
            "",
            state,
            |(bases, exponents, n, out), i| {
                for (place, (base, out)) in bases.iter().zip(out).enumerate() {
                    out.powm(base, &exponents[(i + place) % exponents.len()], n);
                }
            },
            |(_, _, n, out)| {
                let (mut product, mut scratch) = (Integer::new(&[1]), Integer::default());
                out.iter().for_each(|x| product.multiply(x, n, &mut scratch));
                trim(product.limbs())
            },
        );
        for own in &moduli {
            contest.enter(
                own.kernel_name(),
                "constant-time",
                own_bases.clone(),
                |out, i| {
                    let pairs = own_bases.iter().enumerate();
                    let pairs = pairs.map(|(place, base)| (base, &uints[(i + place) % uints.len()]));
                    *out = own.pow_batch(pairs).into_iter().flatten().collect();
                },
                |out| {
                    let first = own.element(&out[0]);
                    let product = out[1..].iter().fold(first, |product, x| {
                        product.try_mul(&own.element(x)).expect("the modulus is the same")
                    });
                    from_uint(&product.to_uint())
                },
            );
        }
        bench.contest(contest);
    }
}
