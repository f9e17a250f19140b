//! The reasons why there is no proof.

use std::fmt;

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An instruction has no rule here, and works on something that depends on symbols or on the machine.
    NoRule,
    /// A branch, or the target of one, depends on a symbol.
    SymbolicBranch,
    /// An address depends on a symbol.
    SymbolicAddress,
    /// A shift count depends on a symbol.
    SymbolicCount,
    /// Memory was read that is not declared, was not written before, and is not read-only.
    UndeclaredRead,
    /// The operation wrote memory that it must not write, or did not restore a register.
    ForeignWrite,
    /// A register changed that the decoder does not list for the instruction.
    UnlistedOperand,
    /// A rule gave a result that differs from the recorded one.
    WrongRule,
    /// A flag was read whose value is not followed.
    UnfollowedFlag,
    /// A register was read that a called function may have changed.
    LostRegister,
    /// A part of a word that depends on symbols was read or written.
    PartOfAWord,
    /// An unknown function of the system was called.
    UnknownCall,
    /// Numbers became too long for the lifter.
    TooWide,
    /// The code did not run to its end.
    NoTrace,
    /// The equations do not give what the specification says.
    Unproven,
    /// The checker does not accept the certificate.
    Refused,
}

/// A reason, and where it applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of reason.
    pub reason: Reason,
    /// The instruction, equation or number that it is about.
    pub what: String,
}

impl Failure {
    /// A failure for a reason.
    pub fn new(reason: Reason, what: impl Into<String>) -> Self {
        Self { reason, what: what.into() }
    }

    /// Adds the instruction and the step that the failure is about.
    pub fn at(self, instruction: &str, step: usize) -> Self {
        let Self { reason, mut what } = self;
        if !what.is_empty() {
            what += ", at ";
        }
        Self { reason, what: format!("{what}`{instruction}`, step {step}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::NoRule => "no rule",
            Reason::SymbolicBranch => "a branch depends on a symbol",
            Reason::SymbolicAddress => "an address depends on a symbol",
            Reason::SymbolicCount => "a shift's count depends on a symbol",
            Reason::UndeclaredRead => "memory is read that is not declared",
            Reason::ForeignWrite => "what is not the operation's is changed",
            Reason::UnlistedOperand => "an operand that the decoder does not list",
            Reason::WrongRule => "a rule gives another result than was recorded",
            Reason::UnfollowedFlag => "a flag is read that is not followed",
            Reason::LostRegister => "a register is read that a call may have changed",
            Reason::PartOfAWord => "a part of a symbolic word",
            Reason::UnknownCall => "an unknown function is called",
            Reason::TooWide => "numbers are too long",
            Reason::NoTrace => "the code did not come to its end",
            Reason::Unproven => "not proved",
            Reason::Refused => "the certificate is refused",
        };
        write!(f, "{reason}: {}", self.what)
    }
}

impl std::error::Error for Failure {}

/// A result, or why there is none.
pub type Result<T> = std::result::Result<T, Failure>;
