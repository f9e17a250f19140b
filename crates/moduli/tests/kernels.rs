//! The one suite that every kernel passes: each method of the contract against num-bigint, over moduli and
//! operands chosen to reach every carry. A new kernel is one more line in [`KERNELS`].

#[cfg(target_arch = "x86_64")]
use moduli::kernel::{Adx, Fma50, Ifma52};
use moduli::kernel::{Kernel, Portable};
use num_bigint::BigUint;

/// A kernel as the suite sees it.
struct Candidate {
    name: &'static str,
    /// Whether this machine can run it.
    supported: fn() -> bool,
    new: fn(&[u64]) -> Box<dyn Kernel>,
    /// The exponent of two in its Montgomery factor, from the bits of the modulus: the way to choose operands
    /// by the words that the kernel will see.
    radix_bits: fn(u64) -> u64,
    /// Meant for moduli of a few bits: left out of the sizes that people use.
    tiny: bool,
}

const KERNELS: &[Candidate] = &[
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "ifma52",
        supported: Ifma52::is_supported,
        new: |p| Box::new(Ifma52::new(p).unwrap()),
        radix_bits: |bits| {
            let digits = (bits + 8).div_ceil(52);
            let lanes = if digits <= 20 { 4 } else { 8 };
            // Beyond ten digits in a lane they stand in order, in blocks of eight.
            52 * digits.next_multiple_of(if digits <= 80 { lanes } else { 8 })
        },
        tiny: false,
    },
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "fma50",
        supported: Fma50::is_supported,
        new: |p| Box::new(Fma50::new(p).unwrap()),
        radix_bits: |bits| {
            let digits =
                (1..).map(|half| 2 * half).find(|d: &u64| 50 * d >= bits + 55 + u64::from(d.ilog2()));
            50 * digits.unwrap()
        },
        tiny: false,
    },
    #[cfg(target_arch = "x86_64")]
    Candidate {
        name: "adx",
        supported: Adx::is_supported,
        new: |p| Box::new(Adx::new(p).unwrap()),
        radix_bits: |bits| bits.next_multiple_of(64),
        tiny: false,
    },
    Candidate {
        supported: || true,
        name: "portable",
        new: |p| Box::new(Portable::<64>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(64),
        tiny: false,
    },
    Candidate {
        supported: || true,
        name: "portable8",
        new: |p| Box::new(Portable::<8>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(8),
        tiny: true,
    },
    Candidate {
        supported: || true,
        name: "portable4",
        new: |p| Box::new(Portable::<4>::new(p)),
        radix_bits: |bits| bits.next_multiple_of(4),
        tiny: true,
    },
];

fn kernels() -> impl Iterator<Item = &'static Candidate> {
    KERNELS.iter().filter(|candidate| (candidate.supported)())
}

const GUARD: u64 = 0x5eed_9a7d_5eed_9a7d;

fn power_of_two(bits: u64) -> BigUint {
    BigUint::from(1u32) << bits
}

fn limbs_of(value: &BigUint, count: usize) -> Vec<u64> {
    let mut limbs = value.to_u64_digits();
    limbs.resize(count, 0);
    limbs
}

fn value_of(limbs: &[u64]) -> BigUint {
    BigUint::from_slice(
        &limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect::<Vec<_>>(),
    )
}

/// A generator whose words are zero or all ones a quarter of the time each: carries travel.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 33) as usize % bound
    }

    fn value(&mut self, bits: u64) -> BigUint {
        let limbs: Vec<u64> = (0..bits.div_ceil(64))
            .map(|_| match self.below(4) {
                0 => 0,
                1 => u64::MAX,
                _ => self.word(),
            })
            .collect();
        value_of(&limbs) & (power_of_two(bits) - 1u32)
    }
}

/// One kernel for one modulus. Every call gets the least scratch there may be, filled with rubbish, and all that
/// is written lies between guard words.
struct Subject {
    kernel: Box<dyn Kernel>,
    p: BigUint,
}

