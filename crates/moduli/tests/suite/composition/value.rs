//! The value of a residue, in terms of the inputs.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};

/// A number below 2^bits, for a public number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Number {
    /// An input.
    Given(usize),
    /// A number written out from a residue.
    Stored(usize),
}

/// The base of a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    Number(Number),
    /// The i-th part of a number, with as many bits as the modulus.
    Part(Number, u32),
    /// A looked-up entry.
    LookedUp(usize),
}

/// A product of powers, times the kernel's internal factor to the power of `loads`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Power {
    pub exponents: BTreeMap<Unknown, BigInt>,
    pub loads: i64,
}

impl Power {
    pub fn of(unknown: Unknown) -> Self {
        Self { exponents: [(unknown, BigInt::from(1))].into(), loads: 0 }
    }

    /// Itself times a power of another product.
    pub fn times(mut self, other: &Self, count: &BigInt) -> Self {
        for (&unknown, exponent) in &other.exponents {
            *self.exponents.entry(unknown).or_default() += exponent * count;
        }
        self.exponents.retain(|_, exponent| *exponent != BigInt::ZERO);
        if other.loads != 0 {
            self.loads += other.loads * i64::try_from(count).unwrap();
        }
        self
    }

    pub fn multiplied(self, other: &Self) -> Self {
        self.times(other, &BigInt::from(1))
    }

    fn squared(mut self, times: u32) -> Self {
        self.exponents.values_mut().for_each(|exponent| *exponent <<= times);
        self.loads <<= times;
        self
    }

    /// Whether it contains a looked-up entry.
    pub fn looks_up(&self) -> bool {
        self.exponents.keys().any(|unknown| matches!(unknown, Unknown::LookedUp(_)))
    }

    /// Replaces looked-up entries by their values.
    pub fn resolved(&self, looked_up: &[Self]) -> Self {
        let mut all = Self { exponents: BTreeMap::new(), loads: self.loads };
        for (&unknown, exponent) in &self.exponents {
            all = match unknown {
                Unknown::LookedUp(i) => all.times(&looked_up[i], exponent),
                _ => all.times(&Self::of(unknown), exponent),
            };
        }
        all
    }
}

/// A sum of products of powers with coefficients, which are nonzero and below the modulus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value(pub BTreeMap<Power, BigUint>);

impl From<Power> for Value {
    fn from(power: Power) -> Self {
        Self([(power, BigUint::from(1u32))].into())
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Power::of(Unknown::Number(number)).into()
    }
}

impl Value {
    /// The power, if it is a single one with coefficient 1.
    pub fn power(&self) -> Option<&Power> {
        let (power, count) = self.0.first_key_value()?;
        (self.0.len() == 1 && *count == BigUint::from(1u32)).then_some(power)
    }

    /// Whether it contains a loaded number that may not be below the modulus.
    pub fn is_raw(&self) -> bool {
        let is_part = |unknown: &Unknown| matches!(unknown, Unknown::Part(..));
        self.0.keys().any(|power| power.loads > 0 && power.exponents.keys().any(is_part))
    }

    /// Whether it is exactly a looked-up entry.
    pub fn was_looked_up(&self) -> bool {
        let unknown = self.power().and_then(|power| power.exponents.first_key_value());
        unknown.is_some_and(|(&unknown, _)| {
            matches!(unknown, Unknown::LookedUp(_)) && *self == Power::of(unknown).into()
        })
    }

    /// Itself plus `count` times another value.
    pub fn plus(mut self, other: &Self, count: &BigUint, modulus: &BigUint) -> Self {
        for (power, coefficient) in &other.0 {
            let sum = self.0.entry(power.clone()).or_default();
            *sum = (&*sum + coefficient * count) % modulus;
        }
        self.0.retain(|_, coefficient| *coefficient != BigUint::ZERO);
        self
    }

    pub fn minus(self, other: &Self, modulus: &BigUint) -> Self {
        self.plus(other, &(modulus - 1u32), modulus)
    }

    pub fn times(&self, other: &Self, modulus: &BigUint) -> Self {
        // Nearly all values have one term.
        if let (Some(x), Some(y)) = (self.power(), other.power()) {
            return x.clone().multiplied(y).into();
        }
        other.0.iter().fold(Self::default(), |sum, (power, count)| {
            let product = self.0.iter().map(|(x, k)| (x.clone().multiplied(power), k.clone())).collect();
            sum.plus(&Self(product), count, modulus)
        })
    }

    /// Its 2^times-th power. Panics for a sum, which does not occur here.
    pub fn squared(&self, times: u32) -> Self {
        self.power().expect("a square of a sum").clone().squared(times).into()
    }

    /// Its product with the kernel's internal factor to the power of `loads`.
    pub fn loaded(self, loads: i64) -> Self {
        Self(self.0.into_iter().map(|(x, k)| (Power { loads: x.loads + loads, ..x }, k)).collect())
    }

    /// Replaces looked-up entries by their values.
    pub fn resolved(&self, looked_up: &[Power], modulus: &BigUint) -> Self {
        self.0.iter().fold(Self::default(), |sum, (power, count)| {
            sum.plus(&power.resolved(looked_up).into(), count, modulus)
        })
    }

    /// Replaces Σ part i·2^(i·chunk), with `count` parts, by the number.
    pub fn joined(self, number: Number, count: u32, chunk: u32, modulus: &BigUint) -> Self {
        let part = |i| Power::of(Unknown::Part(number, i));
        let first: Vec<_> =
            self.0.keys().filter(|x| x.exponents.contains_key(&Unknown::Part(number, 0))).collect();
        let Some(first) = first.first().map(|&first| first.clone()) else { return self };
        let rest = first.clone().times(&part(0), &BigInt::from(-1));
        let coefficient = self.0[&first].clone();
        let parts = (0..count).fold(Self::default(), |sum, i| {
            sum.plus(
                &rest.clone().multiplied(&part(i)).into(),
                &((&coefficient << (i * chunk)) % modulus),
                modulus,
            )
        });
        if parts.0.iter().any(|(power, count)| self.0.get(power) != Some(count)) {
            return self;
        }
        let whole = rest.multiplied(&Power::of(Unknown::Number(number)));
        self.minus(&parts, modulus).plus(&whole.into(), &coefficient, modulus)
    }
}
