//! Running a method over its table: the constant-time and the public form of each.

mod accumulator;
mod buckets;
mod m0m1;
mod residue_digits;
mod run;
mod table;
mod workspace;

pub(crate) use accumulator::Accumulator;
pub(crate) use table::Table;
pub(crate) use workspace::Workspace;
