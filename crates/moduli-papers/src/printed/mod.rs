//! What the papers print, cell by cell, beside what is computed anew, and the reason where the two differ.
//!
//! A reason is tested where it can be: it says what a value would be if it were right, and that has to be what is
//! printed. The printed values stand here and in the modules that the tables belong to, once; tests and the command
//! `moduli reproduce` read them from there.

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
