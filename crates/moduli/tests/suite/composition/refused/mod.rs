//! Sequences with one error: the ledger distinguishes them from the right one.

mod halves;
mod lanes;
