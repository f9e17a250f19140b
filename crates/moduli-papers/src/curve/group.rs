//! What the methods ask of a group, and a group that counts.

use core::cell::Cell;

use moduli::Error;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::scalar::Scalars;

/// A commutative group, written additively, whose points have an odd order n.
///
/// Constant-time forms are as constant-time as these operations are.
pub trait Group {
    /// A point.
    type Point: Copy;

    /// n, low limb first: odd, from 3 to 2^255 − 1. Multiples of n of every point that is used must be the identity.
    fn order(&self) -> [u64; 4];

    /// The neutral point.
    fn identity(&self) -> Self::Point;

    /// a + b, for all points: equal ones, opposite ones and the identity among them.
    fn add(&self, a: &Self::Point, b: &Self::Point) -> Self::Point;

    /// 2·a.
    fn double(&self, a: &Self::Point) -> Self::Point;

    /// −a.
    fn negate(&self, a: &Self::Point) -> Self::Point;

    /// b if `choice`, else a.
    fn select(&self, a: &Self::Point, b: &Self::Point, choice: Choice) -> Self::Point;

    /// Whether a = b.
    fn equal(&self, a: &Self::Point, b: &Self::Point) -> Choice;
}

/// What was done with points. Points that are assigned cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Additions, those of the identity included.
    pub additions: u64,
    /// Doublings.
    pub doublings: u64,
    /// Negations, almost free on curves.
    pub negations: u64,
    /// Points that were read under a mask: entries of the table, signs and buckets.
    pub selections: u64,
}

/// The integers modulo n as a group that counts what is done: a point is known by the multiple of the generator that it is.
#[derive(Debug)]
pub struct Counting {
    scalars: Scalars,
    operations: Cell<Operations>,
}

impl Counting {
    /// The group of order n, nothing counted yet.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless n is odd, at least 3 and below 2^255.
    pub fn new(order: [u64; 4]) -> Result<Self, Error> {
        Ok(Self { scalars: Scalars::new(order)?, operations: Cell::default() })
    }

    /// What was done since this was last asked.
    pub fn take(&self) -> Operations {
        self.operations.take()
    }

    fn count(&self, one_more: impl Fn(&mut Operations)) {
        let mut operations = self.operations.get();
        one_more(&mut operations);
        self.operations.set(operations);
    }
}

impl Group for Counting {
    type Point = [u64; 4];

    fn order(&self) -> [u64; 4] {
        self.scalars.order()
    }

    fn identity(&self) -> [u64; 4] {
        [0; 4]
    }

    fn add(&self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        self.count(|operations| operations.additions += 1);
        self.scalars.add(*a, *b)
    }

    fn double(&self, a: &[u64; 4]) -> [u64; 4] {
        self.count(|operations| operations.doublings += 1);
        self.scalars.add(*a, *a)
    }

    fn negate(&self, a: &[u64; 4]) -> [u64; 4] {
        self.count(|operations| operations.negations += 1);
        self.scalars.negate(*a)
    }

    fn select(&self, a: &[u64; 4], b: &[u64; 4], choice: Choice) -> [u64; 4] {
        self.count(|operations| operations.selections += 1);
        <[u64; 4]>::conditional_select(a, b, choice)
    }

    fn equal(&self, a: &[u64; 4], b: &[u64; 4]) -> Choice {
        a.ct_eq(b)
    }
}
