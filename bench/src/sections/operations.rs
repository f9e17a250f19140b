//! Single products and squarings: the code that both sections share.

use crypto_bigint::{
    Odd,
    modular::{BoxedMontyForm, BoxedMontyParams},
};

use crate::{
    bench::Bench,
    contest::Contest,
    numbers::{Limbs, Numbers, from_uint, to_uint, trim},
    residues::Residues,
    rivals::{
        AwsLc, OpenSsl,
        gmp::{Integer, Montgomery},
    },
};

/// The operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// x·b.
    Multiply,
    /// x².
    Square,
}

/// The parameters of crypto-bigint's Montgomery forms.
pub fn monty_params(modulus: &[u64]) -> BoxedMontyParams {
    let odd: Option<Odd<_>> = to_uint(modulus).into_odd().into();
    BoxedMontyParams::new(odd.expect("moduli are odd"))
}

/// A modulus of `bits` bits and two numbers below it. The second one has no common factor with the modulus,
/// so that every method can be used.
pub fn operands(bits: u32) -> (Limbs, Limbs, Limbs) {
    let mut numbers = Numbers::new(bits.into());
    let modulus = numbers.odd(bits);
    let below = |numbers: &mut Numbers| {
        let mut x = numbers.below(bits - 1);
        x.resize(modulus.len(), 0);
        x
    };
    let (x, mut b) = (below(&mut numbers), below(&mut numbers));
    while !Integer::default().invert(&Integer::new(&b), &Integer::new(&modulus)) {
        b[0] ^= numbers.word() >> 1;
    }
    (modulus, x, b)
}

/// Measures an operation at all sizes.
pub fn run(bench: &mut Bench, operation: Operation) {
    let sizes: &[u32] = match bench.quick {
        true => &[2048, 4096],
        false => &[1024, 2048, 3072, 4096, 7680, 8192, 15360],
    };
    for &bits in sizes {
        let (modulus, x, b) = operands(bits);
        let mut contest = Contest::new(format!("{bits}"));
        let montgomery = Montgomery::new(&modulus);
        let state = (montgomery.to_montgomery(&x), montgomery.to_montgomery(&b), montgomery.clone());
        contest.enter(
            "GMP mul+redc",
            montgomery.reduction(),
            state,
            move |(x, b, montgomery), _| match operation {
                Operation::Multiply => montgomery.multiply(x, b),
                Operation::Square => montgomery.square(x),
            },
            |(x, _, montgomery)| montgomery.from_montgomery(x),
        );
        let state = (Integer::new(&x), Integer::new(&b), Integer::new(&modulus), Integer::default());
        contest.enter(
            "GMP mpz",
            "",
            state,
            move |(x, b, n, scratch), _| match operation {
                Operation::Multiply => x.multiply(b, n, scratch),
                Operation::Square => x.square(n, scratch),
            },
            |(x, ..)| trim(x.limbs()),
        );
        contest.enter(
            "OpenSSL",
            "",
            OpenSsl::new(&modulus, &x, &b).to_montgomery(),
            move |library, _| match operation {
                Operation::Multiply => library.multiply(),
                Operation::Square => library.square(),
            },
            OpenSsl::from_montgomery,
        );
        contest.enter(
            "AWS-LC",
            "",
            AwsLc::new(&modulus, &x, &b).to_montgomery(),
            move |library, _| match operation {
                Operation::Multiply => library.multiply(),
                Operation::Square => library.square(),
            },
            AwsLc::from_montgomery,
        );
        let params = monty_params(&modulus);
        let form = |x: &[u64]| BoxedMontyForm::new(to_uint(x), &params);
        contest.enter(
            "crypto-bigint",
            "",
            (form(&x), form(&b)),
            move |(x, b), _| match operation {
                Operation::Multiply => *x *= &*b,
                Operation::Square => *x = x.square(),
            },
            |(x, _)| from_uint(&x.retrieve()),
        );
        for own in bench.moduli(&modulus) {
            contest.enter(
                own.kernel_name(),
                "",
                Residues::new(&own, &x, &b, 1),
                move |residues, _| match operation {
                    Operation::Multiply => residues.multiply(),
                    Operation::Square => residues.square(),
                },
                Residues::value,
            );
        }
        bench.contest(contest);
    }
}
