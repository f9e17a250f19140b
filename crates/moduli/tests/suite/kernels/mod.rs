//! The one suite that every kernel passes: each method of the contract against num-bigint, over moduli and
//! operands chosen to reach every carry. A new kernel is one more line in [`candidate::KERNELS`].

mod candidate;
mod dual;
mod look_ups;
mod operands;
mod products;
mod subject;
