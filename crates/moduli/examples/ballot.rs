//! E-voting: encrypts a vote of 0 or 1, with a proof that it is one of them. `cargo run --release
//! --example ballot`
//!
//! The arithmetic is that of ElectionGuard 2.1 (exponential ElGamal and disjunctive Chaum–Pedersen
//! proofs); the input of the challenge hash is shorter.

use crypto_bigint::{BoxedUint, RandomMod};
use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::{Error, FixedBase, MemorySize, Modulus, groups::Group, scheme::dsa::Hash, subgroup};

/// The data common to all voters: g, the election's key K, and their tables.
struct Election {
    p: Modulus,
    q: Modulus,
    g: FixedBase,
    k: FixedBase,
}

/// (g^ξ, K^(v + ξ)), with a challenge and a response for each possible vote.
struct Ballot {
    alpha: BoxedUint,
    beta: BoxedUint,
    proof: [(BoxedUint, BoxedUint); 2],
}

impl Election {
    fn new(secret: &BoxedUint, group: &Group) -> Result<Self, Error> {
        let (p, q) = (Modulus::new(group.modulus())?, Modulus::new(group.order())?);
        let table = |base: &BoxedUint| {
            FixedBase::builder(&p, base)
                .order(group.order())
                .exponent_bits(256)
                .budget(MemorySize::mib(1))
                .build()
        };
        let g = table(group.generator())?;
        let k = table(&g.pow(secret)?)?;
        Ok(Self { p, q, g, k })
    }

    fn random(&self) -> BoxedUint {
        BoxedUint::random_mod_vartime(&mut UnwrapErr(SysRng), self.q.value().as_nz_ref())
    }

    /// x + y·z modulo q. Constant-time, like all arithmetic of elements.
    fn combine(&self, x: &BoxedUint, y: &BoxedUint, z: &BoxedUint) -> Result<BoxedUint, Error> {
        Ok(self.q.element(x).try_add(&self.q.element(y).try_mul(&self.q.element(z))?)?.to_uint())
    }

    fn negative(&self, x: &BoxedUint) -> BoxedUint {
        (-self.q.element(x)).to_uint()
    }

    fn challenge(&self, numbers: &[&BoxedUint]) -> BoxedUint {
        let mut text = self.k.base().to_be_bytes().to_vec();
        for number in numbers {
            text.extend_from_slice(&number.to_be_bytes());
        }
        self.q.reduce(&BoxedUint::from_be_slice_vartime(&Hash::Sha256.digest(&text)))
    }

    fn encrypt(&self, vote: u64) -> Result<Ballot, Error> {
        let (one, vote) = (BoxedUint::one(), BoxedUint::from(vote));
        let nonce = self.random();
        let alpha = self.g.pow(&nonce)?;
        let beta = self.k.pow(&self.combine(&nonce, &vote, &one)?)?;
        // The proof for the other vote is simulated: its challenge is chosen before the commitment.
        let (u, made_up) = ([self.random(), self.random()], self.random());
        let other = self.combine(&one, &self.negative(&vote), &one)?;
        // The commitment for w = other: b = K^(u + (v − w)·c). For w = v the last term is 0.
        let mut commitments = Vec::new();
        for (w, u) in [BoxedUint::zero(), one.clone()].iter().zip(&u) {
            let apart = self.combine(&vote, &self.negative(w), &one)?;
            let t = self.combine(u, &apart, &made_up)?;
            commitments.push(self.g.pow(u)?);
            commitments.push(self.k.pow(&t)?);
        }
        let [a0, b0, a1, b1] = [0, 1, 2, 3].map(|i| &commitments[i]);
        let all = self.challenge(&[&alpha, &beta, a0, b0, a1, b1]);
        let own = self.combine(&all, &self.negative(&made_up), &one)?;
        // Which challenge belongs to which vote is secret, so both are computed, without a branch
        // on the vote.
        let difference = self.combine(&own, &self.negative(&made_up), &one)?;
        let first = self.combine(&made_up, &other, &difference)?;
        let second = self.combine(&made_up, &vote, &difference)?;
        let response = |u: &BoxedUint, c: &BoxedUint| self.combine(u, &self.negative(c), &nonce);
        let proof = [(first.clone(), response(&u[0], &first)?), (second.clone(), response(&u[1], &second)?)];
        Ok(Ballot { alpha, beta, proof })
    }

    /// Checks all published data. Anyone can do this.
    fn verify(&self, ballot: &Ballot) -> Result<bool, Error> {
        let Ballot { alpha, beta, proof } = ballot;
        let order = self.q.value().as_ref();
        if ![alpha, beta].iter().all(|x| subgroup::is_member_vartime(&self.p, order, x)) {
            return Ok(false);
        }
        let mut commitments = Vec::new();
        for (w, (c, v)) in [BoxedUint::zero(), BoxedUint::one()].iter().zip(proof) {
            let shifted = self.combine(v, &self.negative(w), c)?;
            commitments.push(self.g.pow_times_vartime(v, alpha, c)?);
            commitments.push(self.k.pow_times_vartime(&shifted, beta, c)?);
        }
        let [a0, b0, a1, b1] = [0, 1, 2, 3].map(|i| &commitments[i]);
        let sum = self.combine(&proof[0].0, &proof[1].0, &BoxedUint::one())?;
        Ok(sum == self.challenge(&[alpha, beta, a0, b0, a1, b1]))
    }
}

fn main() -> Result<(), Error> {
    let group = Group::named("electionguard-v2.1")?;
    let secret = BoxedUint::from(0x1234_5678_9abc_def1u64);
    let election = Election::new(&secret, &group)?;
    let votes = [1, 0, 1, 1];
    let mut ballots = Vec::new();
    for vote in votes {
        let ballot = election.encrypt(vote)?;
        assert!(election.verify(&ballot)?);
        ballots.push(ballot);
    }
    // A vote of two is rejected, whatever its proof.
    assert!(!election.verify(&election.encrypt(2)?)?);
    // The tally: the product of all ballots is a ballot of their sum, K^sum = Πβ / (Πα)^s.
    let p = &election.p;
    let (mut alpha, mut beta) = (BoxedUint::one(), BoxedUint::one());
    for ballot in &ballots {
        (alpha, beta) = (p.mul(&alpha, &ballot.alpha), p.mul(&beta, &ballot.beta));
    }
    let of_sum = p.mul(&beta, &p.invert(&p.pow(&alpha, &secret))?);
    let sum = (0..=4u64).find(|&sum| election.k.pow_vartime(&BoxedUint::from(sum)).as_ref() == Ok(&of_sum));
    assert_eq!(sum, Some(3));
    println!("{} ballots, all proofs verified, 3 votes for", ballots.len());
    Ok(())
}
