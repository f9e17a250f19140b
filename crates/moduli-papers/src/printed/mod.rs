//! The values that the papers print, cell by cell, beside values computed anew, with the reasons of
//! the differences.
//!
//! A reason is tested if possible: it says which value would result from it, and this must be the
//! printed one. The printed values are in this module and in those of the tables, once each; tests
//! and the command `moduli reproduce` read them from there.

mod cell;
mod common_operand;
mod formulas;
mod inversion;
mod storage;
mod table_4;
mod text_claims;

pub use cell::{Compared, Explanation, Precision, PrintedTable};
pub use common_operand::{common_operand_claims, common_operand_tables, table_10_improvements};
pub use formulas::{hamming_sums, m0m1_table_1, m0m1_table_2};
pub use inversion::{
    FIELDS, InversionAverages, InversionMethod, InversionSample, division_factors, inversion_statistics,
};
pub use storage::{FrontPoint, Fronts, m0m1_figure_1, m0m1_table_3};
pub use table_4::{TABLE_4, Table4Row, m0m1_table_4_printed};
pub use text_claims::m0m1_claims;
