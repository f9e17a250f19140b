//! The tests inside those parts of the C library that call nothing of it: what C loads is not linked into a
//! test.
#![allow(dead_code)]

#[path = "../src/call.rs"]
mod call;
#[path = "../src/failure.rs"]
mod failure;
#[path = "../src/last_error.rs"]
mod last_error;
#[path = "../src/output.rs"]
mod output;
#[path = "../src/status.rs"]
mod status;
