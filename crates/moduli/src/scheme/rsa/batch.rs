//! Many private operations with one key: side by side if the kernels have lanes, and on all cores.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use signature::rand_core::TryCryptoRng;

use super::{
    half::{Half, pow_side_by_side},
    private_key::{PrivateKey, Randomness, blinded},
};
use crate::{
    error::Error,
    parallel::{fills, map_init},
};
use moduli_kernel::{LaneSession, Session, Words, limbs};

/// A value below n, with the randomness for its operation and the index of its result.
struct Task<'c> {
    index: usize,
    c: &'c BoxedUint,
    randomness: Randomness,
}

impl PrivateKey {
    /// Computes [`decrypt_raw`](Self::decrypt_raw) of every value, in order, on all cores with the
    /// feature `rayon`. Constant-time; each value is blinded and checked separately. Which of them
    /// fail is public.
    ///
    /// Cost: if the kernels have lanes (eight with AVX-512 IFMA, four with AVX2 and FMA), a group
    /// of as many operations takes less time than the same number of single ones, and each has the
    /// latency of the group. Batches that are too small to keep all cores busy with groups are
    /// computed one by one. Source: RFC 8017, 5.1.2, and the windows of
    /// [`Modulus::pow_batch`](crate::Modulus::pow_batch).
    ///
    /// # Errors
    /// A value that fails gets the error of [`decrypt_raw`](Self::decrypt_raw) at its index; the others get
    /// their results.
    pub fn decrypt_raw_batch<'c, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        values: impl IntoIterator<Item = &'c BoxedUint>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let (mut results, mut tasks) = (Vec::new(), Vec::new());
        for (index, c) in values.into_iter().enumerate() {
            let randomness = self.public.check_below_n(c).and_then(|()| self.randomness(rng));
            // A placeholder, which is overwritten below.
            results.push(Err(Error::Fault));
            match randomness {
                Ok(randomness) => tasks.push(Task { index, c, randomness }),
                Err(error) => results[index] = Err(error),
            }
        }
        let lanes = self.halves.iter().map(|half| half.factor.modulus.lanes());
        let lanes = lanes.min().unwrap_or(1);
        let group = if fills(tasks.len(), lanes) { lanes } else { 1 };
        let indices: Vec<usize> = tasks.iter().map(|task| task.index).collect();
        let groups = tasks.chunks(group).collect();
        let done = map_init(groups, || (), |(): &mut (), tasks| self.compute_group(tasks));
        for (index, result) in indices.into_iter().zip(done.into_iter().flatten()) {
            results[index] = result;
        }
        results
    }

    /// The powers of one group, side by side if that pays.
    fn compute_group(&self, tasks: &[Task<'_>]) -> Vec<Result<BoxedUint, Error>> {
        let [p, q] = &self.halves;
        if let (Some(mut of_p), Some(mut of_q)) =
            (p.factor.modulus.lane_session(), q.factor.modulus.lane_session())
            && tasks.len() >= of_p.enough().max(of_q.enough())
            && let Ok(results) = self.compute_side_by_side([&mut of_p, &mut of_q], tasks)
        {
            return results;
        }
        tasks.iter().map(|task| self.compute(task.c, &task.randomness)).collect()
    }

    /// The powers of at most as many values as there are lanes, side by side.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is not enough memory for the tables.
    fn compute_side_by_side(
        &self,
        [of_p, of_q]: [&mut LaneSession<'_>; 2],
        tasks: &[Task<'_>],
    ) -> Result<Vec<Result<BoxedUint, Error>>, Error> {
        let bits = self.public.n().bits();
        let mut sessions = self.sessions();
        let values: Vec<_> = tasks.iter().map(|task| limbs::to_limbs(task.c, sessions.n.limbs())).collect();
        let blinded: Vec<Words> = (values.iter().zip(tasks))
            .map(|(value, task)| blinded(&mut sessions.n, value, &task.randomness))
            .collect();
        let powers = |half: &Half, which: usize, session: &mut Session<'_>, lanes: &mut LaneSession<'_>| {
            let blinding: Vec<_> = tasks.iter().map(|task| task.randomness.exponents[which]).collect();
            pow_side_by_side(half, (session, lanes), &blinded, bits, &blinding)
        };
        let [p, q] = &self.halves;
        let modulo_p = powers(p, 0, &mut sessions.p, of_p)?;
        let modulo_q = powers(q, 1, &mut sessions.q, of_q)?;
        let halves = modulo_p.into_iter().zip(modulo_q).map(|(p, q)| [p, q]);
        let all = values.iter().zip(tasks).zip(halves);
        Ok(all.map(|((c, task), halves)| self.released(&mut sessions, c, &task.randomness, halves)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests groups of all sizes, independent of the number of threads.
    #[test]
    fn a_group_gives_what_single_operations_give() {
        for pem in [include_str!("example.pem"), include_str!("example-2048.pem")] {
            for blind in [false, true] {
                let key = PrivateKey::from_pem(pem).unwrap().with_exponent_blinding(blind);
                let n = key.public.n().value().as_ref();
                let one = BoxedUint::one();
                let extreme = [
                    BoxedUint::zero(),
                    one.clone(),
                    n - &one,
                    key.halves[0].factor.modulus.value().as_ref().clone(),
                ];
                let others = (2..6u64).map(|x| n - &BoxedUint::from((x * x) << 40));
                let values: Vec<BoxedUint> = extreme.into_iter().chain(others).collect();
                for count in 0..=values.len() {
                    let rng = &mut getrandom::SysRng;
                    let tasks: Vec<_> = (values[..count].iter().enumerate())
                        .map(|(index, c)| Task { index, c, randomness: key.randomness(rng).unwrap() })
                        .collect();
                    let expected: Vec<_> = values[..count].iter().map(|c| key.decrypt_raw(rng, c)).collect();
                    assert!(expected.iter().all(Result::is_ok));
                    // At most as many as there are lanes: `fma50` has four.
                    let lanes = key.halves[0].factor.modulus.lanes();
                    for group in [1, 3, 4, 8].into_iter().filter(|&group| group <= lanes) {
                        let found = tasks.chunks(group).flat_map(|tasks| key.compute_group(tasks));
                        assert!(found.eq(expected.iter().cloned()), "{count} by {group}");
                    }
                }
            }
        }
    }
}
