//! The data of a recorded operation, and the statements about its integers: the same for all processors.

use crate::{
    failure::{Failure, Reason, Result},
    layout::{INVERSE, Layout},
    lift::{Lifted, Symbol},
    specification::{
        Bound, Formula, Operation, Specification, Statement,
        digits::{DIGIT, Digits},
    },
    system::{Id, Value},
};

/// An operation, its symbols by their names, and the addresses of its operands.
pub(crate) struct Declared {
    pub(crate) operation: Operation,
    /// Words of the modulus.
    pub(crate) words: usize,
    pub(crate) symbols: Vec<(&'static str, Symbol)>,
    /// The layout of digits of 52 bits, if numbers have these.
    pub(crate) layout: Option<Layout>,
    /// The recorded result.
    pub(crate) after: Vec<u64>,
    /// The words of a part of a pair.
    pub(crate) part: usize,
}

impl Declared {
    pub(crate) fn find(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// All symbols, in their order.
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect()
    }

    /// A statement for each place of a row, or one statement.
    pub(crate) fn statements<R>(&self, lifted: &Lifted<R>, inputs: &[Vec<Id>]) -> Result<Vec<Statement>> {
        let get = |name: &str| Ok::<_, Failure>(inputs[self.find(name)?].clone());
        let (first, second, result) = match self.operation {
            Operation::Mul
            | Operation::MulPair
            | Operation::MulTwo
            | Operation::MulRows
            | Operation::SelectRows(_)
            | Operation::LookUpRows(_)
            | Operation::Add
            | Operation::Sub
            | Operation::Swap
            | Operation::Replace(_)
            | Operation::Select(_)
            | Operation::MulPrepared(_) => ("x", Some("y"), "x"),
            Operation::Square
            | Operation::SquareTwo
            | Operation::SquareRows
            | Operation::SquareAndSelect(_) => ("x", None, "x"),
            Operation::Prepare(_) => ("y", Some("one entered"), "x"),
            Operation::ToMontgomery => ("value", Some("one entered"), "x"),
            Operation::FromMontgomery | Operation::Store => ("x", None, "value"),
            Operation::Load => ("value", None, "x"),
            Operation::Put
            | Operation::Take
            | Operation::Reduce
            | Operation::Jump
            | Operation::UpdateFg
            | Operation::UpdateDe
            | Operation::Invert => {
                return Err(Failure::new(Reason::NoTrace, "it is no operation of a kernel"));
            }
        };
        let words = |name: &str| {
            let symbol = &self.symbols[self.find(name)?].1;
            words_of(lifted, symbol.address, symbol.words.len())
        };
        let mut statement = Statement {
            specification: self.operation.specification(self.words),
            modulus: Vec::new(),
            inverse: get("negative inverse")?[0],
            first: get(first)?,
            first_bits: 64,
            result_bits: 64,
            second: second.map_or_else(|| Ok(Vec::new()), get)?,
            // The index is in memory, or in a register, which follows all symbols.
            mask: match self.find("index") {
                Ok(index) => Some(inputs[index][0]),
                Err(_) => inputs.get(self.symbols.len()).map(|mask| mask[0]),
            },
            result: Vec::new(),
            digits: None,
            doubles: None,
            before: None,
        };
        match (&self.layout, self.operation) {
            (Some(layout), Operation::Prepare(pieces)) => {
                return self.pieces_of_digits(layout, lifted, inputs, pieces);
            }
            (None, Operation::Prepare(pieces)) => {
                statement.modulus = get("modulus")?;
                return self.pieces(lifted, &statement, pieces);
            }
            (None, Operation::MulPair) => {
                statement.modulus = get("modulus")?;
                return self.pair(lifted, &statement);
            }
            // They are exchanged as words, wherever the digits are and whatever the modulus is.
            (_, Operation::Swap) => statement.result = [words("x")?, words("y")?].concat(),
            (_, Operation::Replace(_)) => {
                statement.result = words("x")?;
                return Ok(self.places(&statement));
            }
            (_, Operation::Select(_)) => {
                statement.result = words("x")?;
                (statement.first, statement.second) = {
                    let (first, row) = statement.second.split_at(self.words);
                    (first.to_vec(), row.to_vec())
                };
            }
            (Some(layout), Operation::MulPair) => {
                return self.pair_of_digits(layout, lifted, inputs, &statement);
            }
            (Some(layout), _) => {
                self.use_digits(layout, lifted, inputs, (first, second, result), &mut statement)?;
            }
            (None, _) => {
                statement.modulus = get("modulus")?;
                statement.result = words(result)?;
            }
        }
        Ok(vec![statement])
    }

    /// The address of a prepared piece.
    pub(crate) fn piece(&self, number: usize) -> Result<u64> {
        Ok(self.symbols[self.find("x")?].1.address + 8 * (number * self.words) as u64)
    }

