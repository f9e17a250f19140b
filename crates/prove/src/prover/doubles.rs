//! Proves results in doubles: multiples of rows of a matrix, and zeros at the top.

use num_bigint::BigInt;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::search::{Prover, short, unproven};
use crate::{
    certificate::{Case, Equation, Lemma, Outcome, Part, Use},
    elimination::Functional,
    failure::Result,
    specification::{
        Formula,
        doubles::{DIGIT, Doubles, Part as Reduction},
    },
    system::{Definition, Id, Value},
};

/// The power of two, besides the bits of a residue, by which an integer is multiplied to show that it is
/// zero, so that everything that it is made of can be replaced.
const LIFT: u32 = 256;

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    BigInt::from(1) << (DIGIT as usize * i)
}

impl Prover<'_> {
    /// Proves that R times the result is the product, plus multiples of R·r_j − 2^(50·j), plus R·K.
    pub(super) fn result_in_doubles(&mut self, doubles: &Doubles) -> Result<()> {
        let everywhere = Case::new();
        if doubles.part == Reduction::Correction {
            return self.sum_of_rows(doubles);
        }
        if self.statement.specification.formula == Formula::Copy {
            let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
            self.add_result(&mut functional, &1.into());
            functional.write_out();
            functional.run(&[], false);
            let uses = functional.uses;
            self.certificate.outcomes.push(Outcome { case: everywhere, uses, products: Vec::new() });
            return Ok(());
        }
        let factor = weight(doubles.reduced);
        let first = {
            let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
            self.add_result(&mut functional, &factor);
            functional.run(&[], false);
            (functional.left, functional.products)
        };
        // These are carries above the highest digit.
        let is_high = |id: &Id| matches!(self.integers.system.definitions[*id as usize], Definition::High(_));
        let mut above: BTreeSet<Id> = first.0.keys().copied().filter(is_high).collect();
        above.extend(self.statement.result.iter().skip(doubles.digits).filter_map(|digit| match digit {
            Value::Variable(id) => Some(*id),
            Value::Constant(_) => None,
        }));
        for id in above {
            if let Some(lemma) = self.zero_at_the_top(id, doubles) {
                self.zeros.insert(id);
                self.certificate.lemmas.push(lemma);
            }
        }
        self.certificate.parts = parts(doubles, &first.0, &first.1, &factor)?;
        self.certificate.parts.sort_by_key(|part| part.row);
        let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
        self.add_result(&mut functional, &factor);
        for Part { row, of, multiplier } in &self.certificate.parts {
            let value = of.map_or(Value::Constant(1), Value::Variable);
            functional.add(&(multiplier * weight(doubles.place(*row as usize).unwrap_or(0))), value);
        }
        if doubles.is_matrix {
            for (i, &x) in self.statement.first.iter().enumerate() {
                functional.add(&-weight(i), Value::Variable(x));
            }
        }
        functional.run(&[], false);
        correct(&mut functional, doubles);
        self.is_product(&mut functional, doubles)?;
        let uses = functional.uses;
        self.certificate.outcomes.push(Outcome { case: everywhere, uses, products: Vec::new() });
        Ok(())
    }

    /// Proves that the digits are the sum of the products of neighbouring rows.
    fn sum_of_rows(&mut self, doubles: &Doubles) -> Result<()> {
        let everywhere = Case::new();
        let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
        self.add_result(&mut functional, &1.into());
        functional.run(&[], false);
        for (first, second) in doubles.pairs_of_pieces() {
            for (i, (&x, &y)) in first.iter().zip(second).enumerate() {
                functional.add_product(&-weight(i), x, y);
            }
        }
        self.is_nothing(&functional)?;
        let uses = functional.uses;
        self.certificate.outcomes.push(Outcome { case: everywhere, uses, products: Vec::new() });
        Ok(())
    }

    fn add_result(&self, functional: &mut Functional<'_>, factor: &BigInt) {
        for (i, &digit) in self.statement.result.iter().enumerate() {
            functional.add(&(factor * weight(i)), digit);
        }
    }

    /// Shows that an integer is zero: it is traced back to its origin, and the interval then allows nothing
    /// else.
    fn zero_at_the_top(&self, id: Id, doubles: &Doubles) -> Option<Lemma> {
        let everywhere = Case::new();
        let lift = DIGIT * doubles.digits as u32 + LIFT;
        let unit = BigInt::from(1) << lift;
        let (low, high) = self.integers.bounds(Value::Variable(id));
        let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
        functional.add(&unit, Value::Variable(id));
        functional.run(&[], false);
        correct(&mut functional, doubles);
        let (mut from, to) = functional.bounds();
        // Rows are numbers above 0.
        for (&(x, y), c) in
            functional.products.iter().filter(|(_, c)| !doubles.is_matrix && **c > BigInt::ZERO)
        {
            let of = |of: Id, other: Id| doubles.rows.iter().any(|row| row[0] == other).then_some(of);
            if let Some(of) = of(x, y).or_else(|| of(y, x)) {
                from += c * self.integers.bounds(Value::Variable(of)).0;
            }
        }
        let is_zero = (high <= 0 || to < unit) && (low >= 0 || from > -&unit);
        let uses = functional.uses;
        is_zero.then(|| Lemma::Bounds {
            case: everywhere,
            variables: vec![id],
            weight: lift,
            uses,
            products: Vec::new(),
        })
    }

    /// Subtracts the expected terms, and requires that nothing is left.
    fn is_product(&self, functional: &mut Functional<'_>, doubles: &Doubles) -> Result<()> {
        let factor = weight(doubles.reduced);
        let (first, second) = match self.statement.specification.formula {
            Formula::Product => (&self.statement.first, &self.statement.second),
            Formula::Square => (&self.statement.first, &self.statement.first),
            Formula::First => (&self.statement.first, &Vec::new()),
            _ => return unproven("no product in doubles"),
        };
        for (first, second) in doubles.factors(first, second) {
            for (i, &x) in first.iter().enumerate() {
                for (j, &y) in second.iter().enumerate() {
                    functional.add_product(&-weight(i + j), x, y);
                }
            }
        }
        if self.statement.specification.formula == Formula::First {
            for (i, &x) in self.statement.first.iter().enumerate() {
                *functional.left.entry(x).or_default() -= weight(i);
            }
        }
        let take = |functional: &mut Functional<'_>, c: BigInt, digit: Value| match digit {
            Value::Variable(id) => *functional.left.entry(id).or_default() -= c,
            Value::Constant(x) => functional.constant -= c * x,
        };
        for (i, &digit) in doubles.multiple.iter().enumerate() {
            take(functional, &factor * weight(i), digit);
        }
        for Part { row, of, multiplier } in &self.certificate.parts {
            for (i, &digit) in doubles.rows[*row as usize].iter().enumerate() {
                let c = &factor * weight(i) * multiplier;
                match of {
                    Some(id) => functional.add_product(&-c, *id, digit),
                    None => take(functional, c, Value::Variable(digit)),
                }
            }
        }
        self.is_nothing(functional)
    }

    /// Requires that nothing is left.
    fn is_nothing(&self, functional: &Functional<'_>) -> Result<()> {
        if let Some((&(x, y), c)) = functional.products.iter().find(|(_, c)| **c != BigInt::ZERO) {
            return unproven(format!("{} times {}·{} is left over", short(c), self.name(x), self.name(y)));
        }
        if let Some((&id, c)) = functional.left.iter().find(|(_, c)| **c != BigInt::ZERO) {
            return unproven(format!("{} times {} is left over", short(c), self.name(id)));
        }
        if functional.constant != BigInt::ZERO {
            return unproven(format!("{} is left over", short(&functional.constant)));
        }
        Ok(())
    }
}

