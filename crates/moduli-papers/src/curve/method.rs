//! The common interface of all methods.

use alloc::vec::Vec;
use core::fmt;

use moduli::Error;

use super::{
    group::{Group, Operations},
    scalar::Scalars,
};

/// A fixed-base method with its parameters, for scalars modulo a given n.
pub trait Method: fmt::Display + Clone + Sized {
    /// The shapes to consider for scalars modulo `order` that store at most `most` points.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an order that [`Group::order`] does not allow.
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error>;

    /// The number of points to store.
    fn entries(&self) -> usize;

    /// The operations of [`FixedBase::mul`], which are the same for every scalar.
    fn secret_operations(&self) -> Operations;

    /// The average additions and doublings of [`FixedBase::mul_vartime`] for random scalars. The
    /// error is below one addition.
    fn public_operations(&self) -> (f64, f64);

    /// The table of a point.
    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point>;

    /// k·P from the table of P, constant-time.
    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point;

    /// k·P from the table of P, variable-time.
    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point;

    /// The order n.
    fn order(&self) -> [u64; 4];
}

/// A table of a point, with its method.
#[derive(Clone, Debug)]
pub struct FixedBase<G: Group, M: Method> {
    group: G,
    method: M,
    scalars: Scalars,
    table: Vec<G::Point>,
}

impl<G: Group, M: Method> FixedBase<G, M> {
    /// Computes the table of `base`. Variable-time: shapes and bases are public.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the method is for another order than that of the group.
    pub fn new(group: G, method: M, base: &G::Point) -> Result<Self, Error> {
        if method.order() != group.order() {
            return Err(Error::parameter("order", "the method was made for another group"));
        }
        let scalars = Scalars::new(group.order())?;
        let table = method.build(&group, base);
        Ok(Self { group, method, scalars, table })
    }

    /// The group, including its counts.
    pub fn group(&self) -> &G {
        &self.group
    }

    /// The stored points. Their number is [`Method::entries`].
    pub fn table(&self) -> &[G::Point] {
        &self.table
    }

    /// k·P for any k, low limb first, which is reduced modulo n.
    ///
    /// The source is constant-time in k: it reads every entry of a row under a mask, and the
    /// sequence of operations is fixed. No tool checks the compiled code. Cost:
    /// [`Method::secret_operations`].
    pub fn mul(&self, k: [u64; 4]) -> G::Point {
        self.method.evaluate(&self.group, &self.table, self.scalars.reduce(k))
    }

    /// k·P for any k, low limb first, which is reduced modulo n.
    ///
    /// Variable-time in k: skips zero digits, and reads entries by their address. Average cost:
    /// [`Method::public_operations`].
    pub fn mul_vartime(&self, k: [u64; 4]) -> G::Point {
        self.method.evaluate_vartime(&self.group, &self.table, self.scalars.reduce(k))
    }
}
