//! Edwards25519, with the point arithmetic of `curve25519-dalek`.

use curve25519_dalek::{EdwardsPoint, traits::Identity};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::group::Group;

/// The subgroup of prime order ℓ = 2^252 + 27742317777372353535851937790883648493 of Edwards25519.
///
/// A point has extended coordinates, which are four field elements: 160 bytes, also for a table
/// entry. An addition adds two such points (9 field products). Dalek's own tables have entries of
/// three elements (120 bytes, 7 products), which its public interface does not offer.
#[derive(Clone, Copy, Debug)]
pub struct Edwards;

impl Group for Edwards {
    type Point = EdwardsPoint;

    fn order(&self) -> [u64; 4] {
        [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 << 60]
    }

    fn identity(&self) -> EdwardsPoint {
        EdwardsPoint::identity()
    }

    fn add(&self, a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
        a + b
    }

    fn double(&self, a: &EdwardsPoint) -> EdwardsPoint {
        ::group::Group::double(a)
    }

    fn negate(&self, a: &EdwardsPoint) -> EdwardsPoint {
        -a
    }

    fn select(&self, a: &EdwardsPoint, b: &EdwardsPoint, choice: Choice) -> EdwardsPoint {
        EdwardsPoint::conditional_select(a, b, choice)
    }

    fn equal(&self, a: &EdwardsPoint, b: &EdwardsPoint) -> Choice {
        a.ct_eq(b)
    }
}
