//! Checks the entries of a table against the base.

use alloc::vec::Vec;
use core::{
    hash::BuildHasher,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};
use std::hash::RandomState;

use super::{build::Recipe, fixed_base::FixedBase};
use crate::parallel;
use crate::{
    error::{Error, TableError},
    exponent::SignedExponent,
};
use moduli_kernel::Words;

impl FixedBase {
    /// Recomputes the entries of the table from the base and compares them: all of them, or `sample` random
    /// ones, spread over the table, each by a separate exponentiation. If these would take longer than all
    /// entries, all are recomputed instead. Uses all cores with the feature `rayon`; `progress` is called
    /// with the number of entries done, from any thread.
    ///
    /// This finds wrong entries in a table file whose checksum is right. If all entries are verified, the
    /// table accepts secret exponents from then on; a sample of any size does not suffice. Variable-time:
    /// tables are public. Cost: as much time as building the table (milliseconds for 1 MiB), without a second
    /// table in memory; for a sample, one exponentiation per entry, and at most that time.
    ///
    /// # Errors
    /// [`Error::Table`] with the first wrong entry; [`Error::Parameter`] for an empty sample.
    pub fn verify(&self, sample: Option<u64>, progress: &(dyn Fn(u64) + Sync)) -> Result<(), Error> {
        if sample == Some(0) {
            return Err(Error::parameter("sample", "0 entries; at least 1 must be checked"));
        }
        // Building takes a product per entry; an exponentiation takes some per bit.
        let (entries, bits) = (self.shape().entries(), u64::from(self.shape().exponent_bits()));
        let wrong = match sample.filter(|sample| sample.saturating_mul(bits) < entries) {
            Some(sample) => self.first_wrong_of(sample, progress)?,
            None => self.first_wrong(progress)?,
        };
        if let Some(index) = wrong {
            return Err(Error::Table(TableError::Entry { index }));
        }
        if sample.is_none() {
            self.trust();
        }
        Ok(())
    }

    fn first_wrong(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Option<u64>, Error> {
        let table = self.table();
        let base = self.modulus().to_montgomery(self.base());
        let recipe = Recipe::new(self.modulus(), &base, table.layout, self.shape().split())?;
        let size = recipe.entry_words();
        let (mut work, mut first) = (Vec::new(), 0);
        for chunk in recipe.chunks() {
            work.push((chunk, first));
            first += chunk.count;
        }
        let (done, wrong) = (AtomicU64::new(0), FirstWrong::none());
        parallel::for_each(work, |(chunk, first)| {
            if !wrong.precedes(first) {
                let mut right = Words::zero(chunk.count * size);
                recipe.fill(chunk, &mut right);
                let entries = table.words[first * size..][..chunk.count * size].chunks_exact(size);
                let differs = |(entry, right)| entry != right;
                if let Some(i) = entries.zip(right.chunks_exact(size)).position(differs) {
                    wrong.report(first + i);
                }
            }
            let count = chunk.count as u64;
            progress(done.fetch_add(count, Relaxed) + count);
        });
        Ok(wrong.index())
    }

    fn first_wrong_of(&self, sample: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<Option<u64>, Error> {
        let entries = self.shape().entries();
        // Divides the table into `sample` equal parts and takes a random entry of each.
        let random = RandomState::new();
        let part = |i: u64| (u128::from(entries) * u128::from(i) / u128::from(sample)) as u64;
        let pick = |i: u64| part(i) + random.hash_one(i) % (part(i + 1) - part(i));
        let (done, wrong) = (AtomicU64::new(0), FirstWrong::none());
        let failed = std::sync::Mutex::new(None);
        parallel::for_each((0..sample).map(|i| pick(i) as usize).collect(), |index: usize| {
            if !wrong.precedes(index) {
                match self.entry_is_right(index) {
                    Ok(true) => {}
                    Ok(false) => wrong.report(index),
                    Err(error) => {
                        *failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error)
                    }
                }
            }
            progress(done.fetch_add(1, Relaxed) + 1);
        });
        let failed = failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        failed.map_or(Ok(wrong.index()), Err)
    }

    /// Compares one entry with a power computed by the general exponentiation.
    fn entry_is_right(&self, index: usize) -> Result<bool, Error> {
        let table = self.table();
        let (negative, magnitude) = table.layout.exponent(index);
        let power = self.modulus().pow_vartime(self.base(), SignedExponent::new(negative, &magnitude))?;
        let mut right = Words::zero(table.one.len());
        let residue = self.modulus().to_montgomery(&power);
        self.modulus().session().prepare(&mut right, &residue, table.split);
        Ok(right[..] == table.words[index * right.len()..][..right.len()])
    }
}

/// The lowest index of a wrong entry that any thread found.
struct FirstWrong(AtomicU64);

impl FirstWrong {
    fn none() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }

    fn report(&self, index: usize) {
        self.0.fetch_min(index as u64, Relaxed);
    }

    fn precedes(&self, index: usize) -> bool {
        self.0.load(Relaxed) < index as u64
    }

    fn index(&self) -> Option<u64> {
        Some(self.0.load(Relaxed)).filter(|&index| index < u64::MAX)
    }
}
