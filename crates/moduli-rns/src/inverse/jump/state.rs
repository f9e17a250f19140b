//! The operations on residues that both variants share: conversion of a matrix into residues, and products of
//! rows and vectors.

use super::{super::super::channels::Residues, ChannelObserver, Jump, lattice::Basis};

impl Jump {
    /// The residues of an entry of a matrix in the first `count` channels. The entry has `digits` digits of w
    /// bits, which cost one EMM each except the first. If `signed`, the sign costs one EMA.
    pub(super) fn spread(
        &self,
        entry: i128,
        (digits, signed): (u32, bool),
        count: usize,
        observer: &mut impl ChannelObserver,
    ) -> Residues {
        let (channels, width) = (self.base.channels(), self.base.width());
        let size = entry.unsigned_abs();
        let digit = |index: u32| (size >> (index * width)) as u64 & (u64::MAX >> (64 - width));
        // `vec![digit; count]` would test whether the digit is 0.
        let constant = |value| {
            let mut residues = Residues::new(alloc::vec![0; count]);
            residues.fill(value);
            residues
        };
        let mut x = constant(digit(digits - 1));
        for index in (0..digits - 1).rev() {
            let next = constant(digit(index));
            channels.multiply_add(&mut x, &channels.complements()[..count], &next, observer);
        }
        if signed {
            let sign = (entry >> 127) as u64;
            let mut negative = x.clone();
            channels.subtract_from(&mut negative, &alloc::vec![0; count], observer);
            moduli_kernel::mask::assign(&mut x, &negative, sign);
        }
        x
    }

    /// r·U + t·V, in as many channels as r and t have, for a row (r, t) in residues. Two EMM and one EMA per
    /// channel.
    pub(super) fn row(
        &self,
        [r, t]: [&[u64]; 2],
        [u, v]: [&[u64]; 2],
        observer: &mut impl ChannelObserver,
    ) -> Residues {
        let channels = self.base.channels();
        let (mut first, mut sum) = (Residues::new(r.to_vec()), Residues::new(t.to_vec()));
        channels.multiply(&mut first, &u[..r.len()], observer);
        channels.multiply_add(&mut sum, &v[..t.len()], &first, observer);
        sum
    }
}

/// The entries of a matrix in residues, row by row.
pub(super) type Spread = [[Residues; 2]; 2];

impl Jump {
    /// The residues of all entries of a matrix. The first entry of each row is not negative.
    pub(super) fn spread_rows(
        &self,
        rows: &Basis,
        digits: impl Fn(i128) -> u32,
        count: usize,
        observer: &mut impl ChannelObserver,
    ) -> Spread {
        rows.0.map(|[r, t]| {
            [
                self.spread(r, (digits(r), false), count, observer),
                self.spread(t, (digits(t), true), count, observer),
            ]
        })
    }

    /// The rows times (U3, V3), divided by 2^k, with a change from `from` to `to` channels. Three EMM and one
    /// EMA per row and channel.
    pub(super) fn divide_rows(
        &self,
        index: usize,
        spread: &Spread,
        values: &mut [Residues; 2],
        to: usize,
        observer: &mut impl ChannelObserver,
    ) {
        let [u, v] = &*values;
        let factors = self.scale(index, u.len(), to);
        *values = [&spread[0], &spread[1]].map(|[r, t]| {
            let mut value = self.row([&r[..to], &t[..to]], [u, v], observer);
            self.base.channels().multiply(&mut value, factors, observer);
            value
        });
    }
}
