//! The tests of the crates, in a package of its own. What is tested is optimised as it ships; the tests are hardly optimised, so that they
//! are compiled in a third of the time. They stand beside what they test, in `crates/*/tests`; `Cargo.toml` names them.
//!
//! It depends on all that is tested, with the features that are not on by default. A build of the whole workspace takes these, so that
//! every library is compiled once.
