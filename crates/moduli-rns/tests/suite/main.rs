//! The tests of residue number systems, in one program: `cargo test -p moduli-rns --test suite -- jump::` runs one module.

mod base;
mod batch;
mod division_steps;
mod frame;
mod inverse;
mod jump;
mod least_bits;
mod montgomery;
mod parts;
mod program;
mod statistics;
mod steps;
