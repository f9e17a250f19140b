//! The sections, each in a file. To add one, add a file with a [`Section`], and a line here.

mod batch;
mod commitment;
mod exponentiation;
mod fixed_base;
mod fixed_batch;
mod inversion;
mod multi_power;
mod multiplication;
pub mod must;
mod operations;
mod prediction;
mod prepared;
pub mod rsa;
mod squaring;
mod table_build;
mod table_x;

use crate::bench::Section;

/// All sections, in the order of the page.
pub const ALL: &[Section] = &[
    multiplication::SECTION,
    squaring::SECTION,
    prepared::SECTION,
    exponentiation::SECTION,
    batch::SECTION,
    fixed_base::SECTION,
    fixed_batch::SECTION,
    commitment::SECTION,
    multi_power::SECTION,
    table_build::SECTION,
    table_x::SECTION,
    rsa::SECTION,
    inversion::SECTION,
    prediction::SECTION,
    must::SECTION,
];
