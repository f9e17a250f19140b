//! What was seen.

use std::{collections::BTreeMap, fmt};

/// How a secret shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// A branch, or the target of one.
    Branch,
    /// An address of memory.
    Address,
    /// An operand of a division, whose time depends on it.
    Division,
    /// The mask of a load or store: what it leaves out need not be touched.
    Mask,
    /// What was handed to a function of the system that looks at it.
    Call,
}

/// Where a secret shows, and how often.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How.
    pub leak: Leak,
    /// The instruction.
    pub instruction: String,
    /// The function, and the command that tells its file and lines, innermost first.
    pub place: Vec<String>,
    /// How often.
    pub times: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} times: {}", self.leak, self.times, self.instruction)?;
        self.place.iter().try_for_each(|place| write!(f, "\n    {place}"))
    }
}

/// What a run showed.
#[derive(Debug)]
pub struct Report {
    /// Whether the code came to its end; if not, what stopped it: an instruction that is not known here, a panic, or the
    /// limit.
    pub ended: Result<(), String>,
    /// All places, in the order of addresses.
    pub findings: Vec<Finding>,
    /// Instructions that were run.
    pub instructions: u64,
    /// How often each kind of instruction was run: to see that the right code was.
    pub mnemonics: BTreeMap<String, u64>,
}
