//! Inversion by division steps: its code as it ships, recorded, lifted and proved.

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

/// A part of a trace that was lifted.
pub struct Lifting {
    /// The integers.
    pub lifted: Lifted,
    /// The steps.
    pub steps: Range<usize>,
}
