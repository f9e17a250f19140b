//! A modulus with its ledger, and what all tests of powers have in common.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{FixedBase, KernelChoice, Method, Modulus};
use moduli_kernel::Arithmetic;
use num_bigint::BigUint;
use testing::{Random, big, boxed, ones};

use super::{
    ledger::Ledger,
    value::{Number, Power, Unknown, Value},
};

/// A modulus with its ledger, and a base: the first number that is given.
pub struct Observed {
    pub modulus: Modulus,
    pub base: BoxedUint,
    pub ledger: Ledger,
}

/// A result, and the exponents of the numbers that were given, in order.
pub type Claim = (BoxedUint, Vec<BigUint>);

impl Observed {
    pub fn new(bits: u32, kernel: KernelChoice) -> Self {
        let mut random = Random(u64::from(bits));
        let modulus = random.odd(bits);
        let base = loop {
            let base = random.below(bits - 1);
            if base.modinv(&modulus).is_some() {
                break base;
            }
        };
        let ledger = Ledger::of(&[&modulus], kernel);
        ledger.book().given.push((base.clone(), bits));
        let modulus = Modulus::with_kernel(&boxed(&modulus), kernel).unwrap().observed_by(ledger.listener(0));
        Self { modulus, base: boxed(&base), ledger }
    }

    pub fn table(&self, exponent_bits: u32, method: Method, split: u32) -> FixedBase {
        let builder = FixedBase::builder(&self.modulus, &self.base).exponent_bits(exponent_bits);
        builder.method(method).split(split).build().unwrap()
    }

    /// From how many residues on rows of the kernel are used, if it has any.
    pub fn enough_for_lanes(&self) -> Option<usize> {
        let arithmetic = Arithmetic::new(self.modulus.value().as_ref().as_words(), self.modulus.kernel());
        arithmetic.unwrap().enough_for_lanes()
    }

    /// What `run` gives for exponents of so many bits are the products of powers that it says. With `alike` look-ups are weighted alike
    /// for all exponents.
    pub fn check(&self, bits: u32, alike: bool, what: &str, run: impl Fn(&BigUint) -> Vec<Claim>) {
        let mut weights = None;
        for exponent in exponents(bits) {
            self.ledger.book().begin();
            let claims = run(&exponent);
            let book = self.ledger.book();
            let stored = &book.stored[book.stored.len() - claims.len()..];
            for (stored, (result, of_given)) in stored.iter().zip(claims) {
                assert_eq!(stored.number, big(&result), "{what}: another number was written out");
                let expected =
                    of_given.into_iter().enumerate().fold(Power::default(), |all, (i, exponent)| {
                        all.times(&Power::of(Unknown::Number(Number::Given(i))), &exponent.into())
                    });
                assert_eq!(book.moduli[0].resolved(&stored.value), expected.into(), "{what}: x^{exponent}");
            }
            let found: Vec<Value> = stored.iter().map(|stored| stored.value.clone()).collect();
            let looks_up = |value: &Value| value.power().is_some_and(|power| !power.exponents.is_empty());
            assert!(found.iter().all(looks_up), "{what}: nothing was looked up");
            let weights = weights.get_or_insert_with(|| found.clone());
            assert!(!alike || *weights == found, "{what}: x^{exponent} is weighted otherwise");
        }
    }
}

/// Extreme exponents of so many bits, and some by chance.
fn exponents(bits: u32) -> Vec<BigUint> {
    let mut random = Random(u64::from(bits));
    let one = BigUint::from(1u32);
    let mut all = vec![BigUint::ZERO, one.clone(), ones(bits), one << (bits - 1)];
    all.extend((0..2).map(|_| random.below(bits)));
    all
}

/// On one thread: what an operation gives is told after what it takes.
pub fn alone(run: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run);
}

/// Under each kernel, for a few lengths of moduli and of exponents.
pub fn for_each_size(sizes: &[(u32, u32)], check: impl Fn(&dyn Fn() -> Observed, u32, &str) + Sync) {
    alone(|| {
        for kernel in KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()) {
            for &(bits, exponent_bits) in sizes {
                check(&|| Observed::new(bits, kernel), exponent_bits, &format!("{kernel:?}, {bits} bits"));
            }
        }
    });
}

pub fn exponent(value: &BigUint, bits: u32) -> BoxedUint {
    boxed(value).resize(bits)
}
