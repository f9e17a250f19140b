//! Many inversions for the cost of one inversion and three products each (Montgomery's trick).

use alloc::{vec, vec::Vec};
use core::{borrow::Borrow, ops::Range};
use crypto_bigint::BoxedUint;

use crate::{error::Error, modulus::Modulus, parallel};
use moduli_kernel::{Session, Words, limbs};

/// The most values that share an inversion. With so many, the inversion costs little beside their
/// products, which still fit the caches.
const MOST: usize = 1024;

/// The fewest values for which a further core pays, although it needs another inversion.
const FEWEST: usize = 64;

impl Modulus {
    /// Returns `x^(−1) mod p` of every value, in order. A value that has no inverse gets the error at its
    /// index; the others get their inverses. Uses all cores with the feature `rayon`.
    ///
    /// Constant-time: reveals how many values there are, and which of them have no inverse.
    ///
    /// Cost: three products per value, and one inversion for up to 1024 of them; each value without an
    /// inverse adds at most 2·log2 of their number inversions and repeats some of the products. If no value
    /// has an inverse, there are two inversions per value. Memory: the results, and two residues for each of
    /// 1024 values per core.
    ///
    /// # Errors
    /// For each value that has no inverse [`Error::NotInvertible`], without the factor: the values may be
    /// secret.
    pub fn invert_batch<V: Borrow<BoxedUint> + Sync>(&self, values: &[V]) -> Vec<Result<BoxedUint, Error>> {
        let mut results = vec![Err(Error::NotInvertible { gcd: None }); values.len()];
        let share = values.len().div_ceil(parallel::threads()).clamp(FEWEST, MOST);
        let chunks = values.chunks(share).zip(results.chunks_mut(share)).collect();
        parallel::for_each(chunks, |(values, results): (&[V], &mut [_])| {
            Chunk::new(self, values).invert(results);
        });
        results
    }
}

/// Values that share an inversion.
///
/// Residue i is *loaded*: c·x_i, where c is the kernel's constant; loading needs no product.
/// Storing a product t of some residues gives t/c. Loading the inverse of t/c gives c²/t.
/// Multiplied by all factors of t but one, this is c²/(c·x_i) = c·x_i^(−1), and storing that gives
/// x_i^(−1). So the powers of c cancel.
struct Chunk<'a> {
    modulus: &'a Modulus,
    session: Session<'a>,
    words: usize,
    loaded: Words,
    /// Residue i: the product of the residues of the current range, from its first up to i.
    products: Words,
    value: Words,
}

impl<'a> Chunk<'a> {
    fn new<V: Borrow<BoxedUint>>(modulus: &'a Modulus, values: &[V]) -> Self {
        let mut session = modulus.session();
        let words = session.residue_words();
        let mut loaded = Words::zero(words * values.len());
        for (residue, value) in loaded.chunks_exact_mut(words).zip(values) {
            session.load(residue, &modulus.reduced_limbs(value.borrow()));
        }
        let (products, value) = (Words::zero(loaded.len()), session.value());
        Self { modulus, session, words, loaded, products, value }
    }

    fn invert(&mut self, results: &mut [Result<BoxedUint, Error>]) {
        let all = 0..results.len();
        if !all.is_empty() {
            self.multiply(all.clone());
            self.invert_range(all, results);
        }
    }

    fn at(&self, index: usize) -> Range<usize> {
        index * self.words..(index + 1) * self.words
    }

    /// Computes the products of a range.
    fn multiply(&mut self, range: Range<usize>) {
        let mut product = self.at(range.start);
        self.products[product.clone()].copy_from_slice(&self.loaded[product.clone()]);
        for index in range.skip(1) {
            let next = self.at(index);
            self.products.copy_within(product, next.start);
            self.session.mul(&mut self.products[next.clone()], &self.loaded[next.clone()]);
            product = next;
        }
    }

    /// Inverts a range whose products are known. If their product has no inverse, inverts the two
    /// halves instead.
    fn invert_range(&mut self, range: Range<usize>, results: &mut [Result<BoxedUint, Error>]) {
        let last = self.at(range.end - 1);
        self.session.store(&mut self.value, &self.products[last]);
        match self.modulus.inverted_limbs(&self.value) {
            Ok(inverse) => {
                let mut residue = Words::zero(self.words);
                self.session.load(&mut residue, &inverse);
                self.distribute(range, residue, results);
            }
            Err(_) if range.len() == 1 => {}
            Err(_) => {
                let middle = range.start + range.len() / 2;
                // The products of the first half are already known.
                self.invert_range(range.start..middle, results);
                self.multiply(middle..range.end);
                self.invert_range(middle..range.end, results);
            }
        }
    }

    /// Computes the inverses of the values from that of the last product, last value first.
    fn distribute(
        &mut self,
        range: Range<usize>,
        mut inverse: Words,
        results: &mut [Result<BoxedUint, Error>],
    ) {
        let mut result = Words::zero(self.words);
        for index in range.clone().rev() {
            result.copy_from_slice(&inverse);
            if index > range.start {
                let (before, this) = (self.at(index - 1), self.at(index));
                self.session.mul(&mut result, &self.products[before]);
                self.session.mul(&mut inverse, &self.loaded[this]);
            }
            self.session.store(&mut self.value, &result);
            results[index] = Ok(limbs::from_limbs(&self.value));
        }
    }
}
