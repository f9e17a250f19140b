//! A kernel under test, and checks of its contract.

use moduli_kernel::{
    KernelChoice,
    internals::{self, Kernel},
};
use num_bigint::BigUint;

use crate::kernels::operands::{Random, limbs_of, value_of};

pub const GUARD: u64 = 0x5eed_9a7d_5eed_9a7d;

/// One kernel for one modulus. Every call gets the minimum scratch space, filled with arbitrary words.
/// Everything that a call writes has guard words on both sides.
pub struct Subject {
    pub kernel: Box<dyn Kernel>,
    pub p: BigUint,
    pub name: &'static str,
}

impl Subject {
    pub fn new(candidate: KernelChoice, p: &BigUint) -> Self {
        let kernel = internals::kernel(candidate, &p.to_u64_digits()).unwrap();
        let dimensions = *kernel.dimensions();
        assert_eq!(dimensions, candidate.foreseen(p.bits() as u32).unwrap());
        assert_eq!(dimensions.limbs, p.to_u64_digits().len());
        assert_eq!(dimensions.prepared_words(1), dimensions.residue_words);
        assert_eq!(kernel.one().len(), dimensions.residue_words);
        assert!(dimensions.max_split >= 1);
        let subject = Self { kernel, p: p.clone(), name: candidate.name() };
        assert_eq!(subject.from_montgomery(subject.kernel.one()), BigUint::from(1u32));
        subject
    }

    fn run(&self, start: &[u64], operation: impl FnOnce(&dyn Kernel, &mut [u64], &mut [u64])) -> Vec<u64> {
        let mut out = vec![GUARD; start.len() + 16];
        out[8..8 + start.len()].copy_from_slice(start);
        let scratch_words = self.kernel.dimensions().scratch_words;
        let mut scratch = vec![GUARD; scratch_words + 16];
        scratch[8..8 + scratch_words].fill(!GUARD);
        operation(&*self.kernel, &mut out[8..8 + start.len()], &mut scratch[8..8 + scratch_words]);
        for (buffer, len) in [(&out, start.len()), (&scratch, scratch_words)] {
            assert!(buffer[..8].iter().chain(&buffer[8 + len..]).all(|&w| w == GUARD), "wrote outside");
        }
        out[8..8 + start.len()].to_vec()
    }

    pub fn rubbish(&self, len: usize) -> Vec<u64> {
        vec![0xdead_beef_dead_beef; len]
    }

    pub fn to_montgomery(&self, value: &BigUint) -> Vec<u64> {
        let value = limbs_of(value, self.kernel.dimensions().limbs);
        self.run(&self.rubbish(self.kernel.dimensions().residue_words), |k, out, s| {
            k.to_montgomery(out, &value, s)
        })
    }

    pub fn from_montgomery(&self, residue: &[u64]) -> BigUint {
        let out = self.run(&self.rubbish(self.kernel.dimensions().limbs), |k, out, s| {
            k.from_montgomery(out, residue, s)
        });
        let value = value_of(&out);
        assert!(value < self.p, "leave gave a value above the modulus");
        value
    }

    pub fn load(&self, value: &BigUint) -> Vec<u64> {
        let value = limbs_of(value, self.kernel.dimensions().limbs);
        self.run(&self.rubbish(self.kernel.dimensions().residue_words), |k, out, s| k.load(out, &value, s))
    }

    pub fn store(&self, residue: &[u64]) -> BigUint {
        let out =
            self.run(&self.rubbish(self.kernel.dimensions().limbs), |k, out, s| k.store(out, residue, s));
        let value = value_of(&out);
        assert!(value < self.p, "store gave a value above the modulus");
        value
    }

