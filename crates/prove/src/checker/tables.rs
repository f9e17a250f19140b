//! Checks relations between integers of few values, value by value.
//!
//! Some integers, the atoms, take all values of their intervals. An atom that is the upper part of a split
//! bounds the rest of the split's source. For some atoms, a sum of multiples may already be known to be zero.
//! Values that contradict these are left out. For all others the relation has to hold.

use num_bigint::BigInt;
use std::collections::BTreeMap;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, refuse},
};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Split, Value},
};

/// The largest number of values of an atom.
const VALUES: i128 = 4;
/// The largest absolute value of an atom, so that no sum of a few hundred multiples is too long.
const HIGHEST: u128 = 1 << 16;
/// The largest number of values that are tried in all.
const STEPS: usize = 1 << 22;

/// What an atom says of the rest of a split's source, apart from the atoms: the rest is at least 2^shift·part
/// − `sum`, and one of the 2^shift integers from there on.
struct Cell {
    /// The atom, and its split's shift.
    atom: usize,
    shift: u32,
    /// The constant and the atoms of the source, which make up `sum`.
    constant: i128,
    atoms: Vec<(usize, i128)>,
    /// The rest of the source, by its number.
    rest: usize,
}

/// Atoms whose values are being tried.
struct Table<'a> {
    checker: &'a Checker<'a>,
    atoms: &'a [Id],
    ranges: Vec<(i128, i128)>,
    rests: Vec<(i128, i128)>,
    /// For each atom, by its place, the cells to check once it has a value.
    cells: Vec<Vec<Cell>>,
    relations: Vec<Vec<Vec<(usize, i128)>>>,
    terms: &'a [(Id, i128)],
    steps: usize,
}

fn small(x: &BigInt) -> Result<i128> {
    match i128::try_from(x) {
        Ok(x) if x.unsigned_abs() < 1 << 100 => Ok(x),
        _ => refuse("a number that is too long for a table"),
    }
}

impl Checker<'_> {
    /// Checks that the sum of these multiples is zero for all values of the atoms that do not contradict each
    /// other.
    pub(super) fn check_table(&self, atoms: &[Id], terms: &[(Id, i128)]) -> Result<()> {
        let mut table = Table {
            checker: self,
            atoms,
            ranges: Vec::new(),
            rests: Vec::new(),
            cells: atoms.iter().map(|_| Vec::new()).collect(),
            relations: atoms.iter().map(|_| Vec::new()).collect(),
            terms,
            steps: 0,
        };
        for &atom in atoms {
            let (low, high) = self.interval(Value::Variable(atom))?;
            let (low, high) = (small(&low)?, small(&high)?);
            if high - low >= VALUES || low.min(-high).unsigned_abs() > HIGHEST {
                return refuse(format!("integer {atom} has too many values for a table"));
            }
            table.ranges.push((low, high));
        }
        table.find_cells()?;
        for (_, relation) in self.relations.iter().filter(|(constant, _)| *constant == BigInt::ZERO) {
            let places: Option<Vec<_>> =
                relation.iter().map(|&(id, c)| Some((atoms.iter().position(|&x| x == id)?, c))).collect();
            if let Some(places) = places
                && let Some(last) = places.iter().map(|&(place, _)| place).max()
            {
                table.relations[last].push(places);
            }
        }
        table.go_on(&mut Vec::new())
    }
}

