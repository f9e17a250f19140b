//! Operations of `fma50` with several results are proved: a pair of products, and the rows of a matrix with
//! the sum of their products.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    certificate::{Certificate, Equation, Use},
    checker, doubles,
    integers::Integers,
    prover,
    specification::{
        Formula, Operation, Statement,
        doubles::{Doubles, Part},
    },
};

/// Statements about the same integers, and their certificates.
struct Several {
    what: String,
    integers: Integers,
    statements: Vec<Statement>,
    certificates: Vec<Certificate>,
}

impl Several {
    fn prove(bits: usize, operation: Operation) -> Self {
        let what = format!("{operation} at {bits} bits");
        let recording = doubles::record(KernelChoice::FMA50, bits, operation, 3).expect(&what);
        let (lifted, statements) = recording.lift_all().unwrap_or_else(|failure| panic!("{what}: {failure}"));
        let integers = lifted.integers;
        let certificates = prover::prove_all(&integers, &statements);
        let certificates = certificates.unwrap_or_else(|failure| panic!("{what}: {failure}"));
        checker::check_all(&integers.system, &statements, &certificates).expect(&what);
        Self { what, integers, statements, certificates }
    }

    fn refuses(&self, i: usize, what: &str, change: impl Fn(&mut Statement)) {
        let mut statement = self.statements[i].clone();
        change(&mut statement);
        let (system, what) = (&self.integers.system, format!("{}, part {i}: {what}", self.what));
        assert!(checker::check(system, &statement, &self.certificates[i]).is_err(), "{what}, by the same");
        let found = prover::prove(&self.integers, &statement);
        assert!(found.and_then(|by| checker::check(system, &statement, &by)).is_err(), "{what}");
    }

    fn refuses_certificate(&self, i: usize, what: &str, change: impl Fn(&mut Certificate)) {
        let mut certificate = self.certificates[i].clone();
        change(&mut certificate);
        let found = checker::check(&self.integers.system, &self.statements[i], &certificate);
        assert!(found.is_err(), "{}, part {i}: {what}", self.what);
    }
}

fn doubles(statement: &mut Statement) -> &mut Doubles {
    statement.doubles.as_mut().unwrap()
}

#[test]
fn pairs_of_products() {
    let Some(_) = made(KernelChoice::FMA50) else { return };
    for bits in [2, 300, 1024, 1600] {
        let pair = Several::prove(bits, Operation::MulPair);
        assert_eq!(pair.statements.len(), 2);
        for i in 0..2 {
            let other = &pair.statements[1 - i];
            pair.refuses(i, "the other operand", |it| it.first.clone_from(&other.first));
            pair.refuses(i, "the other result", |it| it.result.clone_from(&other.result));
            pair.refuses(i, "by the other operand", |it| it.second.clone_from(&other.first));
            pair.refuses(i, "digits of the result exchanged", |it| it.result.swap(0, 1));
            pair.refuses(i, "a square", |it| {
                it.specification.formula = Formula::Square;
                it.second.clear();
            });
            let parts = pair.certificates[i].parts.clone();
            pair.refuses_certificate(1 - i, "multiples of rows of the other", |it| {
                it.parts.clone_from(&parts)
            });
        }
    }
}

#[test]
fn rows_of_a_matrix() {
    let Some(_) = made(KernelChoice::FMA50) else { return };
    // This has two blocks of columns.
    Several::prove(800, Operation::Prepare(6));
    // One more piece than there are vectors. In the first case the quotient is estimated by the lowest digit;
    // the next one has a vector that is not full.
    for (bits, pieces, digits) in [(44, 2, 2), (200, 3, 6), (300, 3, 8)] {
        let matrix = Several::prove(bits, Operation::Prepare(pieces));
        // There are statements for the value, the rows, and the sum.
        assert_eq!(matrix.statements.len(), digits + 2, "{}", matrix.what);
        for i in 1..=digits {
            assert_eq!(matrix.statements[i].specification.formula, Formula::Shifted(1));
        }
        for i in [1, 2, digits] {
            let other = &matrix.statements[if i == 1 { 2 } else { 1 }];
            matrix.refuses(i, "another row", |it| it.result.clone_from(&other.result));
            matrix.refuses(i, "of another row", |it| it.first.clone_from(&other.first));
            matrix.refuses(i, "two digits further", |it| it.specification.formula = Formula::Shifted(2));
            matrix.refuses(i, "the same", |it| it.specification.formula = Formula::Shifted(0));
            matrix.refuses(i, "a sum", |it| doubles(it).part = Part::Correction);
            matrix.refuses_certificate(i, "another quotient", |it| it.quotient[0].1 += 50);
        }
        let sum = digits + 1;
        let row = matrix.statements[1].first.clone();
        matrix.refuses(sum, "digits exchanged", |it| it.result.swap(0, 1));
        matrix.refuses(sum, "a digit too few", |it| it.result.truncate(digits - 1));
        matrix.refuses(sum, "a row too few", |it| drop(doubles(it).pieces.pop()));
        matrix.refuses(sum, "a row twice", |it| {
            let rows = &mut doubles(it).pieces;
            rows[0] = rows[1].clone();
        });
        matrix.refuses(sum, "the value for a row", |it| doubles(it).pieces[0].clone_from(&row));
        matrix.refuses(sum, "rows of the reduction", |it| {
            let it = doubles(it);
            it.pieces.clone_from(&it.rows);
        });
        matrix.refuses(sum, "of an operand", |it| it.first.clone_from(&row));
        matrix.refuses(sum, "modulo N", |it| it.specification.is_reduced = true);
        matrix.refuses(sum, "a product", |it| it.specification.formula = Formula::Product);
        matrix.refuses(sum, "a residue", |it| doubles(it).part = Part::Whole);
        matrix.refuses(sum, "a row of a matrix", |it| doubles(it).part = Part::Shifted);
        matrix.refuses(sum, "of a matrix that is declared", |it| doubles(it).is_matrix = true);
        matrix.refuses(sum, "longer moduli than are declared", |it| doubles(it).bits += 50);
        if digits > 2 {
            matrix.refuses(sum, "other pairs of rows", |it| doubles(it).pieces.swap(0, 2));
            matrix.refuses(sum, "digits of a row exchanged", |it| doubles(it).pieces[0].swap(0, 1));
        }
        for number in (0..matrix.certificates[sum].outcomes[0].uses.len()).step_by(3) {
            matrix.refuses_certificate(sum, "without an equation", |it| {
                it.outcomes[0].uses.remove(number);
            });
            matrix.refuses_certificate(sum, "more of an equation", |it| {
                it.outcomes[0].uses[number].multiplier += 1;
            });
        }
        // Use the correction of the reduction.
        matrix.refuses_certificate(sum, "by another correction", |it| {
            it.outcomes[0].uses.push(Use { equation: Equation::Correction, multiplier: 1.into() });
        });
    }
}
