//! The tests of the published algorithms, in one program: `make one IN=papers TESTS=m0m1::` runs one module.

mod common_operand;
mod common_operand_counts;
mod curve;
mod curve_counts;
mod fixed_counts;
mod m0m1;
mod printed;