impl Subject {
    fn new(candidate: &Candidate, p: &BigUint) -> Self {
        let kernel = (candidate.new)(&p.to_u64_digits());
        assert_eq!(kernel.name(), candidate.name);
        assert_eq!(kernel.limbs(), p.to_u64_digits().len());
        assert_eq!(kernel.prepared_words(1), kernel.residue_words());
        assert!(kernel.max_split() >= 1);
        let subject = Self { kernel, p: p.clone() };
        assert_eq!(subject.leave(subject.kernel.one()), BigUint::from(1u32));
        subject
    }

    fn run(&self, start: &[u64], operation: impl FnOnce(&dyn Kernel, &mut [u64], &mut [u64])) -> Vec<u64> {
        let mut out = vec![GUARD; start.len() + 16];
        out[8..8 + start.len()].copy_from_slice(start);
        let scratch_words = self.kernel.scratch_words();
        let mut scratch = vec![GUARD; scratch_words + 16];
        scratch[8..8 + scratch_words].fill(!GUARD);
        operation(&*self.kernel, &mut out[8..8 + start.len()], &mut scratch[8..8 + scratch_words]);
        for (buffer, len) in [(&out, start.len()), (&scratch, scratch_words)] {
            assert!(buffer[..8].iter().chain(&buffer[8 + len..]).all(|&w| w == GUARD), "wrote outside");
        }
        out[8..8 + start.len()].to_vec()
    }

    fn rubbish(&self, len: usize) -> Vec<u64> {
        vec![0xdead_beef_dead_beef; len]
    }

    fn enter(&self, value: &BigUint) -> Vec<u64> {
        let value = limbs_of(value, self.kernel.limbs());
        self.run(&self.rubbish(self.kernel.residue_words()), |k, out, s| k.enter(out, &value, s))
    }

    fn leave(&self, residue: &[u64]) -> BigUint {
        let out = self.run(&self.rubbish(self.kernel.limbs()), |k, out, s| k.leave(out, residue, s));
        let value = value_of(&out);
        assert!(value < self.p, "leave gave a value above the modulus");
        value
    }

    fn load(&self, value: &BigUint) -> Vec<u64> {
        let value = limbs_of(value, self.kernel.limbs());
        self.run(&self.rubbish(self.kernel.residue_words()), |k, out, s| k.load(out, &value, s))
    }

    fn store(&self, residue: &[u64]) -> BigUint {
        let out = self.run(&self.rubbish(self.kernel.limbs()), |k, out, s| k.store(out, residue, s));
        let value = value_of(&out);
        assert!(value < self.p, "store gave a value above the modulus");
        value
    }

