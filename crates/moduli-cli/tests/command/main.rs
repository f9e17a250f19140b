//! The command as a user meets it: every verb, every option, every bad input.

#[path = "../support/mod.rs"]
mod support;

mod batch_inv;
mod demo;
mod dsa_keys;
mod dsa_signatures;
mod forged_table;
mod general;
mod groups;
mod hdl;
mod inv;
mod plan;
mod pow;
mod powmod;
mod rsa;
mod table;
mod table_files;
mod threads;
