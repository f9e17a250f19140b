//! Evaluation of a method over its table.

mod buckets;
mod m0m1;
mod residue_digits;
mod run;
mod table;
mod workspace;

pub(crate) use run::{Evaluate, Evaluation};
pub(crate) use table::Table;
pub(crate) use workspace::Workspace;
