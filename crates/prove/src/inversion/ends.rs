//! Searches for the proof that an inversion begins and ends as it should.

use num_bigint::BigInt;
use std::collections::HashSet;

use crate::{
    certificate::{Case, WholeProof},
    elimination::Functional,
    failure::{Failure, Reason, Result},
    integers::Integers,
    specification::inversion::{DIGIT, Whole},
    system::{Definition, Id, Source, Value},
};

fn unproven<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

/// A number of digits, as a sum under elimination.
fn number<'a>(
    integers: &'a Integers,
    zeros: &'a HashSet<Id>,
    case: &'a Case,
    digits: &[Value],
    bits: usize,
) -> Functional<'a> {
    let mut functional = Functional::new(integers, zeros, case);
    for (i, &digit) in digits.iter().enumerate() {
        functional.add(&(BigInt::from(1) << (bits * i)), digit);
    }
    functional
}

/// The integer that a word is modulo 2^64, if the word is the lower part of one.
fn of_word(integers: &Integers, word: Value) -> Option<Id> {
    let Value::Variable(id) = word else { return None };
    match integers.system.definitions[id as usize] {
        Definition::Low(number) => match integers.system.splits[number as usize] {
            ref split if split.shift == 64 => match split.source {
                Source::Single(of) => Some(of),
                Source::Product(..) => None,
            },
            _ => None,
        },
        _ => Some(id),
    }
}

/// The digits of a number from its highest one down. Each receives a carry from the digit below it, which is
/// the rest of that carry's source.
fn digits_below(integers: &Integers, highest: Id, count: usize) -> Option<Vec<Id>> {
    let mut digits = vec![highest];
    let mut of = highest;
    while digits.len() < count {
        let Definition::Sum(_, terms) = &integers.system.definitions[of as usize] else { return None };
        let split = terms.iter().find_map(|&(id, c)| {
            let Definition::High(number) = integers.system.definitions[id as usize] else { return None };
            let split = &integers.system.splits[number as usize];
            (c == 1 && split.shift == DIGIT).then_some(split)
        })?;
        let (Source::Single(source), Value::Variable(low)) = (split.source, split.low) else { return None };
        digits.push(low);
        of = source;
    }
    digits.reverse();
    Some(digits)
}

/// The selectors that an elimination needs, and the upper part that a sign is.
fn selectors(integers: &Integers, digits: &[Value], bits: usize) -> Vec<Id> {
    let zeros = HashSet::new();
    let mut case = Case::new();
    loop {
        let mut functional = number(integers, &zeros, &case, digits, bits);
        match functional.run(&[], true) {
            Some(selector) => case.push((selector, true)),
            None => return case.into_iter().map(|(id, _)| id).collect(),
        }
    }
}

/// The integer of which this is the sign, cut above its bits.
fn sign_of(integers: &Integers, sign: Id) -> Id {
    match integers.system.definitions[sign as usize] {
        Definition::High(number) => match integers.system.splits[number as usize].source {
            Source::Single(of) => of,
            Source::Product(..) => sign,
        },
        _ => sign,
    }
}

