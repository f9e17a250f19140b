//! Inversion by division steps: its code is recorded as it ships, lifted and proved.

mod ends;
mod jump;
mod record;
mod search;
mod steps;
mod updates;
mod whole;

use std::ops::Range;

pub use self::{
    ends::prove_whole,
    record::{Call, LIMBS_OF_JUMPS, Recording, Update, record},
    search::prove_row,
    steps::{End, Ends},
};
use crate::lift::Lifted;

/// A part of a trace, after lifting.
pub struct Lifting {
    /// The integers.
    pub lifted: Lifted,
    /// The steps of the trace that it covers.
    pub steps: Range<usize>,
}
