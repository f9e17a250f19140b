//! Powers follow from the operations that they are made of.
//!
//! What an operation of a kernel does is the kernel's contract, and is proved of its compiled code by `moduli-prove`. Here a *ledger* hears
//! of all operations of a power. It works out by the contract alone which power of the base each residue is: a product adds exponents, a
//! square doubles them. It looks at values only to tell residues apart, so what it finds is an identity, for all bases and all moduli. What
//! was looked up is left open: the result is a sum of multiples of the looked-up exponents, and these multiples are the same for every
//! exponent. And it sees that an operation is handed nothing but what the contract allows: a residue that an operation gave, or the
//! residue 1.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use crypto_bigint::{BoxedUint, Resize};
use moduli::{FixedBase, KernelChoice, Method, Modulus};
use moduli_kernel::{Observer, Operation, internals};
use num_bigint::{BigInt, BigUint};
use testing::{Random, big, boxed, ones};

/// What an exponent is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unknown {
    /// The exponent of a number that was handed in.
    Base(usize),
    /// That of what was looked up.
    LookedUp(usize),
}

/// A product of powers, times the factor that a kernel keeps to itself: as often as `loads` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Power {
    exponents: BTreeMap<Unknown, BigInt>,
    loads: i64,
}

impl Power {
    fn of(unknown: Unknown) -> Self {
        Self { exponents: [(unknown, BigInt::from(1))].into(), loads: 0 }
    }

    /// Itself times a power of another.
    fn times(mut self, other: &Self, count: &BigInt) -> Self {
        for (&unknown, exponent) in &other.exponents {
            *self.exponents.entry(unknown).or_default() += exponent * count;
        }
        self.exponents.retain(|_, exponent| *exponent != BigInt::ZERO);
        if other.loads != 0 {
            self.loads += other.loads * i64::try_from(count).unwrap();
        }
        self
    }

    fn multiplied(self, other: &Self) -> Self {
        self.times(other, &BigInt::from(1))
    }

    fn squared(mut self, times: u32) -> Self {
        self.exponents.values_mut().for_each(|exponent| *exponent <<= times);
        self.loads <<= times;
        self
    }
}

/// In how many pieces an operand is: in one it is a residue.
type Form = usize;
const RESIDUE: Form = 1;

/// What is known of all residues so far.
#[derive(Default)]
struct Known {
    /// By where they stand, and, if they were copied since, by their words.
    by_place: HashMap<(Form, usize), (Vec<u64>, Power)>,
    by_words: HashMap<(Form, Vec<u64>), Power>,
    /// What was known when the first exponentiation began: a table.
    before: HashMap<(Form, Vec<u64>), Power>,
    forms: Vec<Form>,
    /// Numbers that were handed in, and numbers that residues were written out to.
    given: Vec<(Vec<u64>, Power)>,
    bases: usize,
    numbers: HashMap<Vec<u64>, Power>,
    /// What was looked up, in turn, and which of it no operation has taken yet.
    looked_up: Vec<Power>,
    waiting: Vec<(Vec<u64>, Unknown)>,
    /// What operations under way are going to give, and the entries of the row in which one looks.
    results: VecDeque<Power>,
    entries: Vec<Vec<u64>>,
}

impl Known {
    /// What an operand is. One that was copied is, of all that was looked up with these words, the first that nothing has taken.
    fn take(&mut self, form: Form, words: &[u64]) -> Power {
        let here = self.by_place.get(&(form, words.as_ptr() as usize)).filter(|(known, _)| known == words);
        let (waiting, power) = match here {
            Some((_, power)) => {
                (self.waiting.iter().position(|(_, of)| Power::of(*of) == *power), power.clone())
            }
            None => match self.waiting.iter().position(|(waits, _)| waits == words) {
                Some(first) => (Some(first), Power::of(self.waiting[first].1)),
                None => (
                    None,
                    self.by_words(form, words).expect("an operand that no operation has given").clone(),
                ),
            },
        };
        if let Some(taken) = waiting {
            self.waiting.remove(taken);
        }
        power
    }

    fn by_words(&self, form: Form, words: &[u64]) -> Option<&Power> {
        let at = (form, words.to_vec());
        self.by_words.get(&at).or_else(|| self.before.get(&at))
    }

    fn set(&mut self, form: Form, words: &[u64], power: Power) {
        if !self.forms.contains(&form) {
            self.forms.push(form);
        }
        self.by_place.insert((form, words.as_ptr() as usize), (words.to_vec(), power.clone()));
        self.by_words.insert((form, words.to_vec()), power);
    }

    /// Something was looked up, in whatever forms these words are known.
    fn look_up(&mut self, words: &[u64]) {
        assert!(self.entries.iter().any(|entry| entry == words), "no entry of the row");
        let forms = self.forms.iter().copied().filter(|&form| self.by_words(form, words).is_some());
        let forms: Vec<_> = forms.collect();
        let power = forms.first().and_then(|&form| self.by_words(form, words));
        let power = power.expect("an entry that no operation has given").clone();
        assert_eq!(power.loads, 0);
        let unknown = Unknown::LookedUp(self.looked_up.len());
        self.looked_up.push(self.resolved(&power));
        self.waiting.push((words.to_vec(), unknown));
        for form in forms {
            self.by_place.insert((form, words.as_ptr() as usize), (words.to_vec(), Power::of(unknown)));
        }
    }

