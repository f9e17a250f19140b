//! Modular products.

use super::operations::{self, Operation};
use crate::bench::{Bench, Section};

/// One modular product in a chain of them.
pub const SECTION: Section = Section {
    name: "multiplication",
    title: "Modular multiplication",
    about: "`x ← x·b`, repeated, in the Montgomery form of each library. \"GMP mul+redc\" is `mpn_mul_n` with \
            the fastest of GMP's Montgomery reductions; \"GMP mpz\" is `mpz_mul` with `mpz_mod`.",
    baseline: "GMP mul+redc",
    run,
};

fn run(bench: &mut Bench) {
    operations::run(bench, Operation::Multiply);
}
