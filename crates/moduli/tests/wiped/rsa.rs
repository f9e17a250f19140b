//! The keys of RSA, and the powers modulo p and q.

use crypto_bigint::BoxedUint;
use moduli::scheme::rsa::PrivateKey;
use num_bigint::BigUint;

use super::{Random, Secrets, all, big, boxed, nothing_is_left, random, turn};

struct Subject {
    n: BoxedUint,
    d: BoxedUint,
    primes: [BoxedUint; 2],
}

const E: u32 = 65_537;

impl Subject {
    fn new() -> Self {
        let mut random = Random(9);
        let (one, two) = (BigUint::from(1u32), BigUint::from(2u32));
        let primes = [0, 1].map(|_| {
            loop {
                let candidate = random.odd(1024) | &one << 1022;
                if two.modpow(&(&candidate - 1u32), &candidate) == one
                    && (&candidate - 1u32) % E != BigUint::ZERO
                {
                    return candidate;
                }
            }
        });
        let [p, q] = &primes;
        let d = BigUint::from(E).modinv(&((p - 1u32) * (q - 1u32))).unwrap();
        Self { n: boxed(&(p * q)), d: boxed(&d), primes: primes.map(|prime| boxed(&prime)) }
    }

    fn key(&self) -> PrivateKey {
        let [p, q] = &self.primes;
        PrivateKey::from_components(&self.n, &BoxedUint::from(E), &self.d, p, q).unwrap()
    }

    /// The numbers of the key, and the powers of m.
    fn secrets(&self, m: &BoxedUint) -> Secrets {
        let [p, q] = self.primes.each_ref().map(big);
        let inverse = boxed(&q.modinv(&p).unwrap());
        let mut secrets = Secrets::default().number("d", &self.d).number("1/q", &inverse);
        for (name, prime) in [("p", &p), ("q", &q)] {
            let exponent = big(&self.d) % (prime - 1u32);
            let power = boxed(&big(m).modpow(&exponent, prime));
            secrets = secrets
                .number(name, &boxed(prime))
                .number(&format!("{name} − 1"), &boxed(&(prime - 1u32)))
                .number(&format!("d modulo {name} − 1"), &boxed(&exponent))
                .number(&format!("the power modulo {name}"), &power);
        }
        let residue = boxed(&((big(&inverse) << 1024u32) % &p));
        secrets.number("1/q as a residue", &residue)
    }
}

#[test]
fn keys_and_private_operations() {
    let _turn = turn();
    let subject = Subject::new();
    let m = random(10, 2000);
    let secrets = subject.secrets(&m);
    nothing_is_left("a key", &secrets, || drop(subject.key()));
    for blind in [false, true] {
        for parallel in [false, true] {
            let key = subject.key().with_exponent_blinding(blind);
            let key = key.with_parallel_halves(parallel);
            let what = format!("blinded exponents: {blind}, in parallel: {parallel}");
            nothing_is_left(&what, &secrets, || key.sign_raw(&mut Random(11), &m).unwrap());
            nothing_is_left(&what, &secrets, || all(key.decrypt_raw_batch(&mut Random(11), [&m; 9])));
        }
    }
}