    fn number(&mut self, words: &[u64]) -> Power {
        let number = trimmed(words);
        let given = self.given.iter().find(|(given, _)| *given == number).map(|(_, power)| power);
        if let Some(power) = given.or_else(|| self.numbers.get(&number)) {
            return power.clone();
        }
        let power = Power::of(Unknown::Base(self.bases));
        self.bases += 1;
        self.given.push((number, power.clone()));
        power
    }

    /// An exponentiation begins: look-ups are counted anew.
    fn begin(&mut self) {
        let by_words = std::mem::take(&mut self.by_words);
        if self.before.is_empty() {
            self.before = by_words.into_iter().map(|(at, power)| (at, self.resolved(&power))).collect();
        }
        self.by_place.clear();
        self.numbers.clear();
        self.looked_up.clear();
        self.waiting.clear();
    }

    /// With what was looked up put in.
    fn resolved(&self, power: &Power) -> Power {
        let mut all = Power { exponents: BTreeMap::new(), loads: power.loads };
        for (&unknown, exponent) in &power.exponents {
            let of = match unknown {
                Unknown::Base(_) => Power::of(unknown),
                Unknown::LookedUp(i) => self.looked_up[i].clone(),
            };
            all = all.times(&of, exponent);
        }
        all
    }
}

fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

/// Little-endian limbs without leading zeros.
fn trimmed(words: &[u64]) -> Vec<u64> {
    words[..words.len() - words.iter().rev().take_while(|&&word| word == 0).count()].to_vec()
}

/// The ledger of one modulus.
struct Ledger {
    modulus: BigUint,
    known: Arc<Mutex<Known>>,
}

impl Observer for Ledger {
    fn before(&self, operation: Operation, [first, second, third]: [&[u64]; 3]) {
        let known = &mut *self.known.lock().unwrap();
        let result = match operation {
            Operation::ToMontgomery | Operation::Load => {
                assert!(number(second) < self.modulus, "a number that is not below the modulus");
                let mut power = known.number(second);
                power.loads += i64::from(operation == Operation::Load);
                power
            }
            Operation::FromMontgomery | Operation::Store => {
                let mut power = known.take(RESIDUE, second);
                power.loads -= i64::from(operation == Operation::Store);
                assert_eq!(power.loads, 0, "it is not of that form");
                power
            }
            Operation::Mul | Operation::MulDual => {
                known.take(RESIDUE, first).multiplied(&known.take(RESIDUE, second))
            }
            Operation::Square => known.take(RESIDUE, first).squared(1),
            Operation::SquareDual { times } => known.take(RESIDUE, first).squared(times),
            Operation::Prepare { .. } => known.take(RESIDUE, second),
            Operation::MulPrepared { split } => {
                known.take(RESIDUE, first).multiplied(&known.take(split, second))
            }
            Operation::MulPair => {
                let [x, y, factor] = [first, second, third].map(|words| known.take(RESIDUE, words));
                known.results.push_back(x.multiplied(&factor));
                y.multiplied(&factor)
            }
            Operation::Select | Operation::SelectDual => {
                let dual = operation == Operation::SelectDual;
                let (one, row): (&[u64], _) = if dual { (&[], second) } else { (second, third) };
                let entries = row.chunks_exact(first.len()).chain([one]).filter(|entry| !entry.is_empty());
                known.entries = entries.map(<[u64]>::to_vec).collect();
                return;
            }
            // Where it stands from now on is told by its words.
            Operation::Replace => {
                assert!(known.by_words(RESIDUE, second).is_some(), "an entry that no operation has given");
                return;
            }
            _ => panic!("{operation:?}: the ledger does not keep it"),
        };
        known.results.push_back(result);
    }

    fn after(&self, operation: Operation, result: &mut [u64]) {
        let known = &mut *self.known.lock().unwrap();
        if matches!(operation, Operation::Select | Operation::SelectDual) {
            return known.look_up(result);
        }
        let power = known.results.pop_front().unwrap();
        match operation {
            Operation::FromMontgomery | Operation::Store => {
                known.numbers.insert(trimmed(result), power);
            }
            Operation::Prepare { split } => known.set(split, result, power),
            _ => known.set(RESIDUE, result, power),
        }
    }
}

/// A modulus with its ledger, and a base.
struct Observed {
    modulus: Modulus,
    base: BoxedUint,
    known: Arc<Mutex<Known>>,
}