    fn add(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.add(x, b, s))
    }

    fn sub(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.sub(x, b, s))
    }

    fn mul(&self, x: &[u64], b: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.mul(x, b, s))
    }

    fn square(&self, x: &[u64]) -> Vec<u64> {
        self.run(x, |k, x, s| k.square(x, s))
    }

    fn prepare(&self, a: &[u64], split: usize) -> Vec<u64> {
        let out = self.rubbish(self.kernel.prepared_words(split));
        self.run(&out, |k, out, s| k.prepare(out, a, split, s))
    }

    fn mul_prepared(&self, x: &[u64], b: &[u64], split: usize) -> Vec<u64> {
        self.run(x, |k, x, s| k.mul_prepared(x, b, split, s))
    }

    fn mul_pair(&self, x: &[u64], y: &[u64], a: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut second = y.to_vec();
        let first = self.run(x, |k, x, s| k.mul_pair(x, &mut second, a, s));
        (first, second)
    }

    fn select(&self, first: &[u64], row: &[u64], index: u64) -> Vec<u64> {
        self.run(&self.rubbish(first.len()), |k, out, _| k.select(out, first, row, index))
    }

    fn replace(&self, row: &[u64], entry: &[u64], index: u64) -> Vec<u64> {
        self.run(row, |k, row, _| k.replace(row, entry, index))
    }

    /// Splits worth trying: all of them where there are few, else a spread with both ends.
    fn splits(&self, at_most: usize, random: &mut Random) -> Vec<usize> {
        let max = self.kernel.max_split();
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

    /// Everything the contract says of two operands.
    fn check_pair(&self, a: &BigUint, b: &BigUint, splits: &[usize]) {
        let p = &self.p;
        let (x, y) = (self.enter(a), self.enter(b));
        let context = || format!("{} a={a:x} b={b:x} p={p:x}", self.kernel.name());
        assert_eq!(self.leave(&x), *a, "enter, leave: {}", context());
        let product = a * b % p;
        assert_eq!(self.leave(&self.add(&x, &y)), (a + b) % p, "add: {}", context());
        assert_eq!(self.leave(&self.sub(&x, &y)), (a + p - b) % p, "sub: {}", context());
        assert_eq!(self.leave(&self.mul(&x, &y)), product, "mul: {}", context());
        assert_eq!(self.leave(&self.square(&x)), a * a % p, "square: {}", context());
        // Loaded is multiplied by a constant, and stored divided by it.
        let (loaded, factor) = (self.load(a), self.leave(&self.load(&BigUint::from(1u32))));
        assert_eq!(self.leave(&loaded), a * &factor % p, "load: {}", context());
        assert_eq!(self.store(&loaded), *a, "load, store: {}", context());
        assert_eq!(self.store(&self.mul(&loaded, &y)), product, "store of a product: {}", context());
        let loaded_b = self.load(b);
        assert_eq!(self.store(&self.add(&loaded, &loaded_b)), (a + b) % p, "store of a sum: {}", context());
        let difference = self.store(&self.sub(&loaded, &loaded_b));
        assert_eq!(difference, (a + p - b) % p, "store of a difference: {}", context());
        for &split in splits {
            let prepared = self.prepare(&y, split);
            let by_prepared = self.leave(&self.mul_prepared(&x, &prepared, split));
            assert_eq!(by_prepared, product, "mul_prepared, split {split}: {}", context());
        }
    }

    /// `leave` and `prepare` see values, not representations.
    fn check_representations(&self, a: &BigUint, b: &BigUint, splits: &[usize]) {
        let (x, y) = (self.enter(a), self.enter(b));
        let others = [
            self.sub(&self.add(&x, &y), &y),
            self.add(&self.sub(&x, &y), &y),
            self.mul(&x, self.kernel.one()),
            self.mul(self.kernel.one(), &x),
            self.sub(&self.enter(&BigUint::ZERO), &self.sub(&y, &self.add(&y, &x))),
        ];
        for other in &others {
            assert_eq!(self.leave(other), *a);
            for &split in splits {
                assert_eq!(self.prepare(other, split), self.prepare(&x, split), "split {split}");
            }
        }
    }

    /// A long computation on four registers, never normalised, against the same on numbers.
    fn check_chain(&self, steps: usize, random: &mut Random) {
        let p = &self.p;
        let mut values: Vec<BigUint> = (0..4).map(|_| random.value(p.bits()) % p).collect();
        let mut residues: Vec<Vec<u64>> = values.iter().map(|value| self.enter(value)).collect();
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
                    let split = 1 + random.below(self.kernel.max_split().min(12));
                    (a * b % p, self.mul_prepared(x, &self.prepare(y, split), split))
                }
                6 => {
                    let (other, residue) = self.mul_pair(&residues[(i + 1) % 4], x, y);
                    assert_eq!(self.leave(&other), &values[(i + 1) % 4] * b % p, "mul_pair, step {step}");
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
                    assert_eq!(self.leave(residue), *value, "chain, step {step}, p={p:x}");
                }
            }
        }
    }
}

