//! RSA's private operation, single and in batches.
//!
//! With blinding by r, x = c·r^e is raised modulo p and q, recombined, and multiplied by r^(−1).
//! The check raises the released number to e and compares the result with c.

use moduli::scheme::rsa::PrivateKey;
use num_bigint::{BigInt, BigUint};
use testing::{Random, all, big, boxed};

use super::{
    ledger::{Book, Ledger},
    observed::alone,
    recombined::{N, P, Q, ledger, power},
    value::{Number, Power, Unknown},
};
use crate::rsa::support::{Constant, Numbers};

/// A key with a ledger. The first input is the number from which the blinding is drawn.
struct Key {
    numbers: Numbers,
    key: PrivateKey,
    ledger: Ledger,
    blind: bool,
}

/// The byte that a generator repeats.
const DRAWN: u8 = 0x5a;

impl Key {
    fn new(bits: [u32; 2], blind: bool) -> Self {
        let numbers = Numbers::new(bits[0], bits[1], 65_537);
        let ledger = ledger([&numbers.n, &numbers.p, &numbers.q], &numbers.q, numbers.n.bits());
        let key = numbers.private().unwrap().with_exponent_blinding(blind);
        let key = key.observed_by([N, P, Q].map(|modulo| ledger.listener(modulo)));
        Self { numbers, key, ledger, blind }
    }

    /// The blinded exponents modulo p and q.
    fn exponents(&self, drawn: u8) -> [BigUint; 2] {
        let random = if self.blind { u64::from_le_bytes([drawn; 8]) } else { 0 };
        let Numbers { d, p, q, .. } = &self.numbers;
        [p, q].map(|prime| d % (prime - 1u32) + (prime - 1u32) * random)
    }

    /// Begins an operation on these values with this drawn byte.
    fn begin(&self, values: &[BigUint], drawn: u8) {
        let bits = self.numbers.n.bits() as u32;
        let wide = BigUint::from_bytes_le(&vec![drawn; (bits + 64).div_ceil(8) as usize]);
        let mut book = self.ledger.book();
        book.begin();
        book.given = vec![(wide, bits + 64)];
        book.given.extend(values.iter().map(|value| (value.clone(), bits)));
    }

    /// Checks that value i, blinded by r^(2^i), was stored at index `x`, and the numbers derived
    /// from it from `low` on.
    fn check(&self, book: &Book, i: usize, [x, low]: [usize; 2], drawn: u8, result: &BigUint, what: &str) {
        let Numbers { n, e, q, .. } = &self.numbers;
        let blinder = BigUint::from(1u32) << i;
        let blinded = power(Number::Given(1 + i), &BigUint::from(1u32));
        let blinded = blinded.times(&power(Number::Given(0), &(&blinder * e)), n);
        assert_eq!(book.stored_as(x, N), blinded, "{what}: blinding");
        let [of_p, of_q] = self.exponents(drawn);
        assert!(book.has_halves(low, Number::Stored(x), q, [&of_p, &of_q]), "{what}: the halves");
        let inverse =
            Power::default().times(&Power::of(Unknown::Number(Number::Given(0))), &-BigInt::from(blinder));
        let released = book.recombined(low, q).times(&inverse.into(), n);
        assert_eq!(book.stored_as(low + 2, N), released, "{what}: recombination");
        assert_eq!(book.stored[low + 2].number, *result, "{what}: another number is released");
        assert_eq!(book.stored_as(low + 3, N), power(Number::Stored(low + 2), e), "{what}: the check");
        assert_eq!(book.stored[low + 3].number, book.given[1 + i].0, "{what}: what is compared");
    }
}

const KEYS: [[u32; 2]; 3] = [[512, 512], [700, 324], [300, 724]];

#[test]
fn private_operations() {
    alone(|| {
        for bits in KEYS {
            for blind in [false, true] {
                let mut weights = None;
                // Different r and, with `blind`, different exponents; and extreme values.
                for drawn in [DRAWN, 1, 0xff] {
                    let key = Key::new(bits, blind);
                    let n = &key.numbers.n;
                    let value = match drawn {
                        DRAWN => Random(1).modulo(n),
                        1 => n - 1u32,
                        _ => BigUint::from(1u32),
                    };
                    key.begin(std::slice::from_ref(&value), drawn);
                    let what = format!("{bits:?}, exponents blinded: {blind}, drawn {drawn}");
                    let result = key.key.decrypt_raw(&mut Constant(Some(drawn)), &boxed(&value)).unwrap();
                    let book = key.ledger.book();
                    key.check(&book, 0, [0, 1], drawn, &big(&result), &what);
                    assert_eq!(book.stored.len(), 5, "{what}");
                    let found: Vec<_> = book.stored.iter().map(|stored| stored.value.clone()).collect();
                    let weights = weights.get_or_insert_with(|| found.clone());
                    assert!(*weights == found, "{what}: weighted otherwise");
                }
            }
        }
    });
}

#[test]
fn batches_of_private_operations() {
    alone(|| {
        for bits in KEYS {
            let key = Key::new(bits, true);
            let Numbers { p, q, n, .. } = &key.numbers;
            let lanes = [p, q].map(|prime| moduli::Modulus::new(&boxed(prime)).unwrap().lanes());
            let lanes = lanes[0].min(lanes[1]);
            let mut random = Random(3);
            let values: Vec<_> = (0..lanes.max(3)).map(|_| random.modulo(n)).collect();
            key.begin(&values, DRAWN);
            let boxed: Vec<_> = values.iter().map(boxed).collect();
            let results = all(key.key.decrypt_raw_batch(&mut Constant(Some(DRAWN)), &boxed));
            let book = key.ledger.book();
            for (i, result) in results.iter().enumerate() {
                let what = format!("{bits:?}, value {i} of {lanes}");
                // Without lanes, all numbers of one operation come before those of the next.
                let places = if lanes > 1 { [i, lanes + 4 * i] } else { [5 * i, 5 * i + 1] };
                key.check(&book, i, places, DRAWN, &big(result), &what);
            }
        }
    });
}