impl Observed {
    fn new(bits: u32, kernel: KernelChoice) -> Self {
        let mut random = Random(u64::from(bits));
        let modulus = boxed(&random.odd(bits));
        let (base, inverse) = loop {
            let base = boxed(&random.below(bits - 1));
            if let Ok(inverse) = Modulus::new(&modulus).unwrap().invert(&base) {
                break (base, inverse);
            }
        };
        let mut known = Known::default();
        // A constant of the kernel.
        let one = internals::kernel(kernel, &big(&modulus).to_u64_digits()).unwrap().one().to_vec();
        known.set(RESIDUE, &one, Power::default());
        let power = known.number(&big(&base).to_u64_digits());
        let inverted = Power::default().times(&power, &BigInt::from(-1));
        // Known of the base, whoever inverts it.
        known.given.push((big(&inverse).to_u64_digits(), inverted));
        let known = Arc::new(Mutex::new(known));
        let ledger = Arc::new(Ledger { modulus: big(&modulus), known: known.clone() });
        let modulus = Modulus::with_kernel(&modulus, kernel).unwrap().observed_by(ledger);
        Self { modulus, base, known }
    }

    fn table(&self, exponent_bits: u32, method: Method, split: u32) -> FixedBase {
        let builder = FixedBase::builder(&self.modulus, &self.base).exponent_bits(exponent_bits);
        builder.method(method).split(split).build().unwrap()
    }

    /// What `run` gives for exponents of so many bits is the product of the powers of the bases with the exponents that it says. With
    /// `alike` look-ups are weighted alike in all.
    fn check(&self, bits: u32, alike: bool, what: &str, run: impl Fn(&BigUint) -> (BoxedUint, Vec<BigUint>)) {
        let mut weights = None;
        for exponent in exponents(bits) {
            self.known.lock().unwrap().begin();
            let (result, of_bases) = run(&exponent);
            let known = self.known.lock().unwrap();
            let of_look_ups = &known.numbers[&big(&result).to_u64_digits()];
            let expected =
                of_bases.into_iter().enumerate().fold(Power::default(), |all, (base, exponent)| {
                    all.times(&Power::of(Unknown::Base(base)), &exponent.into())
                });
            assert_eq!(known.resolved(of_look_ups), expected, "{what}: x^{exponent}");
            assert!(!of_look_ups.exponents.is_empty(), "{what}: nothing was looked up");
            let weights = weights.get_or_insert_with(|| of_look_ups.clone());
            assert!(!alike || weights == of_look_ups, "{what}: x^{exponent}: {weights:?}, {of_look_ups:?}");
        }
    }
}

/// Extreme exponents of so many bits, and some by chance.
fn exponents(bits: u32) -> Vec<BigUint> {
    let mut random = Random(u64::from(bits));
    let one = BigUint::from(1u32);
    let mut all = vec![BigUint::ZERO, one.clone(), ones(bits), one << (bits - 1)];
    all.extend((0..4).map(|_| random.below(bits)));
    all
}

/// Under each kernel, for a few lengths of moduli and of exponents. On one thread: what an operation gives is told after what it takes.
fn for_each_size(check: impl Fn(&dyn Fn() -> Observed, u32, &str) + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| on_this_thread(check));
}

fn on_this_thread(check: impl Fn(&dyn Fn() -> Observed, u32, &str)) {
    for kernel in KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()) {
        for (bits, exponent_bits) in
            [(64, 64), (256, 256), (1000, 100), (1024, 160), (2048, 256), (3072, 128), (4096, 100)]
        {
            check(&|| Observed::new(bits, kernel), exponent_bits, &format!("{kernel:?}, {bits} bits"));
        }
    }
}

fn exponent(value: &BigUint, bits: u32) -> BoxedUint {
    boxed(value).resize(bits)
}

#[test]
fn powers_of_a_variable_base() {
    for_each_size(|observed, bits, what| {
        let observed = observed();
        observed.check(bits, true, what, |e| {
            (observed.modulus.pow(&observed.base, &exponent(e, bits)), vec![e.clone()])
        });
    });
}

#[test]
fn products_of_powers_of_variable_bases() {
    for_each_size(|observed, bits, what| {
        let observed = observed();
        let bases = [observed.base.clone(), BoxedUint::from(3u32), BoxedUint::from(5u32)];
        observed.check(bits, true, what, |e| {
            let exponents = [e.clone(), e >> 1u32, ones(bits) ^ e];
            let pairs = bases.iter().zip(exponents.iter().map(|e| exponent(e, bits)));
            let pairs: Vec<_> = pairs.collect();
            let product = observed.modulus.multi_pow(pairs.iter().map(|(x, e)| (*x, e))).unwrap();
            (product, exponents.to_vec())
        });
    });
}

#[test]
fn powers_of_a_fixed_base() {
    for_each_size(|observed, bits, what| {
        for method in Method::EXAMPLES {
            for split in [1, 2].into_iter().filter(|&split| split == 1 || method.can_split() && bits > 64) {
                let observed = observed();
                let table = observed.table(bits, method, split);
                let what = format!("{what}, {method}, split {split}");
                // What stands in a bucket, an exponent decides.
                observed.check(bits, method.buckets() == 0, &what, |e| {
                    (table.pow(&exponent(e, bits)).unwrap(), vec![e.clone()])
                });
            }
        }
    });
}