/// Odd moduli of `bits` bits or one less, where carries are longest and quotients most extreme.
fn moduli(bits: u64, word_bits: u64, random: &mut Random) -> Vec<BigUint> {
    let one = || BigUint::from(1u32);
    let top = power_of_two(bits - 1);
    let word = power_of_two(word_bits);
    let runs: BigUint = (0..bits.div_ceil(2 * word_bits)).fold(BigUint::ZERO, |sum, i| {
        sum + ((&word - 1u32) << (2 * i * word_bits)) // zero words and all-ones words by turns
    });
    let low_cleared = |x: BigUint| (x >> word_bits) << word_bits;
    let mut all = vec![
        power_of_two(bits) - 1u32,                                // all ones
        power_of_two(bits) - 3u32,                                // and nearly so
        &top - 1u32,                                              // top bit clear
        if bits > 3 { &top - 3u32 } else { &top - 1u32 },         //
        &top + 1u32,                                              // zero words, low word 1
        power_of_two((bits - 1) / word_bits * word_bits) + 1u32,  // top word 1: the fewest bits of its words
        power_of_two(bits) - power_of_two(bits / 2) + 1u32,       // ones above, zeros below, low word 1
        (&runs & (power_of_two(bits) - 1u32)) | one() | &top,     //
        low_cleared(random.value(bits)) | &top | one(),           // negative inverse all ones
        random.value(bits) | &top | (&word - 1u32),               // negative inverse 1
        (random.value(bits) | &top | one()) % power_of_two(bits), // top bit set
        (random.value(bits - 1) | (&top >> 1u32) | one()) % &top, // top bit clear
    ];
    all.retain(|p| p.bit(0) && p.bits() > 1 && p.bits().div_ceil(64) == bits.div_ceil(64));
    all
}

/// The inverse of 2^bits modulo p, by Hensel lifting: (1 + p·(−p^(−1) mod 2^bits))/2^bits.
fn inverse_of_power(p: &BigUint, bits: u64) -> BigUint {
    let (mut inverse, mut known) = (BigUint::from(1u32), 1);
    while known < bits {
        known = (2 * known).min(bits);
        let modulus = power_of_two(known);
        let product = (&inverse * (p % &modulus)) % &modulus;
        inverse = &inverse * ((&modulus + 2u32 - product) % &modulus) % &modulus;
    }
    let negative = (power_of_two(bits) - inverse) % power_of_two(bits);
    (negative * p + 1u32) >> bits
}

/// Operands below p: extreme as numbers, and extreme in the words that the kernel sees.
fn operands(p: &BigUint, radix_bits: u64, random: &mut Random) -> Vec<BigUint> {
    let inverse = inverse_of_power(p, radix_bits);
    assert_eq!((&inverse << radix_bits) % p, BigUint::from(1u32) % p);
    let bits = p.bits();
    let seen = [
        p - 1u32,
        p >> 1u32,
        power_of_two(bits - 1) - 1u32,
        power_of_two(bits / 2) - 1u32,
        power_of_two(bits - 1) - power_of_two(bits / 2),
        random.value(bits) % p,
    ];
    let mut all = vec![
        BigUint::ZERO,
        BigUint::from(1u32),
        p - 1u32,
        p - 2u32,
        power_of_two(radix_bits) % p,
        power_of_two(2 * radix_bits) % p,
        random.value(bits) % p,
        random.value(bits) % p,
    ];
    all.extend(seen.iter().map(|words| words * &inverse % p));
    all
}

