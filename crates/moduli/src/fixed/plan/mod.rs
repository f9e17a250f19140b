//! The planner: which table makes the most of a memory budget.
//!
//! It searches radix-R, combs of every shape and the two residue methods, all in every split, by exact operation
//! counts and the cost table of the kernel that runs. A look-up for a secret exponent reads its whole row; those
//! bytes count.

mod average;
mod choose;
#[cfg(test)]
mod crowded;
mod front;
mod planner;
mod predict;
mod radices;
mod regions;
mod search;
#[cfg(test)]
mod tests;
mod ways;
mod work;

pub use front::{Front, Step};
pub use planner::{Plan, Planner};
pub use work::ExpectedCounts;
