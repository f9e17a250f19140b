//! The group operations that the methods require, and a group that counts them.

use core::cell::Cell;

use moduli::Error;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::scalar::Scalars;

/// A commutative group, written additively, whose points have an odd order n.
///
/// The constant-time forms are constant-time only if these operations are.
pub trait Group {
    /// A point.
    type Point: Copy;

    /// n, low limb first: odd, from 3 to 2^255 − 1. For every point used, n times the point must be
    /// the identity.
    fn order(&self) -> [u64; 4];

    /// The neutral point.
    fn identity(&self) -> Self::Point;

    /// a + b, for all points, including equal ones, opposite ones and the identity.
    fn add(&self, a: &Self::Point, b: &Self::Point) -> Self::Point;

    /// 2·a.
    fn double(&self, a: &Self::Point) -> Self::Point;

    /// −a.
    fn negate(&self, a: &Self::Point) -> Self::Point;

    /// b if `choice`, otherwise a.
    fn select(&self, a: &Self::Point, b: &Self::Point, choice: Choice) -> Self::Point;

    /// Whether a = b.
    fn equal(&self, a: &Self::Point, b: &Self::Point) -> Choice;
}

/// The numbers of operations on points. Assigning a point is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Additions, including those of the identity.
    pub additions: u64,
    /// Doublings.
    pub doublings: u64,
    /// Negations, which are almost free on curves.
    pub negations: u64,
    /// Points read under a mask: table entries, signs and buckets.
    pub selections: u64,
}

/// The integers modulo n as a group that counts operations. It represents a point by the multiple
/// of the generator that it is.
#[derive(Debug)]
pub struct Counting {
    scalars: Scalars,
    operations: Cell<Operations>,
}

impl Counting {
    /// The group of order n, with all counts 0.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless n is odd, at least 3 and below 2^255.
    pub fn new(order: [u64; 4]) -> Result<Self, Error> {
        Ok(Self { scalars: Scalars::new(order)?, operations: Cell::default() })
    }

    /// Returns the counts since the last call and resets them.
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