/// Looks for the proof that a whole inversion is right, apart from its jumps and updates.
///
/// # Errors
/// What was not found.
pub fn prove_whole(integers: &Integers, whole: &Whole) -> Result<WholeProof> {
    let zeros = HashSet::new();
    let Some(first) = whole.jumps.first() else { return unproven("no jump") };
    let Some(last) = whole.jumps.last() else { return unproven("no jump") };
    let count = whole.modulus.len();
    let case = Case::new();
    let g = &first.update_fg.reads[4 + count..];
    let mut functional = number(integers, &zeros, &case, g, DIGIT as usize);
    functional.run(&[], false);
    let begin = functional.uses;
    let [f, d] = [&last.update_fg.words[..count], &last.update_de.words[..count]];
    let (Some(top_of_f), Some(top_of_d)) = (of_word(integers, f[count - 1]), of_word(integers, d[count - 1]))
    else {
        return unproven("no signs");
    };
    let mut found = selectors(integers, &whole.result, 64);
    let mut take =
        |of: Id| found.iter().position(|&sign| sign_of(integers, sign) == of).map(|i| found.remove(i));
    let (Some(of_f), Some(of_d)) = (take(top_of_f), take(top_of_d)) else {
        return unproven("the signs of F and D are not asked for");
    };
    let [of_negated] = found[..] else { return unproven("another number of signs") };
    let signs = [of_f, of_d, of_negated];
    let Some(negated) = digits_below(integers, sign_of(integers, of_negated), count) else {
        return unproven("the digits of D with its sign");
    };
    let Some(magnitude) =
        highest_of_magnitude(integers, whole.exists).find_map(|top| digits_below(integers, top, count))
    else {
        return unproven("the digits of F without its sign");
    };
    let mut proof = WholeProof { begin, signs, magnitude, negated, ..WholeProof::default() };
    let variables = |ids: &[Id]| ids.iter().copied().map(Value::Variable).collect::<Vec<_>>();
    let uses = |digits: &[Value], case: &Case| {
        let mut functional = number(integers, &zeros, case, digits, DIGIT as usize);
        functional.run(&[], false);
        functional.uses
    };
    for f in [false, true] {
        proof.of_magnitude.push(uses(&variables(&proof.magnitude), &vec![(of_f, f)]));
        for d in [false, true] {
            proof.of_negated.push(uses(&variables(&proof.negated), &vec![(of_f, f), (of_d, d)]));
            for negated in [false, true] {
                let case = vec![(of_f, f), (of_d, d), (of_negated, negated)];
                let mut functional = number(integers, &zeros, &case, &whole.result, 64);
                functional.run(&[], false);
                // Integers that are not made of D, or are made of its highest digit if that is above the
                // limbs.
                let place = BigInt::from(1) << (64 * whole.limbs);
                let mut left = functional.left;
                let sign = if f { 1 } else { -1 };
                let is_above_limbs = DIGIT as usize * (count - 1) >= 64 * whole.limbs;
                if is_above_limbs {
                    *left.entry(top_of_d).or_default() -=
                        BigInt::from(sign) << (DIGIT as usize * (count - 1));
                }
                let is_above = |(id, c): &(&Id, &BigInt)| {
                    let is_operand =
                        matches!(integers.system.definitions[**id as usize], Definition::Input(..));
                    *c % &place == BigInt::ZERO && (!is_operand || is_above_limbs && **id == top_of_d)
                };
                let above = left.iter().filter(is_above).map(|(&id, c)| (id, -c / &place)).collect();
                proof.of_result.push((above, functional.uses));
            }
        }
    }
    Ok(proof)
}

/// Integers that the mask compares with zero, any of which may be the highest digit of |F|.
fn highest_of_magnitude(integers: &Integers, exists: Value) -> impl Iterator<Item = Id> {
    let mut open: Vec<Value> = vec![exists];
    let mut found = Vec::new();
    while let Some(x) = open.pop() {
        let Value::Variable(id) = x else { continue };
        match &integers.system.definitions[id as usize] {
            Definition::Sum(_, terms) => open.extend(terms.iter().map(|&(id, _)| Value::Variable(id))),
            &Definition::Choice(selector, first, second) => {
                open.extend([Value::Variable(selector), first, second])
            }
            &Definition::High(number) => {
                let split = &integers.system.splits[number as usize];
                if let (64, Source::Single(of)) = (split.shift, split.source)
                    && let Definition::Sum(_, terms) = &integers.system.definitions[of as usize]
                    && let [(word, 1)] = terms[..]
                {
                    found.extend(of_word(integers, Value::Variable(word)));
                }
            }
            _ => {}
        }
    }
    found.into_iter()
}
