//! Wrong recombinations of powers modulo two factors.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use moduli::KernelChoice;
use moduli_kernel::{Arithmetic, Observer, Session, Words};
use num_bigint::BigUint;
use testing::{Random, ones};

use super::super::{
    known::number,
    ledger::Ledger,
    recombined::{N, P, Q, ledger},
    value::Number,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// The second part of the base is missing.
    Part,
    /// Each part of the base is multiplied by the factor of the other.
    Parts,
    /// A product modulo p is missing.
    Exponent,
    /// L is the power modulo p.
    Half,
    /// The difference is missing.
    Difference,
    /// A sum replaces the difference.
    Sign,
    /// The product by the inverse is missing.
    Inverse,
    /// H is multiplied by 1 instead of Q.
    Factor,
    /// L is missing in the sum.
    Sum,
}

/// The arithmetic modulo one number, with its observer.
struct Heard {
    modulus: BigUint,
    arithmetic: Arithmetic,
    listener: Arc<dyn Observer>,
}

impl Heard {
    fn new(modulus: &BigUint, modulo: usize, ledger: &Ledger) -> Self {
        let arithmetic = Arithmetic::new(&modulus.to_u64_digits(), KernelChoice::DETECT).unwrap();
        Self { modulus: modulus.clone(), arithmetic, listener: ledger.listener(modulo) }
    }

    fn session(&self) -> Session<'_> {
        self.arithmetic.session(Some(&*self.listener))
    }

    /// A constant of the key, computed without an observer.
    fn constant(&self, value: &BigUint) -> Words {
        let mut session = self.arithmetic.session(None);
        let mut residue = session.residue();
        session.to_montgomery(&mut residue, &limbs(&session, &(value % &self.modulus)));
        residue
    }

    /// The factor by which a product with a loaded residue multiplies. With its inverse, the
    /// residue is in Montgomery form.
    fn load_factor(&self) -> BigUint {
        let mut session = self.arithmetic.session(None);
        let (one, mut value) = (session.one().to_vec(), session.value());
        session.store(&mut value, &one);
        number(&value).modinv(&self.modulus).unwrap()
    }

    /// The residue of a number that is loaded part by part. Some parts may be missing, or
    /// multiplied by the factors of others.
    fn enter(&self, value: &BigUint, parts: &[(u64, u64)]) -> Words {
        let (mut session, chunk) = (self.session(), self.modulus.bits());
        let out = self.load_factor().modinv(&self.modulus).unwrap();
        let mut sum: Option<Words> = None;
        for &(i, place) in parts {
            let mut product = session.residue();
            session.load(&mut product, &limbs(&session, &((value >> (i * chunk)) & ones(chunk as u32))));
            session.mul(&mut product, &self.constant(&(&out << (place * chunk))));
            match &mut sum {
                Some(sum) => session.add(sum, &product),
                None => sum = Some(product),
            }
        }
        sum.unwrap()
    }
}

/// A number in the words that a session accepts.
fn limbs(session: &Session<'_>, number: &BigUint) -> Words {
    let mut limbs = session.value();
    for (limb, digit) in limbs.iter_mut().zip(number.to_u64_digits()) {
        *limb = digit;
    }
    limbs
}

/// Whether the ledger finds x^3 modulo p and x^5 modulo q in the recombined number. It may also
/// panic.
fn is_found(wrong: Wrong) -> bool {
    let mut random = Random(7);
    let [of_p, of_q] = [random.odd(256), random.odd(256)];
    let product = &of_p * &of_q;
    let x = random.modulo(&product);
    let ledger = ledger([&product, &of_p, &of_q], &of_q, product.bits());
    ledger.book().given.push((x.clone(), product.bits() as u32));
    let [n, p, q] =
        [(&product, N), (&of_p, P), (&of_q, Q)].map(|(modulus, modulo)| Heard::new(modulus, modulo, &ledger));

    let parts: &[(u64, u64)] = match wrong {
        Wrong::Part => &[(0, 0)],
        Wrong::Parts => &[(0, 1), (1, 0)],
        _ => &[(0, 0), (1, 1)],
    };
    let (base_p, base_q) = (p.enter(&x, parts), q.enter(&x, &[(0, 0), (1, 1)]));
    let (mut session_p, mut session_q) = (p.session(), q.session());
    let mut power_p = Words::copy_of(&base_p);
    session_p.square(&mut power_p);
    if wrong != Wrong::Exponent {
        session_p.mul(&mut power_p, &base_p);
    }
    let mut power_q = Words::copy_of(&base_q);
    session_q.square(&mut power_q);
    session_q.square(&mut power_q);
    session_q.mul(&mut power_q, &base_q);

    let mut low = session_q.value();
    match wrong {
        Wrong::Half => session_p.from_montgomery(&mut low, &power_p),
        _ => session_q.from_montgomery(&mut low, &power_q),
    }
    let low = number(&low);
    let low_modulo_p = p.enter(&low, &[(0, 0)]);
    match wrong {
        Wrong::Difference => {}
        Wrong::Sign => session_p.add(&mut power_p, &low_modulo_p),
        _ => session_p.sub(&mut power_p, &low_modulo_p),
    }
    let inverse = of_q.modinv(&of_p).unwrap();
    let inverse = if wrong == Wrong::Inverse { BigUint::from(1u32) } else { inverse };
    session_p.mul(&mut power_p, &p.constant(&(inverse * p.load_factor())));
    let mut high = session_p.value();
    session_p.store(&mut high, &power_p);

    let (mut session, one) = (n.session(), BigUint::from(1u32));
    let mut loaded = |value: &BigUint, factor: &BigUint| {
        let mut residue = session.residue();
        session.load(&mut residue, &limbs(&session, value));
        session.mul(&mut residue, &n.constant(factor));
        residue
    };
    let mut sum = loaded(&number(&high), if wrong == Wrong::Factor { &one } else { &of_q });
    let low = loaded(&low, &one);
    if wrong != Wrong::Sum {
        session.add(&mut sum, &low);
    }
    let mut result = session.value();
    session.store(&mut result, &sum);
    let book = ledger.book();
    let exponents = [3u32, 5].map(BigUint::from);
    book.has_halves(0, Number::Given(0), &of_q, [&exponents[0], &exponents[1]])
        && book.stored_as(2, N) == book.recombined(0, &of_q)
}

#[test]
fn wrong_recombinations() {
    use Wrong::*;
    assert!(is_found(Nothing));
    for wrong in [Part, Parts, Exponent, Half, Difference, Sign, Inverse, Factor, Sum] {
        let found = catch_unwind(AssertUnwindSafe(|| is_found(wrong)));
        assert!(!matches!(found, Ok(true)), "{wrong:?}");
    }
}
