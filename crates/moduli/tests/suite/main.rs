//! The tests of the public interface, in one program, because it compiles faster than many. `make
//! one TESTS=dsa::` runs one module.

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
mod modulus_cache;
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
