//! s^x·t^y modulo a 3072-bit N.

use moduli::{FixedBase, MemorySize, MultiExponentiation, Secrecy};

use super::{fixed_base::random_exponents, operations::operands};
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{from_uint, to_uint, trim},
    rivals::{
        gmp::{Integer, Montgomery},
        gmp_fixed::{Bgmw, Plain},
    },
};

/// A commitment to two numbers.
pub const SECTION: Section = Section {
    name: "commitment",
    title: "s^x·t^y, exponents of 2022 and 3558 bits, modulus of 3072",
    about: "The bases s and t are fixed. moduli has 1 MiB of tables in total, and both tables share the \
            squarings of the longer exponent. The others are two calls of `mpz_powm`, and the method of \
            Brickell, Gordon, McCurley and Wilson (BGMW) in base 256 over GMP. BGMW computes both powers in one \
            pass, and is not constant-time.",
    baseline: "mpz_powm",
    run,
};

/// The only contest.
pub const CONTEST: &str = "1 MiB";

fn run(bench: &mut Bench) {
    const BITS: [u32; 2] = [2022, 3558];
    let (modulus, s, t) = operands(3072);
    let exponents: Vec<_> =
        random_exponents(BITS[0], 32).into_iter().zip(random_exponents(BITS[1], 32)).collect();
    let at = |i: usize| &exponents[i % exponents.len()];
    let pairs: Vec<_> = exponents.iter().map(|(x, y)| (Integer::new(x), Integer::new(y))).collect();
    let uints: Vec<_> = exponents.iter().map(|(x, y)| (to_uint(x), to_uint(y))).collect();
    let (uints, bases) = (&uints, [(s.clone(), BITS[0]), (t.clone(), BITS[1])]);
    let mut contest = Contest::new(CONTEST).warm(0.2);
    contest.enter(
        "mpz_powm",
        "",
        (
            Integer::default(),
            Integer::default(),
            Integer::default(),
            [&s, &t, &modulus].map(|x| Integer::new(x)),
        ),
        |(power, other, scratch, [s, t, n]), i| {
            let (x, y) = &pairs[i % pairs.len()];
            power.powm(s, x, n);
            other.powm(t, y, n);
            power.multiply(other, n, scratch);
        },
        |(power, ..)| trim(power.limbs()),
    );
    contest.enter(
        "BGMW over GMP",
        "base 256",
        Bgmw::new(Plain::new(&modulus), &bases),
        |bgmw, i| bgmw.power(&[&at(i).0, &at(i).1]),
        Bgmw::value,
    );
    contest.enter(
        "BGMW over GMP redc",
        "base 256",
        Bgmw::new(Montgomery::new(&modulus), &bases),
        |bgmw, i| bgmw.power(&[&at(i).0, &at(i).1]),
        Bgmw::value,
    );
    for own in bench.moduli(&modulus) {
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let table = |place: usize| {
                let (base, bits) = &bases[place];
                let budget = MemorySize((1 << 20) * u64::from(*bits) / u64::from(BITS[0] + BITS[1]));
                let base = to_uint(base);
                let builder = FixedBase::builder(&own, &base).exponent_bits(*bits).budget(budget);
                builder.secrecy(secrecy).build().expect("the budget has room for a table")
            };
            let tables = (table(0), table(1));
            let word = if secrecy == Secrecy::Secret { "constant-time" } else { "public" };
            contest.enter(
                format!("{} {word}", own.kernel_name()),
                format!("{} · {}", tables.0.shape(), tables.1.shape()),
                (tables, to_uint(&s)),
                move |((s, t), result), i| {
                    let (x, y) = &uints[i % uints.len()];
                    let product = MultiExponentiation::new([&*s, &*t]).expect("the modulus is the same");
                    let power = match secrecy {
                        Secrecy::Secret => product.pow([x, y]),
                        Secrecy::Public => product.pow_vartime([x, y]),
                    };
                    *result = power.expect("the exponents are as long as was said");
                },
                |(_, result)| from_uint(result),
            );
        }
    }
    bench.contest(contest);
}
