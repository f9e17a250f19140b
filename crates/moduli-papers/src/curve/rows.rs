//! Rows of a table, buckets, and sums whose first term is assigned.

use alloc::{vec, vec::Vec};

use subtle::{Choice, ConstantTimeEq};

use super::group::Group;

/// P, 2·P … count·P.
pub(super) fn multiples<G: Group>(group: &G, base: &G::Point, count: usize) -> Vec<G::Point> {
    let first = if count == 0 { None } else { Some(*base) };
    core::iter::successors(first, |last| Some(group.add(last, base))).take(count).collect()
}

/// factor·P. Variable-time in the factor.
pub(super) fn times_vartime<G: Group>(group: &G, base: &G::Point, factor: u64) -> G::Point {
    let mut sum = Sum::default();
    for i in (0..64 - factor.leading_zeros()).rev() {
        sum.double(group);
        if factor >> i & 1 == 1 {
            sum.add(group, base);
        }
    }
    sum.finish(group)
}

/// Entry `index` − 1 of a row, or `start` for index 0. Takes a selection per entry.
pub(super) fn select<G: Group>(group: &G, start: G::Point, row: &[G::Point], index: u64) -> G::Point {
    row.iter().zip(1u64..).fold(start, |point, (entry, i)| group.select(&point, entry, i.ct_eq(&index)))
}

/// Entry `index` of a row. Takes a selection for each entry but the first.
pub(super) fn select_one<G: Group>(group: &G, row: &[G::Point], index: u64) -> G::Point {
    row.split_first().map_or(group.identity(), |(first, rest)| select(group, *first, rest, index))
}

/// −P if `negative`, otherwise P. Takes a negation and a selection.
pub(super) fn negate_if<G: Group>(group: &G, point: &G::Point, negative: Choice) -> G::Point {
    group.select(point, &group.negate(point), negative)
}

/// Masked sums for the residues of digits.
pub(super) struct Buckets<P> {
    points: Vec<P>,
    started: bool,
}

impl<P: Copy> Buckets<P> {
    pub(super) fn new<G: Group<Point = P>>(group: &G, count: usize) -> Self {
        Self { points: vec![group.identity(); count], started: false }
    }

    /// Adds a point to one bucket. Takes as many selections as there are buckets, and one less for
    /// reading the bucket. The first point needs neither the reading nor an addition.
    pub(super) fn add<G: Group<Point = P>>(&mut self, group: &G, bucket: u64, point: &P) {
        let sum =
            if self.started { group.add(&select_one(group, &self.points, bucket), point) } else { *point };
        self.started = true;
        for (place, i) in self.points.iter_mut().zip(0u64..) {
            *place = group.select(place, &sum, i.ct_eq(&bucket));
        }
    }

    pub(super) fn points(&self) -> &[P] {
        &self.points
    }

    /// The selections of `additions` additions to `buckets` buckets.
    pub(super) fn selections(additions: u64, buckets: u64) -> u64 {
        additions * buckets + (additions - 1) * (buckets - 1)
    }
}

/// A sum that records whether it is empty: the first term is assigned, and an empty sum is not
/// doubled.
#[derive(Clone, Copy)]
pub(super) struct Sum<P>(Option<P>);

impl<P> Default for Sum<P> {
    fn default() -> Self {
        Self(None)
    }
}

impl<P: Copy> Sum<P> {
    pub(super) fn add<G: Group<Point = P>>(&mut self, group: &G, point: &P) {
        self.0 = Some(self.0.map_or(*point, |sum| group.add(&sum, point)));
    }

    pub(super) fn add_sum<G: Group<Point = P>>(&mut self, group: &G, sum: &Self) {
        if let Some(point) = &sum.0 {
            self.add(group, point);
        }
    }

    pub(super) fn add_signed<G: Group<Point = P>>(&mut self, group: &G, point: &P, negative: bool) {
        if negative { self.add(group, &group.negate(point)) } else { self.add(group, point) }
    }

    pub(super) fn double<G: Group<Point = P>>(&mut self, group: &G) {
        self.0 = self.0.map(|sum| group.double(&sum));
    }

    pub(super) fn finish<G: Group<Point = P>>(self, group: &G) -> P {
        self.0.unwrap_or_else(|| group.identity())
    }
}
