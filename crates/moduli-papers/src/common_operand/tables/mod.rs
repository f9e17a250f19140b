//! Every table of the paper: counted, by formula, and as printed.

mod all;
mod claims;
mod sample;
mod slips;
mod steps;
mod text;
mod totals;

pub use all::tables;
pub use claims::{Saving, best_window, savings, stored_words};
pub use sample::{Line, Size, Table};
pub use slips::{Slip, slip};
pub use text::common_operand_text;
pub use totals::{TABLE_9, TABLE_9_IMPROVEMENTS, TABLE_9_PRINTED, TABLE_10_IMPROVEMENTS, TABLE_10_PRINTED};
pub(crate) use {
    sample::Sample,
    totals::{exponentiations, name},
};
