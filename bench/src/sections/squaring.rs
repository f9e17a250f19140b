//! Modular squarings.

use super::operations::{self, Operation};
use crate::bench::{Bench, Section};

/// One modular squaring in a chain of them.
pub const SECTION: Section = Section {
    name: "squaring",
    title: "Modular squaring",
    about: "`x ← x²`, repeated. The columns are those of the section above.",
    baseline: "GMP mul+redc",
    run,
};

fn run(bench: &mut Bench) {
    operations::run(bench, Operation::Square);
}
