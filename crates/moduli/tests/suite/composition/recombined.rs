//! Powers modulo two factors, and the number that has both as its residues.
//!
//! The ledger keeps the values modulo N = P·Q, modulo p and modulo q, which are P and Q or
//! multiples of them. A number that is loaded is split into parts with as many bits as the modulus.
//! No kernel operation does this, so the ledger compares every part with the bits of the number,
//! and replaces Σ part i·2^(i·bits) by the number. With x as the base, it shows
//!
//! 1. L = x^(e_q) modulo q, where 0 ≤ L < q, as written out;
//! 2. H = Q^(−1)·(x^(e_p) − L) modulo p;
//! 3. that the recombined number is L + Q·H modulo N (Garner 1959).
//!
//! This number is L modulo Q, hence x^(e_q); and modulo P it is L + x^(e_p) − L.

use moduli::KernelChoice;
use num_bigint::BigUint;

use super::{
    ledger::{Book, Ledger},
    value::{Number, Power, Unknown, Value},
};

/// The indices of N, p and q in the ledger.
pub const N: usize = 0;
pub const P: usize = 1;
pub const Q: usize = 2;

/// A ledger for n, p and q, modulo which numbers of at most `longest` bits are raised. It names the
/// constants of the key, which were computed before: the factors for loading long numbers, and Q
/// and its inverse.
pub fn ledger([n, p, q]: [&BigUint; 3], of_q: &BigUint, longest: u64) -> Ledger {
    let ledger = Ledger::of(&[n, p, q], KernelChoice::DETECT);
    let one = BigUint::from(1u32);
    let mut book = ledger.book();
    for known in &mut book.moduli[P..] {
        let chunk = known.bits();
        for i in 0..longest.div_ceil(chunk.into()) as u32 {
            known.add_constant(&((&one << (i * chunk)) % &known.modulus.clone()), -1);
        }
    }
    book.moduli[P].add_constant(&of_q.modinv(p).unwrap(), 1);
    let chunk = book.moduli[N].bits();
    for i in 0..p.bits().max(q.bits()).div_ceil(chunk.into()) as u32 {
        for factor in [&one, of_q] {
            book.moduli[N].add_constant(&((factor << (i * chunk)) % n), 0);
        }
    }
    drop(book);
    ledger
}

/// The power of a number.
pub fn power(number: Number, exponent: &BigUint) -> Value {
    Power::default().times(&Power::of(Unknown::Number(number)), &exponent.clone().into()).into()
}

impl Book {
    /// The value of the stored number at this index, with looked-up entries resolved. Asserts its
    /// modulus.
    pub fn stored_as(&self, at: usize, modulo: usize) -> Value {
        let stored = &self.stored[at];
        assert_eq!(stored.modulo, modulo, "number {at} was written out modulo another one");
        self.moduli[modulo].resolved(&stored.value)
    }

    /// Whether the numbers stored at `low` and after it are L and H for these powers of x.
    pub fn has_halves(&self, low: usize, x: Number, of_q: &BigUint, exponents: [&BigUint; 2]) -> bool {
        let p = &self.moduli[P].modulus;
        let inverse = of_q.modinv(p).unwrap();
        let high = Value::default().plus(&power(x, exponents[0]), &inverse, p);
        let high = high.plus(&Number::Stored(low).into(), &(p - &inverse), p);
        self.stored_as(low, Q) == power(x, exponents[1]) && self.stored_as(low + 1, P) == high
    }

    /// L + Q·H.
    pub fn recombined(&self, low: usize, of_q: &BigUint) -> Value {
        let n = &self.moduli[N].modulus;
        Value::from(Number::Stored(low)).plus(&Number::Stored(low + 1).into(), &(of_q % n), n)
    }
}