    /// A statement for the first product, and for each piece, by what the part before left.
    fn pieces<R>(&self, lifted: &Lifted<R>, statement: &Statement, pieces: usize) -> Result<Vec<Statement>> {
        let part = self.words.div_ceil(pieces);
        let mut results: Vec<Vec<Value>> = lifted.before.clone();
        results.push(words_of(lifted, self.piece(0)?, self.words)?);
        let product = Statement {
            specification: Operation::Mul.specification(self.words),
            result: results[0].clone(),
            ..statement.clone()
        };
        let mut statements = vec![product];
        for (i, after) in lifted.after.iter().enumerate() {
            let shifted = if i == 0 { 2 * self.words - part * pieces - 1 } else { part };
            let first: Vec<Id> = after.iter().copied().flatten().collect();
            // A finished piece is not changed.
            if i > 0 {
                let there = lifted.words(self.piece(pieces - i)?, self.words)?;
                if there != first {
                    return Err(Failure::new(Reason::Unproven, "a piece that is changed afterwards"));
                }
            }
            statements.push(Statement {
                specification: Specification {
                    formula: Formula::Shifted(shifted),
                    ..statement.specification
                },
                first,
                second: Vec::new(),
                result: results[i + 1].clone(),
                ..statement.clone()
            });
        }
        Ok(statements)
    }

    /// A statement for each product of a pair. For long ones: a statement for each operand that moved down by
    /// a part, for each sum, and for its subtraction and reduction.
    fn pair<R>(&self, lifted: &Lifted<R>, statement: &Statement) -> Result<Vec<Statement>> {
        let words = |after: &[Option<Id>]| after.iter().copied().flatten().collect::<Vec<Id>>();
        let specification = statement.specification;
        let is_long = !lifted.after.is_empty();
        let parts = lifted.after.len().saturating_sub(4);
        let mut moved = vec![statement.second.clone()];
        let mut statements = Vec::new();
        let alone = |formula: Formula, first: Vec<Id>, result: Vec<Value>| Statement {
            specification: Specification {
                first: Bound::BelowModulus,
                second: None,
                formula,
                ..specification
            },
            first,
            second: Vec::new(),
            result,
            ..statement.clone()
        };
        for (before, after) in lifted.before.iter().zip(&lifted.after).take(parts) {
            let first = moved.last().cloned().unwrap_or_default();
            statements.push(alone(Formula::Shifted(self.part), first, before.clone()));
            moved.push(words(after));
        }
        moved.reverse();
        for (i, first) in statement.first.chunks(self.words).enumerate() {
            let result = words_of(lifted, self.piece(i)?, self.words)?;
            let mut product = Statement { first: first.to_vec(), result, ..statement.clone() };
            if is_long {
                let [sum, less] = [parts + i, parts + i + 2];
                // The lowest words are unchanged.
                let rest = self.words - self.part * parts;
                let (low, high) = lifted.after[sum].split_at(rest);
                let (same, result) = lifted.before[less].split_at(rest);
                if !low.iter().zip(same).all(|(id, value)| id.map(Value::Variable) == Some(*value)) {
                    return Err(Failure::new(Reason::Unproven, "a sum whose lowest words change"));
                }
                let mut once = alone(Formula::Once(2), words(high), result.to_vec());
                once.specification.is_reduced = false;
                let reduced = alone(Formula::Long, words(&lifted.after[less]), product.result);
                statements.extend([once, reduced]);
                let formula = Formula::Blocks { part: self.part, parts };
                product.specification = Specification { formula, is_reduced: false, ..specification };
                (product.second, product.result) = (moved.concat(), lifted.before[sum].clone());
            }
            statements.push(product);
        }
        Ok(statements)
    }

    /// A statement for each product of digits. All operands exist from the beginning, as both products are
    /// like any others.
    fn pair_of_digits<R>(
        &self,
        layout: &Layout,
        lifted: &Lifted<R>,
        inputs: &[Vec<Id>],
        statement: &Statement,
    ) -> Result<Vec<Statement>> {
        let mut all = statement.clone();
        self.use_digits(layout, lifted, inputs, ("x", Some("y"), "x"), &mut all)?;
        // Both operands have the same number of words that can only be 0.
        let first = all.first.chunks((all.first.len() / 2).max(1));
        let results = all.result.chunks(self.words);
        let product = |(first, result): (&[Id], &[Value])| Statement {
            first: first.to_vec(),
            result: result.to_vec(),
            ..all.clone()
        };
        Ok(first.zip(results).map(product).collect())
    }

    /// A statement for each place of a row.
    fn places(&self, statement: &Statement) -> Vec<Statement> {
        let place = |(i, (first, result)): (usize, (&[Id], &[Value]))| Statement {
            specification: Specification { formula: Formula::Place(i as u64), ..statement.specification },
            first: first.to_vec(),
            result: result.to_vec(),
            ..statement.clone()
        };
        let places = statement.first.chunks(self.words).zip(statement.result.chunks(self.words));
        places.enumerate().map(place).collect()
    }

    /// For each word of a symbol, its integer if it can be other than 0.
    fn words_in_place(&self, inputs: &[Vec<Id>], name: &str) -> Result<Vec<Option<Id>>> {
        let place = self.find(name)?;
        let highest = &self.symbols[place].1.highest;
        let mut ids = inputs[place].iter().copied();
        Ok(highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect())
    }

