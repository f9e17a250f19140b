//! The tests of the crates, in a separate package. The tested code is optimised as in releases. The tests
//! have little optimisation, so that they compile in a third of the time. Their files are beside the tested
//! crates, in `crates/*/tests`; `Cargo.toml` lists them.
//!
//! This package depends on everything that it tests, with the features that are not enabled by default. A
//! build of the whole workspace uses these features, so that each library is compiled only once.
