//! The one suite that every kernel passes: each method of the contract against num-bigint, over moduli and
//! operands chosen to reach every carry. A new kernel is among them as soon as it stands in the table of
//! kernels.

mod candidate;
mod dual;
mod look_ups;
mod operands;
mod products;
mod subject;
