//! Benchmark of paillier-zk: proofs that a plaintext is in a range, and of an affine operation, with keys of
//! 3072 bits. Each round has new proofs, the same for both.

mod timing;

use generic_ec::{Point, curves::Secp256k1};
use rand_core::SeedableRng;
use rand_dev::DevRng;
use sha2::Sha256;
use std::{cell::Cell, rc::Rc};

/// Leaks a value, so that it lives until the program ends.
fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Operations that prove by a proof's module, and verify the last proof.
macro_rules! proof {
    ($random:ident, $aux:expr, $data:expr, $secret:expr, $security:expr, $prove:expr, $verify:expr) => {{
        let (mut random, security) = ($random.fork(), forever($security));
        let last = Rc::new(Cell::new(None));
        let proved = last.clone();
        let prove = move || {
            let proof = $prove(&"state", $aux, $data, $secret, security, &mut random).expect("a proof");
            let text = format!("{proof:?}");
            proved.set(Some(proof));
            text
        };
        let verify = move || {
            let proof = last.take().expect("proved before");
            $verify(&"state", $aux, $data, security, &proof).expect("a proof that holds");
            String::new()
        };
        [Box::new(prove) as Box<dyn FnMut() -> String>, Box::new(verify)]
    }};
}

macro_rules! operations {
    ($library:ident) => {{
        use $library::{
            IntegerExt, backend::Integer, fast_paillier::DecryptionKey,
            paillier_affine_operation_in_range as affine, paillier_encryption_in_range as range,
        };
        let mut random = DevRng::from_seed([7; 32]);
        let [key, other, ring] = [(); 3].map(|()| {
            let [p, q] = [(); 2].map(|()| Integer::generate_prime(&mut random, 1536));
            forever(DecryptionKey::from_primes(p, q).expect("two primes").encryption_key().clone())
        });
        let n = ring.n();
        let t = Integer::sample_in_mult_group_of(&mut random, n).square().modulo(n);
        let s = t.pow_mod_ref(&Integer::sample_in_mult_group_of(&mut random, n), n).expect("positive");
        let aux = forever(affine::Aux { s, t, rsa_modulo: n.clone(), multiexp: None, crt: None });
        let [x, y] = [-12345, 67890].map(|x| forever(Integer::from(x)));
        let point = forever(Point::<Secp256k1>::generator() * x.to_scalar::<Secp256k1>());
        let (of_x, nonce) = forever(key.encrypt_with_random(&mut random, x).expect("in range"));
        let (of_y, nonce_y) = forever(other.encrypt_with_random(&mut random, y).expect("in range"));
        let sum =
            key.oadd(&key.omul(x, of_x).expect("in range"), &key.encrypt_with(y, nonce).expect("in range"));
        let sum = forever(sum.expect("in range"));

        let q = Integer::curve_order::<Secp256k1>();
        let [a, b] = proof!(
            random,
            aux,
            range::Data { key, ciphertext: of_x },
            range::PrivateData { plaintext: x, nonce },
            range::SecurityParams { l: 256, epsilon: 512, q },
            range::non_interactive::prove::<Sha256>,
            range::non_interactive::verify::<Sha256>
        );
        let [c, d] = proof!(
            random,
            aux,
            affine::Data { key_j: key, key_i: other, c: of_x, d: sum, y: of_y, x: point },
            affine::PrivateData { x, y, nonce, nonce_y },
            affine::SecurityParams { l_x: 256, l_y: 1280, epsilon: 512 },
            affine::non_interactive::prove::<Secp256k1, Sha256>,
            affine::non_interactive::verify::<Secp256k1, Sha256>
        );
        [a, b, c, d]
    }};
}

const NAMES: [&str; 4] =
    ["prove a range", "verify a range", "prove an affine operation", "verify an affine operation"];

fn main() {
    let both = operations!(paillier_zk_as_it_is).into_iter().zip(operations!(paillier_zk_with_moduli));
    timing::compare(NAMES.into_iter().zip(both).collect());
}
