//! The part of the command's own reading that is fuzzed, with an input that is not a file.

pub(crate) use crate::input;

#[path = "../../crates/moduli-cli/src/io/format.rs"]
pub(crate) mod format;
#[path = "../../crates/moduli-cli/src/io/lines.rs"]
pub(crate) mod lines;
#[path = "../../crates/moduli-cli/src/io/number.rs"]
pub(crate) mod number;