/// The factors of the rows, which are found by the products with the rows' lowest digits.
fn parts(
    doubles: &Doubles,
    left: &std::collections::BTreeMap<Id, BigInt>,
    products: &HashMap<(Id, Id), BigInt>,
    factor: &BigInt,
) -> Result<Vec<Part>> {
    let lowest: HashMap<Id, u32> =
        doubles.rows.iter().enumerate().map(|(j, row)| (row[0], j as u32)).collect();
    let digits: HashSet<Id> = doubles.rows.iter().flatten().copied().collect();
    let mut parts = Vec::new();
    let mut add = |row: u32, of: Option<Id>, c: &BigInt| {
        if c % factor != BigInt::ZERO {
            return unproven("a fraction of a row");
        }
        parts.push(Part { row, of, multiplier: c / factor });
        Ok(())
    };
    let mut found: Vec<_> = products.iter().collect();
    found.sort_unstable_by_key(|(key, _)| **key);
    for (&(x, y), c) in found {
        for (x, y) in [(x, y), (y, x)] {
            if let Some(&row) = lowest.get(&y)
                && !digits.contains(&x)
            {
                add(row, Some(x), c)?;
            }
        }
    }
    for (id, c) in left {
        if let Some(&row) = lowest.get(id) {
            add(row, None, c)?;
        }
    }
    Ok(parts)
}

/// Replaces the highest digit of the correction by the number of which it is a digit.
fn correct(functional: &mut Functional<'_>, doubles: &Doubles) {
    let Some((&highest, others)) = doubles.correction.split_last() else { return };
    let top = weight(doubles.digits - 1);
    let c = functional.left.get(&highest).cloned().unwrap_or_default();
    if c == BigInt::ZERO || &c % &top != BigInt::ZERO {
        return;
    }
    let multiplier = c / top;
    functional.left.remove(&highest);
    for (i, &id) in others.iter().enumerate() {
        *functional.left.entry(id).or_default() -= &multiplier * weight(i);
    }
    for rows in doubles.last_rows().chunks_exact(2) {
        for (i, (&x, &y)) in rows[0].iter().zip(&rows[1]).enumerate() {
            functional.add_product(&(&multiplier * weight(i)), x, y);
        }
    }
    functional.uses.push(Use { equation: Equation::Correction, multiplier });
}