impl Table<'_> {
    fn find_cells(&mut self) -> Result<()> {
        let mut rests: BTreeMap<Vec<(Id, BigInt)>, usize> = BTreeMap::new();
        for (place, &atom) in self.atoms.iter().enumerate() {
            let Definition::High(number) = self.checker.system.definitions[atom as usize] else { continue };
            let split = &self.checker.system.splits[number as usize];
            let Source::Single(source) = split.source else { continue };
            let (constant, sums) = self.source(source);
            let (mut atoms, mut rest) = (Vec::new(), Vec::new());
            for (id, c) in sums {
                match self.atoms.iter().position(|&other| other == id) {
                    Some(place) => atoms.push((place, small(&c)?)),
                    None => rest.push((id, c)),
                }
            }
            let next = rests.len();
            let mut sum = Polynomial::default();
            rest.iter().for_each(|(id, c)| drop(sum.linear.insert(*id, c.clone())));
            let number = *rests.entry(rest).or_insert(next);
            if number == next {
                let (low, high) = self.checker.sum_interval(&sum);
                self.rests.push((small(&low)?, small(&high)?));
            }
            if split.shift > 64 {
                return refuse("a split that is too long for a table");
            }
            let last = atoms.iter().map(|&(place, _)| place).max().unwrap_or(place).max(place);
            let constant = small(&constant)?;
            self.cells[last].push(Cell { atom: place, shift: split.shift, constant, atoms, rest: number });
        }
        Ok(())
    }

    /// The constant and the multiples that make up a source. The lower part of a split whose upper part is an
    /// atom is the split's source less that atom.
    fn source(&self, source: Id) -> (BigInt, BTreeMap<Id, BigInt>) {
        let (mut constant, mut open) = self.checker.expanded(source);
        let mut sums: BTreeMap<Id, BigInt> = BTreeMap::new();
        while let Some((id, c)) = open.pop() {
            let parts = match self.checker.system.definitions[id as usize] {
                Definition::Low(number) => Some(&self.checker.system.splits[number as usize]),
                _ => None,
            };
            match parts {
                Some(&Split { source: Source::Single(of), shift, high: Value::Variable(high), .. })
                    if self.atoms.contains(&high) =>
                {
                    let (inner, terms) = self.checker.expanded(of);
                    constant += inner * &c;
                    open.extend(terms.into_iter().map(|(id, d)| (id, d * &c)));
                    *sums.entry(high).or_default() -= c << shift;
                }
                _ => *sums.entry(id).or_default() += c,
            }
        }
        sums.retain(|_, c| *c != BigInt::ZERO);
        (constant, sums)
    }

    /// Tries all values of the next atom.
    fn go_on(&mut self, values: &mut Vec<i128>) -> Result<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return refuse("a table that is too long");
        }
        let place = values.len();
        if place == self.atoms.len() {
            let mut sum = 0i128;
            for &(id, c) in self.terms {
                let x = self.evaluate(Value::Variable(id), values)?;
                match x.checked_mul(c).and_then(|x| sum.checked_add(x)) {
                    Some(total) => sum = total,
                    None => return refuse("a table of long numbers"),
                }
            }
            return if sum == 0 { Ok(()) } else { refuse(format!("where {:?} are {values:?}", self.atoms)) };
        }
        let (low, high) = self.ranges[place];
        for value in low..=high {
            values.push(value);
            if self.is_possible(values) {
                self.go_on(values)?;
            }
            values.pop();
        }
        Ok(())
    }

    /// Whether the latest value contradicts none before it. If the numbers get too long to tell, it counts as
    /// possible.
    fn is_possible(&self, values: &[i128]) -> bool {
        let place = values.len() - 1;
        let of = |terms: &[(usize, i128)]| {
            terms.iter().try_fold(0i128, |sum, &(place, c)| sum.checked_add(c.checked_mul(values[place])?))
        };
        if self.relations[place].iter().any(|relation| of(relation).is_some_and(|sum| sum != 0)) {
            return false;
        }
        self.cells[place].iter().all(|cell| {
            let (mut low, mut high) = self.rests[cell.rest];
            for other in self.cells[..=place].iter().flatten().filter(|other| other.rest == cell.rest) {
                let unit = 1i128 << other.shift;
                let from = || {
                    let from = values[other.atom].checked_mul(unit)?;
                    from.checked_sub(other.constant)?.checked_sub(of(&other.atoms)?)
                };
                if let Some((from, to)) = from().and_then(|from| Some((from, from.checked_add(unit - 1)?))) {
                    low = low.max(from);
                    high = high.min(to);
                }
            }
            low <= high
        })
    }

    /// A value, computed from the values of the atoms.
    fn evaluate(&self, x: Value, values: &[i128]) -> Result<i128> {
        let id = match x {
            Value::Constant(x) => return Ok(x),
            Value::Variable(id) => id,
        };
        if let Some(place) = self.atoms.iter().position(|&atom| atom == id) {
            return Ok(values[place]);
        }
        let system = self.checker.system;
        match &system.definitions[id as usize] {
            Definition::Sum(constant, terms) => {
                let mut sum = *constant;
                for &(of, c) in terms {
                    let x = self.evaluate(Value::Variable(of), values)?;
                    match x.checked_mul(c).and_then(|x| sum.checked_add(x)) {
                        Some(total) => sum = total,
                        None => return refuse("a table of long numbers"),
                    }
                }
                Ok(sum)
            }
            &Definition::Choice(selector, first, second) => {
                let low = &self.checker.intervals[selector as usize].0;
                let is_above = BigInt::from(self.evaluate(Value::Variable(selector), values)?) != *low;
                self.evaluate(if is_above { second } else { first }, values)
            }
            &Definition::Low(number) | &Definition::High(number) => {
                let split = &system.splits[number as usize];
                let Source::Single(of) = split.source else {
                    return refuse(format!("integer {id} does not hang on atoms alone"));
                };
                let source = self.evaluate(Value::Variable(of), values)?;
                let is_low = matches!(system.definitions[id as usize], Definition::Low(_));
                if split.shift > 100 {
                    return refuse("a split that is too long for a table");
                }
                Ok(if is_low { source & ((1 << split.shift) - 1) } else { source >> split.shift })
            }
            Definition::Input(..) | Definition::Word(_) | Definition::Either(..) => {
                refuse(format!("integer {id} does not hang on atoms alone"))
            }
        }
    }
}
