//! Sequences that are wrong in one place: the ledger tells them from the right one.

mod halves;
mod lanes;
