//! Derives powers from the operations that compute them.
//!
//! The contract of a kernel says what each operation does, and `moduli-prove` proves it for the
//! compiled code. Here a *ledger* observes all operations of a power. From the contract alone it
//! derives which power of the base each residue is: a product adds exponents, a squaring doubles
//! them. It reads values only to distinguish residues, so its result is an identity that holds for
//! all bases and all moduli. Looked-up entries remain unknowns: the result is a sum of multiples of
//! the looked-up exponents, with the same multiples for every exponent. The ledger also checks that
//! an operation receives only what the contract allows: a residue that an operation computed, or
//! the residue 1.
//!
//! For rows, the ledger observes the contents of each lane (`Lanes::take` reads it); an entry
//! looked up in a lane belongs to that lane.
//!
//! If numbers pass from one modulus to another, as in the Chinese remainder theorem, residues are
//! sums of multiples of such powers. `recombined.rs` explains what is shown and what is compared
//! then.

mod batches;
mod crt;
mod known;
mod ledger;
mod observed;
mod powers;
mod recombined;
mod refused;
mod rsa;
mod value;
