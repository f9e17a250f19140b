//! The code of each fuzz target. It is here so that a test can replay any input without a fuzzer.

mod arithmetic;
mod command;
mod input;
mod keys;
mod planner;
mod rns;
mod table;

// Modules of the command, which has no library: as they are, under the names by which they know each other.
#[path = "../../crates/moduli-cli/src/failure.rs"]
#[allow(dead_code, missing_docs)]
mod failure;
#[allow(dead_code)]
mod io;

pub use arithmetic::arithmetic;
pub use command::command;
pub use keys::keys;
pub use planner::planner;
pub use rns::rns;
pub use table::table;

/// The code of a target: panics on a finding.
pub type Target = fn(&[u8]);

/// Every target with its name, which is that of its program and of its folder of inputs.
pub const TARGETS: [(&str, Target); 6] = [
    ("table", table),
    ("keys", keys),
    ("command", command),
    ("planner", planner),
    ("arithmetic", arithmetic),
    ("rns", rns),
];
