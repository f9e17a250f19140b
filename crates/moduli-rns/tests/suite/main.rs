//! The tests of residue number systems, in one program: `make one IN=rns TESTS=jump::` runs one module.

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
mod redundant;
mod statistics;
mod steps;
