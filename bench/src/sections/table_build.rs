//! Building tables.

use moduli::{FixedBase, MemorySize};

use super::{
    fixed_base::{EXPONENT_BITS, random_exponents},
    operations::operands,
};
use crate::{
    bench::{Bench, Section},
    contest::Contest,
    numbers::{from_uint, to_uint},
    rivals::{
        gmp::Montgomery,
        gmp_fixed::{Comb, Plain, Radix8, teeth},
    },
};

/// The time until a table can be used.
pub const SECTION: Section = Section {
    name: "table-build",
    title: "Building a table, exponent/modulus in bits, budget",
    about: "On one core, for secret exponents, planning included. The comb and the radix-2^8 table over GMP are \
            those of the section on fixed bases. To compare results, the benchmark computes powers with the new \
            tables.",
    baseline: "comb over GMP",
    run,
};

fn run(bench: &mut Bench) {
    let (kib, mib) = (MemorySize::kib, MemorySize::mib);
    let sizes: &[(u32, MemorySize)] = match bench.quick {
        true => &[(3072, kib(256))],
        false => &[
            (2048, kib(256)),
            (3072, kib(64)),
            (3072, kib(256)),
            (3072, mib(1)),
            (3072, mib(4)),
            (4096, mib(4)),
        ],
    };
    for &(bits, budget) in sizes {
        let (modulus, _, base) = operands(bits);
        let e = random_exponents(EXPONENT_BITS, 1).remove(0);
        let teeth = teeth(budget.0, bits, EXPONENT_BITS).min(16);
        let (uint, exponent) = (to_uint(&base), to_uint(&e));
        let moduli = bench.moduli(&modulus);
        let mut contest = Contest::new(super::fixed_base::name(bits, budget)).warm(0.0);
        contest.enter(
            "comb over GMP",
            format!("{teeth} teeth"),
            None,
            |table, _| *table = Some(Comb::new(Plain::new(&modulus), &base, EXPONENT_BITS, teeth)),
            |table| {
                let table = table.as_mut().expect("it was built");
                table.power(&e);
                table.value()
            },
        );
        contest.enter(
            "radix 2^8 over GMP redc",
            "",
            None,
            |table, _| *table = Some(Radix8::new(Montgomery::new(&modulus), &base, EXPONENT_BITS)),
            |table| {
                let table = table.as_mut().expect("it was built");
                table.power(&e);
                table.value()
            },
        );
        for own in &moduli {
            let builder = FixedBase::builder(own, &uint).exponent_bits(EXPONENT_BITS).budget(budget);
            let shape = builder.plan().expect("the budget has room for a table").shape;
            let uint = &uint;
            contest.enter(
                own.kernel_name(),
                shape.to_string(),
                None,
                move |table, _| {
                    let builder = FixedBase::builder(own, uint).exponent_bits(EXPONENT_BITS).budget(budget);
                    *table = Some(builder.build().expect("the budget has room for a table"));
                },
                |table| {
                    let power = table.as_ref().expect("it was built").pow(&exponent);
                    from_uint(&power.expect("the exponent is as long as was said"))
                },
            );
        }
        bench.contest(contest);
    }
}
