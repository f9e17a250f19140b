//! The fixed-base methods over a group with addition, doubling and negation. The paper on m0m1 left
//! the case of twisted Edwards curves open.
//!
//! Negation is free on a curve, so radix, comb and residue digits have signed forms beside the
//! published ones. Every method has a constant-time and a variable-time form, over any [`Group`]:
//! [`Edwards`] is for measurements, [`Counting`] for counts. `docs/edwards.md` has the results.

mod comb;
mod edwards;
mod group;
mod m0m1;
mod method;
mod radix;
mod residue_digits;
mod residues;
mod rows;
mod scalar;
mod signed_residue_digits;

pub use comb::{Comb, SignedComb};
pub use edwards::Edwards;
pub use group::{Counting, Group, Operations};
pub use m0m1::M0m1;
pub use method::{FixedBase, Method};
pub use radix::SignedRadix;
pub use residue_digits::ResidueDigits;
pub use signed_residue_digits::SignedResidueDigits;
