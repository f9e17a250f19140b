//! Tests of the kernels and of the code around them, against num-bigint. Tests of internals use the feature
//! `internals`.

mod barrett;
mod checks;
mod detection;
mod dimensions;
mod kernels;
mod lanes;
mod mask;
mod measured_costs;
mod sessions;
mod words;
