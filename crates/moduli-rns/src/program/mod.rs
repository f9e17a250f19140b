//! Programs over resident residues: values stay vectors of residues from operation to operation, so that a product takes what
//! the channels take and no conversion.
//!
//! A program is a text ([`Program::parse`]), one instruction a line, `#` begins a comment:
//!
//! | instruction | meaning |
//! | --- | --- |
//! | `x = load` | the next operand, in Montgomery form |
//! | `x = random` | a random number in Montgomery form, drawn when it is asked for; it is an error if that is 0 modulo P |
//! | `pairs = random` | which of the two places of each pair is its first register is drawn; before all writes to pairs |
//! | `x = constant 1f` | a number in hexadecimal; `x = constant name`: one that is given when the program is assembled |
//! | `x = y * z` | the Montgomery product |
//! | `x = y + z`, `x = y - z`, `x = 2(y + z)`, `x = 2(y - z)`, `x = y` | sums modulo P |
//! | `store x` | the next result, below P |
//! | `check x` | it is an error if that is not 0 modulo P, and no result leaves; before all that are stored |
//! | `check x = …` | an instruction for the sake of checks |
//! | `scalar = load` | the next operand as the scalar, whose bits are looked at one by one, the highest first |
//! | `scalar = load + order` | the same plus a multiple of the order, so that it has one bit more and the highest one is set |
//! | `scalar = prime - 2` | the exponent of Fermat's inversion |
//! | `next` | to the scalar's next bit |
//! | `loop`, `loop but 2`, then `end` | once for each of the bits that are left, but for the last two; each turn ends with `next` |
//!
//! Registers are made by writing them. Of a pair `q[0]`, `q[1]` the scalar's current bit chooses with `q[bit]`, the other one is
//! `q[~bit]`: so a secret bit chooses where operands come from and where results go, and never what is done or how long it takes.
//! With places that were drawn an address says nothing of a bit by itself.
//!
//! Lines that begin with `check` are left out unless checks are asked for ([`Program::parse_with_checks`]).
//!
//! Random numbers blind what is secret: what a program stores must not depend on them.
//!
//! A difference is y − z + k·P, with the least k that keeps it positive. An [`Assembled`] program knows for each register below
//! which multiple of P it stays, and is refused if a product could leave the range of its base.
//! [`Assembled::run`] says what a program computes; [`Schedule`] when a Cox–Rower core issues what for it.

mod allocation;
mod assembled;
mod bounds;
mod fault;
mod instruction;
mod issue;
mod operation;
mod parse;
mod parts;
mod placement;
mod scalar;
mod schedule;
mod table;

pub use assembled::{Assembled, Setting};
pub use bounds::Bound;
pub use fault::{Fault, Reason, UNIT};
pub use instruction::{Instruction, Named, Program, Register, Scalar};
pub use issue::{Addend, Constant, Control, Entry, Factor, Issue, Left, Right, Timing, Word};
pub use schedule::Schedule;
