//! Modular products.

use super::operations::{self, Operation};
use crate::bench::{Bench, Section};

/// One modular product in a chain of them.
pub const SECTION: Section = Section {
    name: "multiplication",
    title: "Modular multiplication",
    about: "`x ← x·b` in the Montgomery form of each library, one after the other. GMP: `mpn_mul_n` and the fastest of its \
            Montgomery reductions, and beside it `mpz_mul` with `mpz_mod`.",
    baseline: "GMP mul+redc",
    run,
};

fn run(bench: &mut Bench) {
    operations::run(bench, Operation::Multiply);
}
