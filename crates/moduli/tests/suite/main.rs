//! The tests of what the library offers, in one program: it is compiled sooner than many. `cargo test --test suite -- dsa::`
//! runs one module.

mod batch_equations;
mod common_operand;
mod composition;
mod crt;
mod dsa;
mod even_modulus;
mod features;
mod fixed_exhaustive;
mod fixed_sizes;
mod groups;
mod invert;
mod invert_batch;
mod lanes;
mod long_exponents;
mod modulus;
mod multi_pow;
mod nist;
mod nist_parameters;
mod no_limbs;
mod parameters;
mod plan;
mod power_methods;
mod primality;
mod product;
mod refused;
mod rsa;
mod subgroup;
mod table_file;
