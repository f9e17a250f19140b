//! A modulus with a ledger, and functions common to all tests of powers.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{FixedBase, KernelChoice, Method, Modulus, SignedExponent};
use moduli_kernel::Arithmetic;
use num_bigint::{BigInt, BigUint};
use testing::{Random, big, boxed, ones};

use super::{
    ledger::{Ledger, Stored},
    value::{Number, Power, Unknown},
};

/// A modulus with a ledger, and a base, which is the first input.
pub struct Observed {
    pub modulus: Modulus,
    pub base: BoxedUint,
    pub ledger: Ledger,
}

/// A result, and the exponents of the inputs in it, in order.
pub type Claim = (BoxedUint, Vec<BigInt>);

/// The kind of look-ups in a power.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LookUps {
    /// Entries with the same weights for all exponents.
    Alike,
    /// Values that depend on the exponent: contents of buckets, swapped registers.
    Made,
    /// No look-ups, because the exponent is public.
    None,
}

impl LookUps {
    pub fn of(method: Method) -> Self {
        if method.buckets() == 0 { Self::Alike } else { Self::Made }
    }
}

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

    /// The number of residues from which the kernel uses rows, if it has any.
    pub fn enough_for_lanes(&self) -> Option<usize> {
        let arithmetic = Arithmetic::new(self.modulus.value().as_ref().as_words(), self.modulus.kernel());
        arithmetic.unwrap().enough_for_lanes()
    }

    /// Checks for exponents of `bits` bits that the results of `run` are the claimed products of
    /// powers.
    pub fn check(&self, bits: u32, look_ups: LookUps, what: &str, run: impl Fn(&BigUint) -> Vec<Claim>) {
        let mut weights = None;
        for exponent in exponents(bits) {
            self.ledger.book().begin();
            let claims = run(&exponent);
            let book = self.ledger.book();
            let (mut found, mut end) = (Vec::new(), book.stored.len());
            for (result, of_given) in claims.into_iter().rev() {
                // The results come in this order, among the numbers of inversions.
                let is_result = |stored: &Stored| stored.number == big(&result);
                end = book.stored[..end]
                    .iter()
                    .rposition(is_result)
                    .expect("a result that was not written out");
                let expected =
                    of_given.into_iter().enumerate().fold(Power::default(), |all, (i, exponent)| {
                        all.times(&Power::of(Unknown::Number(Number::Given(i))), &exponent)
                    });
                let value = book.stored[end].value.clone();
                assert_eq!(book.moduli[0].resolved(&value), expected.into(), "{what}: x^{exponent}");
                found.push(value);
            }
            for value in &found {
                let looks_up = value.power().is_some_and(Power::looks_up);
                assert!(looks_up || look_ups != LookUps::Alike, "{what}: nothing was looked up");
                assert!(!looks_up || look_ups != LookUps::None, "{what}: something was looked up");
            }
            let weights = weights.get_or_insert_with(|| found.clone());
            let are_alike = look_ups != LookUps::Alike || *weights == found;
            assert!(are_alike, "{what}: x^{exponent} is weighted otherwise");
        }
    }
}

/// Extreme exponents of `bits` bits, and some random ones.
fn exponents(bits: u32) -> Vec<BigUint> {
    let mut random = Random(u64::from(bits));
    let one = BigUint::from(1u32);
    let mut all = vec![BigUint::ZERO, one.clone(), ones(bits), one << (bits - 1)];
    all.extend((0..2).map(|_| random.below(bits)));
    all
}

/// Runs on one thread, because the results of an operation are reported after its operands.
pub fn alone(run: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run);
}

/// Runs a check on each kernel, for a few lengths of moduli and exponents.
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

/// A signed exponent that is negative if it is odd, and its value.
pub fn signed(value: &BoxedUint) -> (SignedExponent<'_>, BigInt) {
    let is_odd = value.as_words().first().is_some_and(|word| word & 1 == 1);
    let exponent = BigInt::from(big(value));
    (SignedExponent::new(is_odd, value), if is_odd { -exponent } else { exponent })
}