    pub fn add(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.add(x, b, s))
    }

    pub fn sub(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.sub(x, b, s))
    }

    pub fn mul(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.mul(x, b, s))
    }

    pub fn square(&self, x: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.square(x, s))
    }

    pub fn prepare(&self, a: &[u64], split: usize) -> Vec<u64> {
        let out = self.rubbish(self.kernel.dimensions().prepared_words(split));
        self.run(&out, |k, out, s| k.prepare(out, a, split, s))
    }

    pub fn mul_prepared(&self, x: &[u64], b: &[u64], split: usize) -> Vec<u64> {
        self.run(x, |k, x, s| k.mul_prepared(x, b, split, s))
    }

    pub fn mul_pair(&self, x: &[u64], y: &[u64], a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut second = y.to_vec();
        let first = self.run(x, |k, x, s| k.mul_pair(x, &mut second, a, s));
        (first, second)
    }

    pub fn select(&self, first: &[u64], row: &[u64], index: u64) -> Vec<u64> {
        self.run(&self.rubbish(first.len()), |k, out, _| k.select(out, first, row, index))
    }

    pub fn replace(&self, row: &[u64], entry: &[u64], index: u64) -> Vec<u64> {
        self.run(row, |k, row, _| k.replace(row, entry, index))
    }

    /// The splits to test: all if there are few, otherwise a selection with both ends.
    pub fn splits(&self, at_most: usize, random: &mut Random) -> Vec<usize> {
        let max = self.kernel.dimensions().max_split;
        if max <= at_most {
            return (1..=max).collect();
        }
        (0..at_most)
            .map(|i| match i {
                0 => max,
                1 => 2,
                2 => max.div_ceil(2),
                _ => 1 + random.below(max),
            })
            .collect()
    }

    /// Checks the whole contract for two operands.
    pub fn check_pair(&self, a: &BigUint, b: &BigUint, splits: &[usize]) {
        let p = &self.p;
        let (x, y) = (self.to_montgomery(a), self.to_montgomery(b));
        let context = || format!("{} a={a:x} b={b:x} p={p:x}", self.kernel.dimensions().name);
        assert_eq!(self.from_montgomery(&x), *a, "enter, leave: {}", context());
        let product = a * b % p;
        assert_eq!(self.from_montgomery(&self.add(&x, &y)), (a + b) % p, "add: {}", context());
        assert_eq!(self.from_montgomery(&self.sub(&x, &y)), (a + p - b) % p, "sub: {}", context());
        assert_eq!(self.from_montgomery(&self.mul(&x, &y)), product, "mul: {}", context());
        assert_eq!(self.from_montgomery(&self.square(&x)), a * a % p, "square: {}", context());
        // Loading multiplies by a constant, and storing divides by it.
        let (loaded, factor) = (self.load(a), self.from_montgomery(&self.load(&BigUint::from(1u32))));
        assert_eq!(self.from_montgomery(&loaded), a * &factor % p, "load: {}", context());
        assert_eq!(self.store(&loaded), *a, "load, store: {}", context());
        assert_eq!(self.store(&self.mul(&loaded, &y)), product, "store of a product: {}", context());
        // A factor can be any number of as many bits as p.
        for long in [a + p, (BigUint::from(1u32) << p.bits()) - 1u32] {
            if long.bits() == p.bits() {
                let found = self.store(&self.mul(&self.load(&long), &y));
                assert_eq!(found, &long * b % p, "store of a product by {long:x}: {}", context());
            }
        }
        let loaded_b = self.load(b);
        assert_eq!(self.store(&self.add(&loaded, &loaded_b)), (a + b) % p, "store of a sum: {}", context());
        let difference = self.store(&self.sub(&loaded, &loaded_b));
        assert_eq!(difference, (a + p - b) % p, "store of a difference: {}", context());
        for &split in splits {
            let prepared = self.prepare(&y, split);
            let by_prepared = self.from_montgomery(&self.mul_prepared(&x, &prepared, split));
            assert_eq!(by_prepared, product, "mul_prepared, split {split}: {}", context());
        }
    }

    /// The results of `from_montgomery` and `prepare` depend on values only, not on representations.
    pub fn check_representations(&self, a: &BigUint, b: &BigUint, splits: &[usize]) {
        let (x, y) = (self.to_montgomery(a), self.to_montgomery(b));
        let others = [
            self.sub(&self.add(&x, &y), &y),
            self.add(&self.sub(&x, &y), &y),
            self.mul(&x, self.kernel.one()),
            self.mul(self.kernel.one(), &x),
            self.sub(&self.to_montgomery(&BigUint::ZERO), &self.sub(&y, &self.add(&y, &x))),
        ];
        for other in &others {
            assert_eq!(self.from_montgomery(other), *a);
            for &split in splits {
                assert_eq!(self.prepare(other, split), self.prepare(&x, split), "split {split}");
            }
        }
    }

    /// Compares a long computation on four registers, without normalisation, with the same computation on
    /// numbers.
    pub fn check_chain(&self, steps: usize, random: &mut Random) {
        let p = &self.p;
        let mut values: Vec<BigUint> = (0..4).map(|_| random.value(p.bits()) % p).collect();
        let mut residues: Vec<Vec<u64>> = values.iter().map(|value| self.to_montgomery(value)).collect();
        for step in 0..steps {
            let (i, j) = (random.below(4), random.below(4));
            let (a, b) = (&values[i], &values[j]);
            let (x, y) = (&residues[i], &residues[j]);
            let (value, residue) = match random.below(8) {
                0 => ((a + b) % p, self.add(x, y)),
                1 => ((a + p - b) % p, self.sub(x, y)),
                2 | 3 => (a * b % p, self.mul(x, y)),
                4 => (a * a % p, self.square(x)),
                5 => {
                    let split = 1 + random.below(self.kernel.dimensions().max_split.min(12));
                    (a * b % p, self.mul_prepared(x, &self.prepare(y, split), split))
                }
                6 => {
                    let (other, residue) = self.mul_pair(&residues[(i + 1) % 4], x, y);
                    assert_eq!(
                        self.from_montgomery(&other),
                        &values[(i + 1) % 4] * b % p,
                        "{}: mul_pair, step {step}",
                        self.name
                    );
                    (a * b % p, residue)
                }
                _ => {
                    let row: Vec<u64> = residues[1..].concat();
                    (values[j].clone(), self.select(&residues[0], &row, j as u64))
                }
            };
            (values[i], residues[i]) = (value, residue);
            if step % 16 == 0 || step + 1 == steps {
                for (value, residue) in values.iter().zip(&residues) {
                    assert_eq!(
                        self.from_montgomery(residue),
                        *value,
                        "{}: chain, step {step}, p={p:x}",
                        self.name
                    );
                }
            }
        }
    }
}