/// The suite for one modulus: `pairs` of operands, some chosen, and at most `splits` splits for each.
fn check_modulus(candidate: &Candidate, p: &BigUint, pairs: usize, splits: usize, random: &mut Random) {
    let subject = Subject::new(candidate, p);
    let operands = operands(p, (candidate.radix_bits)(p.bits()), random);
    let all = operands.len() * operands.len();
    for pair in 0..pairs.min(all) {
        let index = if pairs >= all { pair } else { random.below(all) };
        let (a, b) = (&operands[index / operands.len()], &operands[index % operands.len()]);
        subject.check_pair(a, b, &subject.splits(splits, random));
        if pair < 2 {
            subject.check_representations(a, b, &subject.splits(splits.min(3), random));
        }
    }
}

#[test]
fn every_size_up_to_260_limbs() {
    for candidate in kernels().filter(|candidate| !candidate.tiny) {
        // Interleaved, so that both threads do half of the work.
        std::thread::scope(|scope| {
            for half in 0..2 {
                scope.spawn(move || {
                    for limbs in (1 + half..=260u64).step_by(2) {
                        let mut random = Random(limbs);
                        let moduli = moduli(64 * limbs, 64, &mut random);
                        let (pairs, splits) = match limbs {
                            1..=8 => (36, 6),
                            9..=40 => (4, 4),
                            _ => (2, 2),
                        };
                        // The large sizes share the moduli out, two each.
                        let step = if limbs <= 40 { 1 } else { 6 };
                        for p in moduli.iter().skip(limbs as usize % step).step_by(step) {
                            check_modulus(candidate, p, pairs, splits, &mut random);
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn all_pairs_over_every_odd_modulus_of_eight_bits() {
    for candidate in kernels() {
        for modulus in (3u64..256).step_by(2) {
            let subject = Subject::new(candidate, &BigUint::from(modulus));
            let kernel = &*subject.kernel;
            let residues: Vec<Vec<u64>> = (0..modulus).map(|v| subject.enter(&BigUint::from(v))).collect();
            let mut scratch = vec![GUARD; kernel.scratch_words()];
            let mut x = vec![0; kernel.residue_words()];
            let mut out = [0];
            for a in 0..modulus {
                for b in 0..modulus {
                    x.copy_from_slice(&residues[a as usize]);
                    kernel.mul(&mut x, &residues[b as usize], &mut scratch);
                    kernel.leave(&mut out, &x, &mut scratch);
                    assert_eq!(out[0], a * b % modulus, "{}: {a}·{b} mod {modulus}", candidate.name);
                }
            }
            let extremes = [0, 1, modulus / 2, modulus - 2, modulus - 1];
            for a in (0..modulus).map(BigUint::from) {
                for b in extremes.map(BigUint::from) {
                    subject.check_pair(&a, &b, &subject.splits(4, &mut Random(1)));
                }
            }
        }
    }
}

#[test]
fn all_splits_over_small_words() {
    for candidate in kernels().filter(|candidate| candidate.tiny) {
        let word_bits = (candidate.radix_bits)(1);
        let mut random = Random(2);
        // Three words, every value against the extremes.
        let bits = 3 * word_bits.min(4);
        for p in moduli(bits, word_bits, &mut random) {
            let subject = Subject::new(candidate, &p);
            let splits = subject.splits(usize::MAX, &mut random);
            for b in operands(&p, (candidate.radix_bits)(p.bits()), &mut random) {
                let b_residue = subject.enter(&b);
                let prepared: Vec<_> = splits.iter().map(|&s| (s, subject.prepare(&b_residue, s))).collect();
                let modulus: u64 = p.to_u64_digits()[0];
                for a in (0..modulus).map(BigUint::from) {
                    let x = subject.enter(&a);
                    for (split, prepared) in &prepared {
                        let product = subject.leave(&subject.mul_prepared(&x, prepared, *split));
                        assert_eq!(product, &a * &b % &p, "{a}·{b} mod {p}, split {split}");
                    }
                }
            }
        }
        // More words than a word can count: the largest split is then the bound of the word.
        for words in (1..=20).chain([33, 40]) {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                check_modulus(candidate, &p, 40, usize::MAX, &mut random);
            }
            for p in moduli(words * word_bits + 3, word_bits, &mut random) {
                check_modulus(candidate, &p, 10, usize::MAX, &mut random);
            }
        }
    }
}

#[test]
fn pairs_share_their_operand() {
    for candidate in kernels() {
        let mut random = Random(3);
        let word_bits = (candidate.radix_bits)(1);
        // In words, and some bits more: every length of the tail, and more words than a tiny word can count.
        let sizes = (1..=20).chain([24, 27, 28, 29, 30, 31, 32, 33, 64, 65, 100, 120, 260]);
        for words in sizes.filter(|words| words * word_bits <= 16_640) {
            for p in moduli(words * word_bits + words % 2 * 3, word_bits, &mut random) {
                let subject = Subject::new(candidate, &p);
                let operands = operands(&p, (candidate.radix_bits)(p.bits()), &mut random);
                for _ in 0..if words <= 40 { 12 } else { 3 } {
                    let [a, b, c] = [0; 3].map(|_| &operands[random.below(operands.len())]);
                    let [x, y, z] = [a, b, c].map(|value| subject.enter(value));
                    let (first, second) = subject.mul_pair(&x, &y, &z);
                    assert_eq!(subject.leave(&first), a * c % &p, "{}: p={p:x}", candidate.name);
                    assert_eq!(subject.leave(&second), b * c % &p, "{}: p={p:x}", candidate.name);
                }
            }
        }
    }
}

/// Steps of two chains beside each other, to any two moduli.
fn check_beside(first: &Subject, second: &Subject, random: &mut Random) {
    let scratch = first.kernel.scratch_words().max(second.kernel.scratch_words());
    let context =
        || format!("{}, {}: p={:x}, q={:x}", first.kernel.name(), second.kernel.name(), first.p, second.p);
    let mut scratch = first.rubbish(scratch + 1);
    let words = scratch.len() - 1;
    scratch[words] = GUARD;
    let [mut a, b] = [0; 2].map(|_| random.value(first.p.bits()) % &first.p);
    let [mut c, d] = [0; 2].map(|_| random.value(second.p.bits()) % &second.p);
    let (mut x, factor) = (first.enter(&a), first.enter(&b));
    let (mut y, other_factor) = (second.enter(&c), second.enter(&d));
    for times in [1, 3, 0, 2] {
        let kernel = &*second.kernel;
        first.kernel.mul_beside(&mut x, &factor, kernel, &mut y, &other_factor, &mut scratch[..words]);
        (a, c) = (a * &b % &first.p, c * &d % &second.p);
        assert_eq!([first.leave(&x), second.leave(&y)], [a.clone(), c.clone()], "product: {}", context());
        first.kernel.square_beside(&mut x, kernel, &mut y, times, &mut scratch[..words]);
        for _ in 0..times {
            (a, c) = (&a * &a % &first.p, &c * &c % &second.p);
        }
        assert_eq!([first.leave(&x), second.leave(&y)], [a.clone(), c.clone()], "squares: {}", context());
    }
    assert_eq!(scratch[words], GUARD, "written past the scratch space: {}", context());
}

#[test]
fn products_beside_each_other() {
    for candidate in kernels().filter(|candidate| !candidate.tiny) {
        let mut random = Random(5);
        for limbs in (1..=66).chain([80, 120, 130, 240]) {
            let moduli = moduli(64 * limbs, 64, &mut random);
            let subjects: Vec<_> = moduli.iter().map(|p| Subject::new(candidate, p)).collect();
            for (i, first) in subjects.iter().enumerate() {
                check_beside(first, &subjects[(i + 1) % subjects.len()], &mut random);
            }
            // Of another size, and by another kernel.
            let shorter =
                Subject::new(candidate, &moduli.last().map(|p| (p >> 70u32) | BigUint::from(3u32)).unwrap());
            check_beside(&subjects[0], &shorter, &mut random);
            check_beside(&shorter, &subjects[0], &mut random);
            for other in kernels().filter(|other| !other.tiny) {
                check_beside(&subjects[0], &Subject::new(other, &subjects[1].p), &mut random);
            }
        }
    }
}

#[test]
fn look_ups_and_updates_find_their_entry() {
    for candidate in kernels() {
        let mut random = Random(4);
        for limbs in [1u64, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 120, 240, 260] {
            if candidate.tiny && limbs > 3 {
                continue;
            }
            let subject = Subject::new(candidate, &(power_of_two(64 * limbs) - 1u32));
            let residue = subject.kernel.residue_words();
            for size in [residue, subject.kernel.prepared_words(subject.kernel.max_split().min(3))] {
                for count in [0usize, 1, 2, 3, 7, 16, 31] {
                    let mut fill = |len: usize| -> Vec<u64> { (0..len).map(|_| random.word()).collect() };
                    let (first, row, entry) = (fill(size), fill(size * count), fill(size));
                    for index in 0..=count {
                        let expected = if index == 0 { &first } else { &row[(index - 1) * size..][..size] };
                        assert_eq!(subject.select(&first, &row, index as u64), expected, "entry {index}");
                    }
                    for index in 0..count {
                        let mut expected = row.clone();
                        expected[index * size..][..size].copy_from_slice(&entry);
                        assert_eq!(subject.replace(&row, &entry, index as u64), expected, "entry {index}");
                    }
                    for past in [count as u64 + 1, 1 << 32, u64::MAX] {
                        assert_eq!(subject.select(&first, &row, past), vec![0; size]);
                        assert_eq!(subject.replace(&row, &entry, past), row);
                    }
                }
            }
        }
    }
}

#[test]
fn long_chains_stay_valid() {
    for candidate in kernels() {
        // Long vectors count as words here, and no kernel need serve more than 51,000 bits.
        let word_bits = (candidate.radix_bits)(1);
        let sizes: &[(u64, usize)] =
            &[(1, 2000), (2, 2000), (3, 2000), (5, 1000), (16, 500), (33, 300), (130, 40)];
        for &(words, steps) in sizes {
            let mut random = Random(words);
            let bits = words.min(51_000 / word_bits) * word_bits;
            for p in moduli(bits, word_bits, &mut random) {
                Subject::new(candidate, &p).check_chain(steps, &mut random);
            }
        }
    }
}

/// Hours of confidence in minutes: some millions of products at all sizes in use.
#[test]
#[ignore = "minutes"]
fn millions_of_products() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = seed.map_or(1, |elapsed| elapsed.as_nanos() as u64 | 1);
    println!("seed {seed}");
    let mut random = Random(seed);
    for candidate in kernels() {
        let word_bits = (candidate.radix_bits)(1);
        // Long vectors count as words here, and no kernel need serve more than 51,000 bits.
        let most = 260.min(51_000 / word_bits);
        for words in 1..=66.min(most) {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                let subject = Subject::new(candidate, &p);
                subject.check_chain(120_000 / words as usize, &mut random);
            }
        }
        for words in 67..=most {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                check_modulus(candidate, &p, 6, 6, &mut random);
            }
        }
    }
}

/// Kernels are public: a split without bound would let `split · words` wrap around to the length of any slice.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_split_beyond_the_greatest_is_refused() {
    use moduli::kernel::{Ifma52, Kernel};
    let Some(kernel) = Ifma52::new(&[u64::MAX; 6]) else { return };
    let refuses = |split: usize| {
        std::panic::catch_unwind(|| {
            let mut x = kernel.one().to_vec();
            let (b, mut scratch) = (vec![0; split * x.len()], vec![0; kernel.scratch_words()]);
            kernel.mul_prepared(&mut x, &b, split, &mut scratch);
        })
        .is_err()
    };
    assert!(!refuses(kernel.max_split()));
    assert!(refuses(kernel.max_split() + 1));
}
