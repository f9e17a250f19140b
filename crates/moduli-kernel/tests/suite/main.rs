//! The kernels and what stands around them, against num-bigint; checks of what lies inside, behind the feature `internals`.

mod barrett;
mod checks;
mod dimensions;
mod kernels;
mod lanes;
mod mask;
mod measured_costs;
mod sessions;
mod words;
