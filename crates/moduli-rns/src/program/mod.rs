//! Programs over resident residues, for example a scalar multiplication on an elliptic curve.
//!
//! All values of a program are vectors of residues modulo the channels of two bases ([`crate::montgomery`]).
//! They stay residues between instructions, so no instruction needs a conversion. A program has one modulus
//! P, and registers that each hold one value modulo P.
//!
//! [`Program::parse`] reads a program from text. Each line contains one instruction, and `#` begins a
//! comment:
//!
//! | instruction | meaning |
//! | --- | --- |
//! | `x = load` | loads the next operand and converts it into Montgomery form |
//! | `x = random` | requests a random number and converts it into Montgomery form; the program fails if the number is 0 modulo P |
//! | `pairs = random` | requests a random bit that exchanges the two registers of each pair (see below); must come before all writes to pairs |
//! | `x = constant 1f` | loads a hexadecimal constant |
//! | `x = constant name` | loads a constant whose value is given when the program is assembled |
//! | `x = y * z` | computes a Montgomery product |
//! | `x = y + z`, `x = y - z`, `x = 2(y + z)`, `x = 2(y - z)`, `x = y` | computes a sum or difference modulo P, twice it, or a copy |
//! | `store x` | outputs the value of x, reduced to a number below P, as the next result |
//! | `check x` | requires that x is 0 modulo P; otherwise the program fails and returns no result. Must come before the first `store` |
//! | `check x = …` | executes an instruction that only checks need |
//! | `scalar = load` | loads the next operand as the scalar, whose bits are used one by one, starting with the highest |
//! | `scalar = load + order` | loads an operand and adds a multiple of the group order, so that the scalar has one more bit and its highest bit is 1 |
//! | `scalar = prime - 2` | uses P − 2 as the scalar, for an inversion by Fermat's theorem |
//! | `next` | makes the next bit of the scalar the current bit |
//! | `loop`, then `end` | repeats the lines between them for each remaining bit of the scalar; each iteration ends with an implicit `next` |
//! | `loop but 2`, then `end` | does the same for all remaining bits except the last two |
//! | `loop but half`, then `end` | does the same for all remaining bits except the lower half of the scalar |
//!
//! A register exists from the first write to it. Two registers `q[0]` and `q[1]` form a pair. The current bit
//! of the scalar selects one of them: `q[bit]` is the selected register, and `q[~bit]` is the other. So a
//! secret bit determines only which register is read or written. It does not determine which operations are
//! executed or how long they take.
//!
//! A secret bit is visible in the address of the selected register. `pairs = random` adds one random bit to
//! the address of each register in a pair. Then a single address reveals nothing about a bit of the scalar.
//! Because the same random bit is used for the whole program, two addresses reveal whether two bits are
//! equal.
//!
//! Lines that begin with `check` are ignored by [`Program::parse`]; [`Program::parse_with_checks`] includes
//! them.
//!
//! Random numbers hide secrets during the computation. The results of a program must not depend on them.
//!
//! A difference is computed as y − z + k·P, with the smallest k for which it is always positive.
//! [`Assembled::new`] determines for each register a multiple of P that bounds its value. It rejects a
//! program if a product could exceed the range of its base. [`Assembled::run`] computes the results of a
//! program, and [`Schedule`] determines what a Cox–Rower core issues in each cycle to run it.

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
pub use instruction::{Instruction, Named, Program, Register, Rest, Scalar};
pub use issue::{Addend, Constant, Control, Entry, Factor, Issue, Left, Right, Timing, Word};
pub use schedule::Schedule;
