//! Checks the conclusion of a statement: in each case the result is congruent to the formula and below the
//! modulus.

use num_bigint::BigInt;

use super::{
    formulas::Shape,
    halfplanes::{Halfplane, is_possible},
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    certificate::{Case, Fact, Outcome},
    failure::Result,
    specification::{Bound, Formula, Statement},
    system::{Id, Value},
};

/// The largest number of combinations of atoms' values that is tried.
const COMBINATIONS: usize = 1 << 14;

/// Whether these cases cover all values of the selectors, each of which has two values.
fn are_all(cases: &[&[(Id, bool)]]) -> bool {
    let Some(&(selector, _)) = cases.iter().filter_map(|case| case.first()).next() else {
        return !cases.is_empty();
    };
    cases.iter().any(|case| case.is_empty())
        || [false, true].iter().all(|&is_above| {
            let agrees = |case: &&&[(Id, bool)]| !case.contains(&(selector, !is_above));
            let rest: Vec<Case> = cases
                .iter()
                .filter(agrees)
                .map(|case| case.iter().copied().filter(|&(id, _)| id != selector).collect())
                .collect();
            are_all(&rest.iter().map(|case| &case[..]).collect::<Vec<_>>())
        })
}

impl Checker<'_> {
    pub(super) fn outcome(&mut self, outcome: &Outcome) -> Result<Shape> {
        self.enter(&outcome.case);
        let mut sum = Polynomial::default();
        self.result(&mut sum)?;
        self.add_uses(&mut sum, &outcome.uses, &outcome.case)?;
        self.add_products(&mut sum, &outcome.products, &outcome.case)?;
        self.settle(&mut sum, &outcome.case)?;
        let shape = self.shape(sum)?;
        self.enter(&Case::new());
        if shape.rest != (BigInt::ZERO, BigInt::ZERO) && !shape.is_cut {
            return refuse(format!(
                "in case {:?} the result has a part that nothing is known of",
                outcome.case
            ));
        }
        if shape.kappa != BigInt::from(1) {
            return refuse(format!("in case {:?} the result is not what the formula says", outcome.case));
        }
        Ok(shape)
    }

    pub(super) fn check_copy(&self, outcome: &Outcome) -> Result<()> {
        let mut sum = Polynomial::default();
        self.result(&mut sum)?;
        self.add_uses(&mut sum, &outcome.uses, &Case::new())?;
        self.add_formula(&mut sum, &BigInt::from(-1));
        if sum.is_zero() { Ok(()) } else { refuse("the copy is not what was copied") }
    }

    /// Checks that in each case the result is the product of both operands, or what an exchange leaves, and
    /// that there is no other case.
    pub(super) fn check_whole(&mut self, outcomes: &[Outcome]) -> Result<()> {
        for Outcome { case, uses, products } in outcomes {
            self.enter(case);
            let mut sum = Polynomial::default();
            self.result(&mut sum)?;
            self.add_uses(&mut sum, uses, case)?;
            self.add_products(&mut sum, products, case)?;
            self.settle(&mut sum, case)?;
            let Statement { specification, .. } = self.statement;
            let numbers: Option<[&[Id]; 2]> = match specification.formula {
                Formula::Exchange => self.statement.exchanged(case),
                Formula::Whole => {
                    self.add_formula(&mut sum, &BigInt::from(-1));
                    Some([&[], &[]])
                }
                Formula::Lowest(bits) => {
                    for (i, &id) in self.statement.first.iter().enumerate() {
                        self.add(&mut sum, &-power(64 * i), self.lowest(id, bits)?);
                    }
                    Some([&[], &[]])
                }
                _ => return refuse("a formula that holds modulo N"),
            };
            let Some(numbers) = numbers else { return refuse("a case in which the mask is not known") };
            for (i, &id) in numbers.into_iter().flatten().enumerate() {
                self.add(&mut sum, &-power(64 * i), Value::Variable(id));
            }
            self.enter(&Case::new());
            if !sum.is_zero() {
                return refuse(format!("in case {case:?} the result is not what the formula says"));
            }
        }
        let cases: Vec<&[(Id, bool)]> = outcomes.iter().map(|outcome| &outcome.case[..]).collect();
        if are_all(&cases) { Ok(()) } else { refuse("there are other cases") }
    }

    /// What a fact says of the atoms, as a sum that is zero.
    pub(super) fn fact(&mut self, fact: &Fact) -> Result<Shape> {
        self.enter(&fact.case);
        let mut sum = Polynomial::default();
        self.add(&mut sum, &power(fact.weight as usize), Value::Variable(fact.atom));
        self.add_uses(&mut sum, &fact.uses, &fact.case)?;
        self.add_products(&mut sum, &fact.products, &fact.case)?;
        self.add(&mut sum, &-power(fact.weight as usize), Value::Variable(fact.atom));
        self.settle(&mut sum, &fact.case)?;
        let shape = self.shape(sum);
        self.enter(&Case::new());
        shape
    }

    /// Whether a fact is useful: it involves only U, N, the atoms and integers with known intervals.
    pub fn is_of_use(&mut self, fact: &Fact, atoms: &[Id]) -> bool {
        self.atoms = atoms.to_vec();
        self.fact(fact).is_ok()
    }

    /// What is known of U and N in advance: 1 ≤ N < B, and the interval of U by the bounds of the operands.
    pub(super) fn assumptions(&self) -> Result<Vec<Halfplane>> {
        let base = self.base();
        let mut q = BigInt::ZERO;
        for &(id, weight) in &self.quotient {
            let (low, high) = &self.intervals[id as usize];
            if *low < BigInt::ZERO {
                return refuse(format!("the digit {id} of the quotient may be negative"));
            }
            q += high << weight;
        }
        let specification = &self.statement.specification;
        // The highest value of the first operand, and whether it is below N too. The second operand always
        // is.
        let (top, is_below) = match specification.first {
            Bound::Words => (&base - 1, false),
            Bound::BelowModulus => (&base - 2, true),
        };
        if self.statement.second.is_empty() != specification.second.is_none()
            || specification.second == Some(Bound::Words)
        {
            return refuse("the second operand is not below the modulus");
        }
        // U ≤ a·N + b, and U ≥ c·N + d.
        let zero = BigInt::ZERO;
        let (a, b, c, d) = match specification.formula {
            Formula::Product => (&top + &q, -&top, zero.clone(), zero),
            Formula::Pieces(_) | Formula::Blocks { .. } => {
                // Each part of the first operand has the length that it should have, and each piece is below
                // N.
                let parts = self.statement.factors().into_iter();
                let parts: BigInt = parts.map(|(part, _)| power(64 * part.len()) - 1).sum();
                (&parts + &q, -parts, zero.clone(), zero)
            }
            Formula::Square if is_below => (&top + &q, -&top, zero.clone(), zero),
            Formula::First | Formula::Shifted(_) if is_below => {
                (1 + &q, BigInt::from(-1), zero.clone(), zero)
            }
            Formula::Once(times) if is_below => (times.into(), BigInt::from(-1), zero.clone(), zero),
            Formula::Long if is_below => (self.factor() + &q, BigInt::from(-1), zero.clone(), zero),
            Formula::First => (q, top, zero.clone(), zero),
            Formula::Sum if is_below => (BigInt::from(2), BigInt::from(-2), zero.clone(), zero),
            Formula::Difference if is_below => (1.into(), BigInt::from(-1), BigInt::from(-1), 1.into()),
            Formula::Estimated(_) if self.estimate.is_some() => {
                (3.into(), BigInt::from(-1), zero.clone(), zero)
            }
            Formula::Remainder if self.estimate.is_some() && self.statement.doubles.is_some() => {
                (2.into(), BigInt::from(-1), zero.clone(), zero)
            }
            Formula::Remainder if self.estimate.is_some() => {
                (1.into(), BigInt::from(-1), BigInt::from(-1), BigInt::ZERO)
            }
            _ => return refuse("nothing is known of the operands together"),
        };
        let highest = match (&self.statement.digits, &self.statement.doubles) {
            (Some(digits), _) if specification.formula == Formula::Remainder => digits.highest_modulus(),
            (_, Some(doubles)) if specification.formula == Formula::Remainder => doubles.highest_modulus(),
            _ => base - 1,
        };
        Ok(vec![
            [BigInt::ZERO, BigInt::from(-1), BigInt::from(-1)],
            [BigInt::ZERO, 1.into(), highest],
            [1.into(), -a, b],
            [BigInt::from(-1), c, -d],
        ])
    }

    /// Checks that for all values of the atoms, either the facts exclude them, or the result is U/R plus a
    /// multiple of N, and below N.
    pub(super) fn check_cases(&self, outcomes: &[(&Outcome, Shape)], facts: &[(&Fact, Shape)]) -> Result<()> {
        let factor = self.factor();
        let assumptions = self.assumptions()?;
        let mut values = vec![Vec::new()];
        for &atom in &self.atoms {
            let (low, high) = self.interval(Value::Variable(atom))?;
            let count = match usize::try_from(&high - &low) {
                Ok(count) if count < 16 && values.len() * (count + 1) <= COMBINATIONS => count + 1,
                _ => return refuse(format!("atom {atom} has too many values")),
            };
            values = values
                .iter()
                .flat_map(|known: &Vec<BigInt>| {
                    (0..count).map(|i| known.iter().cloned().chain([&low + i]).collect())
                })
                .collect();
        }
        let result = self.result(&mut Polynomial::default())?;
        let limit = self.statement.limit();
        for values in values {
            let fixed = |shape: &Shape| {
                shape.atoms.iter().zip(&values).fold(shape.constant.clone(), |sum, (c, x)| sum + c * x)
            };
            let holds = |case: &Case| {
                case.iter().all(|(id, is_above)| {
                    let place = self.atoms.iter().position(|atom| atom == id);
                    place.is_some_and(|i| (values[i] != self.intervals[*id as usize].0) == *is_above)
                })
            };
            let mut known = assumptions.clone();
            for (_, fact) in facts.iter().filter(|(fact, _)| holds(&fact.case)) {
                // κ·U + β·N + fixed + rest = 0.
                let fixed = fixed(fact);
                known.push([fact.kappa.clone(), fact.beta.clone(), -&fixed - &fact.rest.0]);
                known.push([-&fact.kappa, -&fact.beta, fixed + &fact.rest.1]);
            }
            if !is_possible(&known) {
                continue;
            }
            let what = || format!("the result where {:?} are {values:?}", self.atoms);
            let Some((_, shape)) = outcomes.iter().find(|(outcome, _)| holds(&outcome.case)) else {
                return refuse(what());
            };
            // R·result = U + β·N + fixed, less multiples of a number above the result, where there are any.
            let fixed = fixed(shape);
            if shape.is_cut {
                let mut known = known.clone();
                known.push([BigInt::from(-1), -&shape.beta, &fixed - self.above_result()]);
                if is_possible(&known) {
                    return refuse(format!("{}: it may be too long", what()));
                }
            }
            // The result lies in its interval.
            known.push([1.into(), shape.beta.clone(), &result.1 * &factor - &fixed]);
            known.push([BigInt::from(-1), -&shape.beta, &fixed - &result.0 * &factor]);
            if !is_possible(&known) {
                continue;
            }
            if fixed != BigInt::ZERO || &shape.beta % &factor != BigInt::ZERO || result.0 < BigInt::ZERO {
                return refuse(format!("{}: it is not congruent to the formula", what()));
            }
            // The negation of the claim: R·result ≥ R·N, or ≥ R times the multiple of N that the result
            // should be below.
            known.push([BigInt::from(-1), &factor * &limit - &shape.beta, fixed]);
            if is_possible(&known) {
                return refuse(format!("{}: it may reach the modulus", what()));
            }
        }
        Ok(())
    }
}
