//! Powers with known factors.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{CrtModulus, SignedExponent};
use num_bigint::BigUint;
use testing::{Random, big, boxed, ones};

use super::{
    ledger::Ledger,
    observed::{alone, exponent},
    recombined::{N, P, Q, ledger, power},
    value::{Number, Value},
};
use crate::rsa::support::prime;

/// The owner of two primes' powers, with a ledger.
struct Owner {
    owner: CrtModulus,
    ledger: Ledger,
    /// P and Q, the powers of the primes, and the orders of the groups modulo them.
    factors: [BigUint; 2],
    orders: [BigUint; 2],
    /// The prime r of the check.
    r: BigUint,
}

impl Owner {
    fn new(bits: [u32; 2], k: u32) -> Self {
        let primes = [prime(bits[0], 2), prime(bits[1], 3)];
        let owner = CrtModulus::new(&boxed(&primes[0]), &boxed(&primes[1]), k).unwrap();
        let factors = primes.each_ref().map(|prime| prime.pow(k));
        let orders = primes.each_ref().map(|prime| prime.pow(k - 1) * (prime - 1u32));
        let n = &factors[0] * &factors[1];
        let [p, q] = owner.of_halves().map(|modulus| big(modulus.value().as_ref()));
        let r = &p / &factors[0];
        assert_eq!([&factors[0] * &r, &factors[1] * &r], [p.clone(), q.clone()]);
        let ledger = ledger([&n, &p, &q], &factors[1], (&n * &r).bits().next_multiple_of(64));
        for modulo in [P, Q] {
            ledger.book().moduli[modulo].add_constant(&r, 0);
        }
        let owner = owner.observed_by([N, P, Q].map(|modulo| ledger.listener(modulo)));
        Self { owner, ledger, factors, orders, r }
    }

    /// The reduced forms of an exponent of `bits` bits for each order.
    fn exponents(&self, e: &BigUint, bits: u32) -> [BigUint; 2] {
        let longest = self.factors.iter().map(BigUint::bits).max().unwrap() + 1;
        self.orders.each_ref().map(|order| match u64::from(bits) <= longest || e < order {
            true => e.clone(),
            false => e % order + order,
        })
    }

    /// Checks that the power is recombined from x^e for each factor, and that the fault check reads
    /// the right values. Returns the values, which contain the weights of the look-ups.
    fn check(&self, x: &BoxedUint, e: &BigUint, bits: u32, sign: Option<bool>, what: &str) -> Vec<Value> {
        let n = &self.factors[0] * &self.factors[1];
        let widest = &n * &self.r;
        // A base that is declared too long is reduced; one with an inverse has the greatest length.
        let longest = widest.bits().next_multiple_of(64) as u32;
        let is_long = x.bits_precision() as u64 > widest.bits().div_ceil(64) * 64;
        let mut given = vec![(big(x), x.bits_precision())];
        if is_long {
            given = vec![(big(x) % &widest, longest)];
        }
        if sign.is_some() {
            given[0].1 = longest;
            given.push((given[0].0.modinv(&n).unwrap(), longest));
        }
        let mut book = self.ledger.book();
        book.begin();
        book.given = given;
        drop(book);
        let e_boxed = exponent(e, bits);
        let exponent =
            sign.map_or_else(|| SignedExponent::from(&e_boxed), |sign| SignedExponent::new(sign, &e_boxed));
        let result = big(&self.owner.pow(x, exponent).unwrap());

        let book = self.ledger.book();
        let base = Number::Given(usize::from(sign == Some(true)));
        let exponents = self.exponents(e, bits);
        let [of_p, of_q] = &exponents;
        assert!(book.has_halves(0, base, &self.factors[1], [of_p, of_q]), "{what}: the halves");
        // S, the released number.
        assert_eq!(book.stored_as(2, N), book.recombined(0, &self.factors[1]), "{what}: recombination");
        assert_eq!(book.stored[2].number, result, "{what}: another number is released");
        // The check reads both powers, and reads that r·(S − power) is 0 modulo each half, up to
        // the factor of loaded numbers.
        for (half, modulo) in [P, Q].into_iter().enumerate() {
            let at = 3 + 2 * half;
            let power = power(base, &exponents[half]);
            assert_eq!(book.stored_as(at, modulo), power, "{what}: what is checked");
            let modulus = &book.moduli[modulo].modulus;
            let apart = Value::from(Number::Stored(2)).minus(&power, modulus);
            let apart = Value::default().plus(&apart, &self.r, modulus).loaded(-1);
            assert_eq!(book.stored_as(at + 1, modulo), apart, "{what}: the difference");
            assert_eq!(book.stored[at + 1].number, BigUint::ZERO, "{what}");
        }
        // The check of the inverse.
        if sign.is_some() {
            let x = |i| power(Number::Given(i), &BigUint::from(1u32));
            assert_eq!(book.stored_as(7, N), x(0).times(&x(1), &n), "{what}: base and inverse");
            assert_eq!(book.stored[7].number, BigUint::from(1u32), "{what}");
        }
        assert_eq!(book.stored.len(), if sign.is_some() { 8 } else { 7 }, "{what}");
        book.stored.iter().map(|stored| stored.value.clone()).collect()
    }
}

#[test]
fn powers_by_the_factors() {
    alone(|| {
        for (lengths, k) in [([64, 64], 1), ([100, 192], 1), ([192, 70], 2), ([512, 512], 1)] {
            let owner = Owner::new(lengths, k);
            let bits = k * (lengths[0] + lengths[1]);
            let mut random = Random(u64::from(bits));
            let [of_p, of_q] = &owner.orders;
            for declared in [40, bits + 9] {
                let limit = ones(declared);
                // None below 2^8: otherwise L and the power modulo p, or a table entry, may have
                // the same words, and the ledger could not distinguish them.
                let exponents = [
                    BigUint::from(1u32) << 30,
                    of_p - 1u32,
                    of_p.clone(),
                    of_q.clone(),
                    limit.clone(),
                    random.below(declared),
                ];
                for (base_bits, sign) in [
                    (bits - 1, None),
                    (2 * bits + 200, None),
                    (bits - 1, Some(false)),
                    (bits - 1, Some(true)),
                ] {
                    let x = boxed(&random.below(base_bits)).resize(base_bits);
                    let what = format!("{lengths:?}, power {k}, {base_bits} bits, {declared}, {sign:?}");
                    let mut weights = None;
                    for e in exponents.iter().filter(|&e| *e <= limit) {
                        let found = owner.check(&x, e, declared, sign, &format!("{what}, {e}"));
                        let weights = weights.get_or_insert_with(|| found.clone());
                        assert!(*weights == found, "{what}: x^{e} is weighted otherwise");
                    }
                }
            }
        }
    });
}
