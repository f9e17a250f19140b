//! Input and output: numbers, lines, keys, tables, costs, reports, and files and folders that
//! appear complete or not at all.

pub mod atomic_file;
pub mod costs;
pub mod directory;
pub mod format;
pub mod input;
pub mod key_file;
pub mod lines;
pub mod number;
pub mod opened;
pub mod output;
pub mod progress;
pub mod scratch;
pub mod sink;
pub mod stream;
pub mod temporary;
