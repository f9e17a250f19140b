//! Tests the command as users call it: every verb, every option, every invalid input.

mod batch_inv;
mod demo;
mod dsa_keys;
mod dsa_signatures;
mod forged_table;
mod general;
mod groups;
mod hdl;
mod inv;
mod openssl;
mod openssl_rsa;
mod plan;
mod pow;
mod powmod;
mod readme;
mod reproduce;
mod rsa;
mod support;
mod table;
mod table_files;
mod threads;
