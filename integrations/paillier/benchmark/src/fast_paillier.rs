//! Benchmark of fast-paillier, with keys of 3072 bits, as it generates. Each round has new nonces and
//! exponents, the same for both.

mod timing;

use rand_core::SeedableRng;
use rand_dev::DevRng;
use std::array::from_fn;

macro_rules! operations {
    ($library:ident) => {{
        use $library::{DecryptionKey, backend::Integer};
        type Compute = fn(&DecryptionKey, [&Integer; 4]) -> Option<Integer>;
        let mut random = DevRng::from_seed([7; 32]);
        let key = DecryptionKey::from_primes(
            Integer::generate_prime(&mut random, 1536),
            Integer::generate_prime(&mut random, 1536),
        )
        .expect("two primes");
        let fixed: [Integer; 2] = from_fn(|_| Integer::sample_in_mult_group_of(&mut random, key.n()));
        let mut operation = |compute: Compute| {
            let (key, fixed, mut random) = (key.clone(), fixed.clone(), random.fork());
            let compute = move || {
                let fresh: [Integer; 2] = from_fn(|_| Integer::sample_in_mult_group_of(&mut random, key.n()));
                compute(&key, [&fresh[0], &fresh[1], &fixed[0], &fixed[1]]).expect("defined").to_string()
            };
            Box::new(compute) as Box<dyn FnMut() -> String>
        };
        [
            operation(|key, [nonce, x, ..]| key.encryption_key().encrypt_with(&(x >> 1u32), nonce).ok()),
            operation(|key, [nonce, x, ..]| key.encrypt_with(&(x >> 1u32), nonce).ok()),
            operation(|key, [x, y, ..]| key.decrypt(&(x * y)).ok()),
            operation(|key, [x, _, c, _]| key.encryption_key().omul(x, c).ok()),
            operation(|key, [x, y, s, t]| key.n().combine(s, x, t, y)),
        ]
    }};
}

const NAMES: [&str; 5] =
    ["encrypt", "encrypt with the factors", "decrypt", "product with a scalar", "s^x·t^y"];

fn main() {
    let both = operations!(fast_paillier_as_it_is).into_iter().zip(operations!(fast_paillier_with_moduli));
    timing::compare(NAMES.into_iter().zip(both).collect());
}
