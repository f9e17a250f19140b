//! The residues of integers modulo powers of two, as polynomials in inputs and in integers that no equation
//! takes further.

use num_bigint::BigInt;
use std::collections::BTreeMap;

use super::{intervals::Checker, polynomial::power};
use crate::system::{Definition, Id, Source, Value};

/// Multiples of products of integers. Each product lists its integers in ascending order.
pub(super) type Residue = BTreeMap<Vec<Id>, BigInt>;

/// The values of some integers in a case.
pub(super) type Known<'a> = &'a [(Id, i128)];

/// A sum of multiples of residues, modulo 2^bits.
pub(super) fn combined(parts: &[(i128, &Residue)], bits: u32) -> Residue {
    let mut total = Residue::new();
    for (c, residue) in parts {
        for (product, d) in *residue {
            *total.entry(product.clone()).or_default() += d * c;
        }
    }
    reduced(total, bits)
}

/// A product, modulo 2^bits.
pub(super) fn product(a: &Residue, b: &Residue, bits: u32) -> Residue {
    let mut total = Residue::new();
    for (x, c) in a {
        for (y, d) in b {
            let mut ids = [&x[..], &y[..]].concat();
            ids.sort_unstable();
            *total.entry(ids).or_default() += c * d;
        }
    }
    reduced(total, bits)
}

/// One integer as it is.
pub(super) fn single(id: Id) -> Residue {
    Residue::from([(vec![id], 1.into())])
}

/// A constant, modulo 2^bits.
pub(super) fn constant(c: i128, bits: u32) -> Residue {
    reduced(Residue::from([(Vec::new(), c.into())]), bits)
}

fn reduced(mut total: Residue, bits: u32) -> Residue {
    let unit = power(bits as usize);
    for c in total.values_mut() {
        *c = ((&*c % &unit) + &unit) % &unit;
    }
    total.retain(|_, c| *c != BigInt::ZERO);
    total
}

impl Checker<'_> {
    /// The residue of a value modulo 2^bits, where some integers are known.
    pub(super) fn residue(&self, x: Value, bits: u32, known: Known<'_>) -> Residue {
        let id = match x {
            Value::Constant(c) => return constant(c, bits),
            Value::Variable(id) => id,
        };
        if let Some(&(_, c)) = known.iter().find(|(of, _)| *of == id) {
            return constant(c, bits);
        }
        match &self.system.definitions[id as usize] {
            Definition::Sum(c, terms) => {
                let mut parts = vec![(1, constant(*c, bits))];
                for &(of, c) in terms {
                    // For a multiple of 2^k, k fewer bits are enough.
                    let zeros = c.trailing_zeros();
                    if zeros < bits {
                        parts.push((c, self.residue(Value::Variable(of), bits - zeros, known)));
                    }
                }
                let parts: Vec<_> = parts.iter().map(|(c, residue)| (*c, residue)).collect();
                combined(&parts, bits)
            }
            &Definition::Low(number) => {
                let split = &self.system.splits[number as usize];
                let least = bits.min(split.shift);
                let residue = match split.source {
                    Source::Single(of) => self.residue(Value::Variable(of), least, known),
                    Source::Product(x, y) => {
                        let [x, y] = [x, y].map(|x| self.residue(Value::Variable(x), least, known));
                        product(&x, &y, least)
                    }
                };
                // A lower part is known if it is known modulo its length.
                let is_known = residue.keys().all(Vec::is_empty);
                if bits <= split.shift || is_known { residue } else { single(id) }
            }
            &Definition::Choice(selector, first, second) => {
                match known.iter().find(|(of, _)| *of == selector) {
                    Some(&(_, c)) => {
                        let is_above = self.intervals[selector as usize].0 != BigInt::from(c);
                        self.residue(if is_above { second } else { first }, bits, known)
                    }
                    None => single(id),
                }
            }
            Definition::Input(..) | Definition::High(_) | Definition::Word(_) | Definition::Either(..) => {
                single(id)
            }
        }
    }

    /// The residue of twice a value modulo 2^bits, where upper parts are replaced by what was cut.
    pub(super) fn residue_of_double(&self, x: Value, bits: u32, known: Known<'_>) -> Residue {
        let mut residue = combined(&[(2, &self.residue(x, bits - 1, known))], bits);
        let atoms: Vec<_> = residue.iter().map(|(product, c)| (product.clone(), c.clone())).collect();
        for (product, c) in atoms {
            let &[id] = &product[..] else { continue };
            let Definition::High(number) = self.system.definitions[id as usize] else { continue };
            let split = &self.system.splits[number as usize];
            let (Source::Single(of), true) = (split.source, split.shift < bits) else { continue };
            if &c % power(split.shift as usize) != BigInt::ZERO {
                continue;
            }
            let Ok(times) = i128::try_from(c >> split.shift) else { continue };
            residue.remove(&product);
            let [of, low] = [Value::Variable(of), split.low].map(|x| self.residue(x, bits, known));
            residue = combined(&[(1, &residue), (times, &of), (-times, &low)], bits);
        }
        residue
    }
}
