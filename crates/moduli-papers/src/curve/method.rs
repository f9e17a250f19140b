//! What all methods have in common.

use alloc::vec::Vec;
use core::fmt;

use moduli::Error;

use super::{
    group::{Group, Operations},
    scalar::Scalars,
};

/// A fixed-base method with its parameters, for scalars modulo a given n.
pub trait Method: fmt::Display + Clone + Sized {
    /// The shapes worth a look for scalars modulo `order` that store at most `most` points.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an order that [`Group::order`] does not allow.
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error>;

    /// Points to store.
    fn entries(&self) -> usize;

    /// What [`FixedBase::mul`] does, whatever the scalar.
    fn secret_operations(&self) -> Operations;

    /// Additions and doublings of [`FixedBase::mul_vartime`] in the mean over random scalars, to less than an addition.
    fn public_operations(&self) -> (f64, f64);

    /// The table of a point.
    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point>;

    /// k·P from the table of P, constant-time.
    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point;

    /// k·P from the table of P, variable-time.
    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point;

    /// n, and arithmetic modulo it.
    fn order(&self) -> [u64; 4];
}

/// The table of a point by some method.
#[derive(Clone, Debug)]
pub struct FixedBase<G: Group, M: Method> {
    group: G,
    method: M,
    scalars: Scalars,
    table: Vec<G::Point>,
}

impl<G: Group, M: Method> FixedBase<G, M> {
    /// The table of `base`. Variable-time: shapes and bases are public.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the method was made for another order than that of the group.
    pub fn new(group: G, method: M, base: &G::Point) -> Result<Self, Error> {
        if method.order() != group.order() {
            return Err(Error::parameter("order", "the method was made for another group"));
        }
        let scalars = Scalars::new(group.order())?;
        let table = method.build(&group, base);
        Ok(Self { group, method, scalars, table })
    }

    /// The group, with what it has counted.
    pub fn group(&self) -> &G {
        &self.group
    }

    /// The points that are stored: [`Method::entries`].
    pub fn table(&self) -> &[G::Point] {
        &self.table
    }

    /// k·P for any k, low limb first; it is reduced modulo n.
    ///
    /// Constant-time in k as it is written: every entry of a row is read under a mask, and the sequence of operations is
    /// fixed. The compiled code is not watched. Cost: [`Method::secret_operations`].
    pub fn mul(&self, k: [u64; 4]) -> G::Point {
        self.method.evaluate(&self.group, &self.table, self.scalars.reduce(k))
    }

    /// k·P for any k, low limb first; it is reduced modulo n.
    ///
    /// Variable-time in k: digits that are zero are skipped, entries are read by their address. Cost:
    /// [`Method::public_operations`] in the mean.
    pub fn mul_vartime(&self, k: [u64; 4]) -> G::Point {
        self.method.evaluate_vartime(&self.group, &self.table, self.scalars.reduce(k))
    }
}
