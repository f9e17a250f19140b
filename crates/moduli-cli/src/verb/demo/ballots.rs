//! Ballots encrypted with exponential ElGamal: (g^r, g^v·y^r) for a vote v of 0 or 1.

use std::time::Instant;

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, Modulus, MultiExponentiation, groups::Group};
use rayon::prelude::*;

use super::{
    base::random_below,
    oracle::{Oracle, same},
    work::Work,
};
use crate::{
    failure::Failure,
    verb::rate::{Rate, Rounds},
};

/// The key of the election.
pub struct Key {
    public: BoxedUint,
}

/// A vote and the randomness that hides it.
#[derive(Clone)]
struct Ballot {
    vote: BoxedUint,
    nonce: BoxedUint,
}

/// An encrypted vote.
struct Encrypted {
    pad: BoxedUint,
    data: BoxedUint,
}

impl Key {
    /// Creates a key. The secret is dropped, because the demonstration does not decrypt.
    pub fn new(group: &Group, modulus: &Modulus) -> Result<Self, Failure> {
        let secret = random_below(group.order())?;
        Ok(Self { public: modulus.pow(group.generator(), &secret) })
    }

    /// y = g^x.
    pub fn public(&self) -> &BoxedUint {
        &self.public
    }
}

/// Encrypts `count` ballots on all cores, then checks every number of every ballot.
pub fn run(
    group: &Group,
    key: &Key,
    g: &FixedBase,
    y: &FixedBase,
    count: usize,
    rounds: Rounds,
) -> Result<Work, Failure> {
    let ballots = (0..count).map(|i| Ballot::new(group, i)).collect::<Result<Vec<_>, _>>()?;
    let g_and_y = MultiExponentiation::new([g, y])?;
    let start = Instant::now();
    let encrypted =
        ballots.par_iter().map(|ballot| ballot.encrypt(g, &g_and_y)).collect::<Result<Vec<_>, _>>()?;
    let seconds = start.elapsed().as_secs_f64();
    let oracle = Oracle::new(g.modulus().value());
    let wrong = ballots
        .par_iter()
        .zip(&encrypted)
        .position_first(|(ballot, encrypted)| !ballot.is_encrypted(&oracle, group, key, encrypted));
    if let Some(index) = wrong {
        return Err(Failure::Wrong(format!("ballot {index} is not encrypted correctly")));
    }
    let sample = ballots.first().map_or_else(|| Ballot::new(group, 1), |ballot| Ok(ballot.clone()))?;
    let rate = Rate::of_each(rounds, |_| sample.encrypt(g, &g_and_y).map(drop))?;
    let checked = format!("{} group elements recomputed by crypto-bigint, none wrong", 2 * count);
    Ok(Work { what: "ElGamal ballots", count, seconds, rate, checked })
}

impl Ballot {
    fn new(group: &Group, number: usize) -> Result<Self, Failure> {
        Ok(Self { vote: BoxedUint::from(number as u64 % 2), nonce: random_below(group.order())? })
    }

    fn encrypt(&self, g: &FixedBase, g_and_y: &MultiExponentiation<'_>) -> Result<Encrypted, Failure> {
        Ok(Encrypted { pad: g.pow(&self.nonce)?, data: g_and_y.pow([&self.vote, &self.nonce])? })
    }

    fn is_encrypted(&self, oracle: &Oracle, group: &Group, key: &Key, encrypted: &Encrypted) -> bool {
        let g = group.generator();
        let hidden = oracle.mul(&oracle.pow(g, &self.vote), &oracle.pow(key.public(), &self.nonce));
        same(&encrypted.pad, &oracle.pow(g, &self.nonce)) && same(&encrypted.data, &hidden)
    }
}
