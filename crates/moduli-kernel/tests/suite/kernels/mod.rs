//! The suite that every kernel must pass. It tests each method of the contract against num-bigint, over
//! moduli and operands chosen to reach every carry. It tests a new kernel as soon as the table of kernels has
//! it.

mod candidate;
mod dual;
mod look_ups;
mod operands;
mod powers;
mod products;
mod subject;
