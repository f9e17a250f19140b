//! The tests of the published algorithms, in one program: `cargo test -p moduli-papers --test suite -- m0m1::` runs one
//! module.

mod common_operand;
mod common_operand_counts;
#[cfg(feature = "edwards")]
mod curve;
#[cfg(feature = "edwards")]
mod curve_counts;
mod fixed_counts;
mod m0m1;
mod printed;
