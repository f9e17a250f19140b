//! The results of a run.

use std::{collections::BTreeMap, fmt};

/// How a secret can leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// A branch or its target.
    Branch,
    /// A memory address.
    Address,
    /// An operand of a division, which determines its time.
    Division,
    /// The mask of a load or store: excluded lanes need not be accessed.
    Mask,
    /// An argument of a system function that examines it.
    Call,
}

/// A place where a secret leaks.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How it leaks.
    pub leak: Leak,
    /// The instruction.
    pub instruction: String,
    /// The function, and a command that prints its file and lines, innermost first.
    pub place: Vec<String>,
    /// The number of times.
    pub times: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} times: {}", self.leak, self.times, self.instruction)?;
        self.place.iter().try_for_each(|place| write!(f, "\n    {place}"))
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// Whether the code finished. If not, what stopped it: an unsupported instruction, a panic or the limit.
    pub ended: Result<(), String>,
    /// All findings, in the order of their addresses.
    pub findings: Vec<Finding>,
    /// The number of executed instructions.
    pub instructions: u64,
    /// How many times each mnemonic was executed. It shows whether the intended code ran.
    pub mnemonics: BTreeMap<String, u64>,
}
