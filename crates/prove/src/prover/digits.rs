//! Proves products of digits of 52 bits. What is left over of the result are digits of quotients, carries
//! between the lanes of the result, and what is dropped.

use num_bigint::BigInt;
use std::collections::{BTreeMap, HashSet};

use super::search::{Prover, short, unproven};
use crate::{
    certificate::{Case, Cleared, Equation, Lemma, Outcome, Product, Use},
    checker::Checker,
    elimination::{Functional, Number, factor},
    failure::Result,
    specification::{
        Formula, Statement,
        digits::{DIGIT, Digits, Multiple},
    },
    system::{Definition, Id, Source, Split, Value},
    zeros,
};

/// The rest of a sum: multiples of integers.
type Left = BTreeMap<Id, BigInt>;

/// The weight of a digit.
pub(super) fn weight(i: usize) -> BigInt {
    BigInt::from(1) << (DIGIT as usize * i)
}

/// The carries of the lanes below, with known relations, and that of the last lane.
#[derive(Default)]
pub(super) struct Chain {
    known: Vec<Id>,
    below: Option<Id>,
}

/// A sum of small multiples.
type Terms = Vec<(Id, i128)>;

impl Prover<'_> {
    /// Proves that R times the result is the product plus multiples of the modulus.
    pub(super) fn product_of_digits(&mut self, digits: &Digits) -> Result<()> {
        let (nothing, everywhere) = (HashSet::new(), Case::new());
        let bits = self.bits_of_masks();
        let dropped = if bits.is_empty() { Vec::new() } else { self.digits_that_are_dropped(digits) };
        let result = |prover: &Self, cleared: Option<&(Cleared, usize)>| {
            let mut functional = Functional::new(prover.integers, &nothing, &everywhere);
            functional.leaves_lower_parts = !digits.inverse.is_empty();
            for (i, &digit) in prover.statement.result.iter().enumerate() {
                functional.add(&(digits.factor() << digits.place(i)), digit);
            }
            let mut atoms = bits.clone();
            if digits.spare > 0 {
                atoms.extend(prover.lower_parts_times(digits.high[0]));
            }
            if let Some((cleared, exponent)) = cleared {
                atoms.extend(prover.atoms_of(cleared));
                prover.add_cleared(&mut functional, cleared, *exponent);
            }
            for (place, digit) in &dropped {
                functional.add(&weight(*place), Value::Variable(*digit));
            }
            functional.run(&atoms, false);
            functional.put_choices_in();
            for (place, digit) in &dropped {
                *functional.left.entry(*digit).or_default() -= weight(*place);
            }
            functional
        };
        let mut functional = result(self, None);
        if !digits.inverse.is_empty() {
            let cleared = self.find_cleared(&functional, digits)?;
            functional = result(self, Some(&cleared));
            self.certificate.lemmas.push(Lemma::Cleared(cleared.0));
        }
        let mut products = Vec::new();
        if self.statement.first_bits != DIGIT {
            products = self.product_of_words(&mut functional)?;
        }
        let left = self.without_multiples(&functional, digits)?;
        let mut uses = functional.uses.clone();
        let mut checker = self.checker()?;
        for lemma in &self.certificate.lemmas {
            checker.add_lemma(lemma)?;
        }
        let left = self.without_zeros(digits, left, &functional.constant, &uses, &products, &mut checker)?;
        // Constants that were added to keep sums from being negative are taken off with what is carried out
        // of the highest lane.
        let highest = left.values().min().cloned().filter(|_| functional.constant != BigInt::ZERO);
        let (carried, left): (Left, Left) = left.into_iter().partition(|(_, c)| highest.as_ref() == Some(c));
        self.relate_carries(left, &mut uses)?;
        match highest {
            Some(c) => self.carried_constant(carried, &c, &functional.constant, &mut uses, &products)?,
            None if functional.constant != BigInt::ZERO => {
                return unproven(format!("{} is left over", short(&functional.constant)));
            }
            None => {}
        }
        self.certificate.outcomes.push(Outcome { case: everywhere, uses, products });
        Ok(())
    }

    /// If the first operand was made from words, its digits are pieces of these. They form the same number,
    /// which replaces them as a whole.
    fn product_of_words(&mut self, functional: &mut Functional<'_>) -> Result<Vec<Product>> {
        let Some(&lowest) = self.statement.second.first() else { return unproven("words without a factor") };
        // Each digit is found by its product with the lowest digit of the other factor, and its place by the
        // multiplier of that product.
        let mut digits: BTreeMap<u64, Id> = BTreeMap::new();
        for split in &self.integers.system.splits {
            let digit = match split.source {
                Source::Product(x, y) if y == lowest => x,
                Source::Product(x, y) if x == lowest => y,
                _ => continue,
            };
            let piece = factor(self.integers, digit).1.into_iter().find_map(|(piece, c)| {
                let key = (piece.min(lowest), piece.max(lowest));
                Some(functional.products.get(&key)?.trailing_zeros()? - c.trailing_zeros()?)
            });
            if let Some(place) = piece {
                digits.insert(place / u64::from(DIGIT), digit);
            }
        }
        let words: Vec<_> = digits.into_values().collect();
        let mut numbers = Vec::new();
        for words in [words, self.statement.second.clone()] {
            let (nothing, everywhere) = (HashSet::new(), Case::new());
            let mut sum = Functional::new(self.integers, &nothing, &everywhere);
            for (i, &word) in words.iter().enumerate() {
                sum.add(&(BigInt::from(1) << (DIGIT as usize * i)), Value::Variable(word));
            }
            sum.write_out();
            sum.run(&[], false);
            let Functional { left, constant, uses, .. } = sum;
            numbers.push(Number { words: words.clone(), bits: DIGIT, constant, terms: left });
            self.certificate.lemmas.push(Lemma::Number { case: everywhere, words, bits: DIGIT, uses });
        }
        let [a, b] = [&numbers[0], &numbers[1]];
        for (i, &x) in a.words.iter().enumerate() {
            for (j, &y) in b.words.iter().enumerate() {
                functional.add_product(&(BigInt::from(-1) << (DIGIT as usize * (i + j))), x, y);
            }
        }
        functional.add_product_of_numbers([a, b], &1.into());
        let place = self.certificate.lemmas.len() as u32;
        Ok(vec![(place - 2, place - 1, 1.into())])
    }

    /// The lower parts that are multiplied by an integer. These are digits of quotients.
    fn lower_parts_times(&self, factor: Id) -> Vec<Id> {
        let system = &self.integers.system;
        let times = |split: &Split| match split.source {
            Source::Product(x, y) if y == factor => Some(x),
            Source::Product(x, y) if x == factor => Some(y),
            _ => None,
        };
        let is_low = |id: &Id| matches!(system.definitions[*id as usize], Definition::Low(_));
        system.splits.iter().filter_map(times).filter(is_low).collect()
    }

    /// The carries from bit to bit of words made of masks, which are not replaced.
    fn bits_of_masks(&self) -> Vec<Id> {
        let system = &self.integers.system;
        let is_bit = |definition: &Definition| match *definition {
            Definition::Low(number) | Definition::High(number) => system.splits[number as usize].shift == 1,
            _ => false,
        };
        let ids = 0..system.definitions.len() as Id;
        ids.filter(|&id| is_bit(&system.definitions[id as usize])).collect()
    }

    /// Subtracts the product and the multiples of the modulus.
    fn without_multiples(&mut self, functional: &Functional<'_>, digits: &Digits) -> Result<Left> {
        let Statement { modulus, first, specification, .. } = self.statement;
        let mut products = functional.products.clone();
        let mut left = functional.left.clone();
        let key = |x: Id, y: Id| (x.min(y), x.max(y));
        let statement = self.statement;
        match specification.formula {
            Formula::Product | Formula::Square | Formula::Pieces(_) => {
                for (first, second) in self.statement.factors() {
                    for (i, &x) in first.iter().enumerate() {
                        for (j, &y) in second.iter().enumerate() {
                            *products.entry(key(x, y)).or_default() -= BigInt::from(1)
                                << (statement.place_of_first(i) + statement.place_of_second(j));
                        }
                    }
                }
            }
            Formula::First | Formula::Raised(_) => {
                let raised = if let Formula::Raised(digit) = specification.formula { digit } else { 0 };
                for (i, &x) in first.iter().enumerate() {
                    *left.entry(x).or_default() -= BigInt::from(1) << statement.place_of_first(i + raised);
                }
            }
            _ => return unproven("no product of digits"),
        }
        let mut multiples = Vec::new();
        for (multiple, number, shift) in [
            (Multiple::High, &digits.high, digits.strip_bits()),
            (Multiple::Step, &digits.step, DIGIT as usize * digits.short),
            (Multiple::Modulus, modulus, 0),
        ] {
            let Some(&lowest) = number.first() else { continue };
            // A digit that is written as a whole without what is above it.
            for digit in self.lower_parts_times(lowest).into_iter().filter(|_| digits.spare > 0) {
                let (_, terms) = factor(self.integers, digit);
                let [(whole, _), _] = terms[..] else { continue };
                let Some(c) = products.get(&key(whole, lowest)).filter(|c| **c > BigInt::ZERO).cloned()
                else {
                    continue;
                };
                let exponent = c.trailing_zeros().unwrap_or(0) as usize;
                if c != BigInt::from(1) << exponent || exponent < shift {
                    continue;
                }
                for (i, &n) in number.iter().enumerate() {
                    for (id, d) in &terms {
                        *products.entry(key(*id, n)).or_default() -= (&c * d) << digits.place(i);
                    }
                }
                if multiple != Multiple::Modulus {
                    *left.entry(digit).or_default() += BigInt::from(1) << (exponent - shift);
                }
                multiples.push((multiple, digit, (exponent - shift) as u32));
            }
            // Each digit of a quotient is found by its product with the lowest digit of the number.
            let mut found: Vec<(Id, BigInt)> = Vec::new();
            for (&(x, y), c) in products.iter().filter(|(_, c)| **c != BigInt::ZERO) {
                match (x == lowest, y == lowest) {
                    (true, false) => found.push((y, c.clone())),
                    (false, true) => found.push((x, c.clone())),
                    _ => {}
                }
            }
            for (digit, c) in found {
                let exponent = c.trailing_zeros().unwrap_or(0) as usize;
                if c != BigInt::from(1) << exponent || exponent < shift {
                    return unproven(format!(
                        "{} times {} is no digit of a quotient",
                        short(&c),
                        self.name(digit)
                    ));
                }
                for (i, &n) in number.iter().enumerate() {
                    *products.entry(key(digit, n)).or_default() -= &c << digits.place(i);
                }
                let weight = exponent - shift;
                if multiple != Multiple::Modulus {
                    *left.entry(digit).or_default() += BigInt::from(1) << weight;
                }
                multiples.push((multiple, digit, weight as u32));
            }
        }
        if let Some((&(x, y), c)) =
            products.iter().filter(|(_, c)| **c != BigInt::ZERO).min_by_key(|(key, _)| **key)
        {
            return unproven(format!("{} times {}·{} is left over", short(c), self.name(x), self.name(y)));
        }
        multiples.sort_unstable();
        self.certificate.multiples = multiples;
        left.retain(|_, c| *c != BigInt::ZERO);
        Ok(left)
    }

    /// Shows that what was dropped is zero, or what the constant makes it. Returns the integers for which
    /// this fails.
    fn without_zeros(
        &mut self,
        digits: &Digits,
        left: Left,
        constant: &BigInt,
        uses: &[Use],
        products: &[Product],
        checker: &mut Checker<'_>,
    ) -> Result<Left> {
        let mut others = Left::new();
        let Statement { inverse, modulus, .. } = self.statement;
        for (id, c) in left {
            let is_low = matches!(self.integers.system.definitions[id as usize], Definition::Low(_));
            let congruent = |bits| zeros::by_congruence(self.integers, id, *inverse, modulus[0], bits);
            let lemma =
                congruent(DIGIT).or_else(|| congruent(DIGIT - digits.spare as u32)).filter(|_| is_low);
            match lemma {
                Some(lemma) if checker.add_lemma(&lemma).is_ok() => self.certificate.lemmas.push(lemma),
                _ => drop(others.insert(id, c)),
            }
        }
        // These are carries out of the highest lane, with which the result would be higher than it can be.
        let Some(lowest) = others.values().min().cloned() else { return Ok(others) };
        if *constant != BigInt::ZERO || lowest >= BigInt::ZERO || others.values().any(|c| *c == -&lowest) {
            return Ok(others);
        }
        let variables: Vec<_> = others.iter().filter(|(_, c)| **c == lowest).map(|(&id, _)| id).collect();
        let weight = lowest.trailing_zeros().unwrap_or(0) as u32;
        let (uses, products) = (uses.to_vec(), products.to_vec());
        let lemma = Lemma::Bounds { case: Case::new(), variables, weight, uses, products };
        checker.add_lemma(&lemma)?;
        self.certificate.lemmas.push(lemma);
        others.retain(|_, c| *c != lowest);
        Ok(others)
    }

    /// Shows that carries, of which c times the sum is left, are what a constant makes them.
    fn carried_constant(
        &mut self,
        carried: Left,
        c: &BigInt,
        constant: &BigInt,
        uses: &mut Vec<Use>,
        products: &[Product],
    ) -> Result<()> {
        if *c >= BigInt::ZERO || constant % c != BigInt::ZERO {
            return unproven(format!("{} is left over", short(constant)));
        }
        let equation = Equation::Relation(self.relations());
        let (variables, value) = (carried.into_keys().collect(), -constant / c);
        let weight = c.trailing_zeros().unwrap_or(0) as u32;
        let (of_sum, products) = (uses.clone(), products.to_vec());
        self.certificate.lemmas.push(Lemma::Constant { variables, value, weight, uses: of_sum, products });
        uses.push(Use { equation, multiplier: -c });
        Ok(())
    }

    /// The number of relations.
    fn relations(&self) -> u32 {
        let is_relation = |lemma: &&Lemma| matches!(lemma, Lemma::Table { .. } | Lemma::Constant { .. });
        self.certificate.lemmas.iter().filter(is_relation).count() as u32
    }

    /// Relates carries. What is left are carries out of lanes, which were dropped, and those that were added
    /// to the lanes above instead. They are shown to be equal, from the lowest lane on.
    fn relate_carries(&mut self, left: Left, uses: &mut Vec<Use>) -> Result<()> {
        let mut groups: BTreeMap<BigInt, (Vec<Id>, Vec<Id>)> = BTreeMap::new();
        for (id, c) in left {
            if c > BigInt::ZERO {
                groups.entry(c).or_default().1.push(id);
            } else {
                groups.entry(-c).or_default().0.push(id);
            }
        }
        let mut chain = Chain::default();
        for (weight, (dropped, added)) in groups {
            let [added] = added[..] else {
                let id = dropped.into_iter().chain(added).next().unwrap_or_default();
                return unproven(format!("{} times {} is left over", short(&weight), self.name(id)));
            };
            let place = self.relate_carry(added, &dropped, &mut chain)?;
            uses.push(Use { equation: Equation::Relation(place), multiplier: -weight });
        }
        Ok(())
    }

    /// Shows that a carry which was added to a lane equals what was dropped from the lane below. Returns the
    /// number of the relation.
    pub(super) fn relate_carry(&mut self, added: Id, dropped: &[Id], chain: &mut Chain) -> Result<u32> {
        // The carry by the mask is the sum of the generated carries and those that pass.
        let (sum, bit) = self.carry_of_mask(added)?;
        let mut terms = vec![(added, 1)];
        terms.extend(sum.iter().map(|&(id, c)| (id, -c)));
        let mut stops: Vec<Id> = chain.known.clone();
        stops.extend(bit);
        self.relate(&terms, &stops, chain.below)?;
        let mut terms = vec![(added, 1)];
        terms.extend(dropped.iter().map(|&id| (id, -1)));
        let place = self.relate(&terms, &stops, chain.below)?;
        chain.known.push(added);
        chain.below = Some(added);
        chain.known.extend(sum.iter().map(|&(id, _)| id));
        Ok(place)
    }

    /// The sum whose lowest bit, apart from a bit of the mask, is a bit of (P + 2·G) ^ P; and that bit of the
    /// mask.
    fn carry_of_mask(&self, added: Id) -> Result<(Terms, Option<Id>)> {
        let system = &self.integers.system;
        // The integer whose lowest bit is taken.
        let source = |id: Id| match system.definitions[id as usize] {
            Definition::Low(number) => match system.splits[number as usize] {
                Split { source: Source::Single(source), shift: 1, .. } => Some(source),
                _ => None,
            },
            _ => None,
        };
        let found = match system.definitions[added as usize] {
            Definition::Choice(x, Value::Variable(y), _) => match (source(x), source(y)) {
                (Some(source), _) => Some((source, Some(y))),
                (None, Some(source)) => Some((source, Some(x))),
                (None, None) => None,
            },
            // The mask has no bit here. If nothing else is added, the generated carry is the carry itself.
            _ => Some((source(added).unwrap_or(added), None)),
        };
        let Some((source, bit)) = found else {
            return unproven(format!("{} is no carry between lanes", self.name(added)));
        };
        // A lane just below 2^52 passes a carry if it does not generate one: its bit is the complement of
        // another.
        let (constant, bit) = match bit.map(|bit| (bit, &system.definitions[bit as usize])) {
            Some((_, Definition::Sum(1, terms))) if matches!(**terms, [(_, -1)]) => (1, Some(terms[0].0)),
            known => (0, known.map(|(bit, _)| bit)),
        };
        let mut terms = match &system.definitions[source as usize] {
            Definition::Sum(c, terms) if c.abs() == constant => terms.to_vec(),
            _ => vec![(source, 1)],
        };
        terms.retain(|&(id, _)| Some(id) != bit);
        Ok((terms, bit))
    }

    /// Shows a relation. Returns its number.
    fn relate(&mut self, terms: &[(Id, i128)], stops: &[Id], below: Option<Id>) -> Result<u32> {
        // The carry into the lane, about which a relation is known.
        let mut atoms: Vec<Id> = below.into_iter().collect();
        for &(id, _) in terms {
            self.add_atoms(id, stops, &mut atoms);
        }
        atoms.sort_unstable();
        let place = self.relations();
        self.certificate.lemmas.push(Lemma::Table { atoms, terms: terms.to_vec() });
        Ok(place)
    }

    /// Adds the integers with two values on which an integer depends, and those beside it in the same splits.
    fn add_atoms(&self, id: Id, stops: &[Id], atoms: &mut Vec<Id>) {
        let (low, high) = self.integers.bounds(Value::Variable(id));
        if atoms.contains(&id) {
            return;
        }
        let system = &self.integers.system;
        let source = |number: u32| match system.splits[number as usize].source {
            Source::Single(of) => Some(of),
            Source::Product(..) => None,
        };
        if stops.contains(&id) {
            atoms.push(id);
            return;
        }
        match &system.definitions[id as usize] {
            Definition::Sum(_, terms) => {
                terms.iter().for_each(|&(of, _)| self.add_atoms(of, stops, atoms));
            }
            &Definition::Choice(selector, first, second) if high - low == 1 => {
                for of in [Value::Variable(selector), first, second] {
                    if let Value::Variable(of) = of {
                        self.add_atoms(of, stops, atoms);
                    }
                }
            }
            &Definition::Low(number) if system.splits[number as usize].shift == 1 => {
                source(number).into_iter().for_each(|of| self.add_atoms(of, stops, atoms));
            }
            &Definition::High(number) if high - low == 1 => {
                if system.splits[number as usize].shift > 1 {
                    atoms.push(id);
                }
                source(number).into_iter().for_each(|of| self.add_atoms(of, stops, atoms));
            }
            _ => {}
        }
    }
}