    /// The digits of a symbol, in order, without those that can only be 0.
    pub(super) fn number(&self, layout: &Layout, inputs: &[Vec<Id>], name: &str) -> Result<Vec<Id>> {
        let words = self.words_in_place(inputs, name)?;
        let of_strips = !matches!(name, "value" | "bound" | "modulus digits");
        let numbers = words.chunks(if of_strips { self.words } else { words.len() });
        let in_order = |words: &[Option<Id>]| if of_strips { layout.in_order(words) } else { words.to_vec() };
        Ok(numbers.flat_map(in_order).flatten().collect())
    }

    /// The data of statements about digits.
    pub(super) fn digits(&self, layout: &Layout, inputs: &[Vec<Id>]) -> Result<Digits> {
        let number = |name: &str| self.number(layout, inputs, name);
        let reciprocal = inputs[self.find("reciprocal")?][0];
        let digits = layout.digits(self.operation, number("high")?, number("step")?, reciprocal);
        Ok(Digits { inverse: if layout.in_strips() { Vec::new() } else { number(INVERSE)? }, ..digits })
    }

    /// Sets a statement about digits of 52 bits, by the names of both operands and of the result.
    fn use_digits<R>(
        &self,
        layout: &Layout,
        lifted: &Lifted<R>,
        inputs: &[Vec<Id>],
        (first, second, result): (&str, Option<&str>, &str),
        statement: &mut Statement,
    ) -> Result<()> {
        let number = |name: &str| self.number(layout, inputs, name);
        let bits = |name: &str| if name == "value" { 64 } else { DIGIT };
        let modulus = match self.operation {
            Operation::Add | Operation::Sub => "bound",
            Operation::Store | Operation::FromMontgomery => "modulus digits",
            _ => "modulus",
        };
        let digits = self.digits(layout, inputs)?;
        if let Operation::MulPrepared(_) = self.operation {
            statement.specification.formula = Formula::Pieces(digits.reduced);
        }
        statement.digits = Some(digits);
        statement.modulus = number(modulus)?;
        (statement.first, statement.first_bits) = (number(first)?, bits(first));
        statement.second = second.map_or_else(|| Ok(Vec::new()), number)?;
        let symbol = &self.symbols[self.find(result)?].1;
        let values = lifted.values(symbol.address, &self.after)?;
        statement.result = match result {
            "x" => values.chunks(self.words).flat_map(|number| layout.in_order(number)).collect(),
            _ => values,
        };
        statement.result_bits = bits(result);
        let copy = Specification { formula: Formula::Copy, is_reduced: false, ..statement.specification };
        let after = |cut: usize| layout.in_order(&lifted.after[cut]).into_iter().flatten().collect();
        if self.operation == Operation::ToMontgomery && layout.spare() > 0 {
            let mut before = Statement { specification: copy, second: Vec::new(), ..statement.clone() };
            before.result = layout.in_order(&lifted.before[0]);
            statement.before = Some(Box::new(before));
            (statement.first, statement.first_bits) = (after(0), DIGIT);
            statement.digits.iter_mut().for_each(|digits| digits.is_entered = true);
        }
        if self.operation == Operation::FromMontgomery {
            let mut before = statement.clone();
            before.modulus = number("modulus")?;
            (before.result, before.result_bits) = (layout.in_order(&lifted.before[0]), DIGIT);
            statement.first = after(0);
            if layout.spare() > 0 {
                let mut order = Statement { specification: copy, ..before.clone() };
                (order.first, order.result) = (after(0), layout.in_order(&lifted.before[1]));
                order.digits.iter_mut().for_each(|digits| digits.are_in_order[1] = true);
                order.before = Some(Box::new(before));
                before = order;
                statement.first = after(1);
                statement.digits.iter_mut().for_each(|digits| digits.are_in_order[0] = true);
            }
            statement.before = Some(Box::new(before));
        }
        if matches!(self.operation, Operation::Store | Operation::FromMontgomery) {
            let formula = Formula::Remainder;
            statement.specification = Specification { formula, is_reduced: false, ..statement.specification };
        }
        Ok(())
    }
}

/// The statement about a function that multiplies, by its factors.
pub(crate) fn product_statement<R>(
    lifted: &Lifted<R>,
    mut inputs: Vec<Vec<Id>>,
    result: u64,
) -> Result<Statement> {
    let second = inputs.pop().unwrap_or_default();
    Ok(Statement {
        specification: Specification::WHOLE,
        modulus: Vec::new(),
        inverse: 0,
        first: inputs.pop().unwrap_or_else(|| second.clone()),
        result: words_of(lifted, result, 2 * second.len())?,
        first_bits: 64,
        result_bits: 64,
        second,
        mask: None,
        digits: None,
        doubles: None,
        before: None,
    })
}

/// The words of memory at the end.
fn words_of<R>(lifted: &Lifted<R>, address: u64, count: usize) -> Result<Vec<Value>> {
    Ok(lifted.words(address, count)?.into_iter().map(Value::Variable).collect())
}
