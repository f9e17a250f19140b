//! Benchmark of rust_ev_crypto_primitives, with a modulus of 3072 bits, as in elections. Each round has new
//! numbers, the same for both. Proofs of random numbers are invalid, but verifying them takes as long.

mod timing;

use moduli::groups::Group;
use rug::{Integer, rand::RandState};

/// The number of powers in a product.
const ROWS: usize = 100;
/// The number of plaintexts in a decryption.
const PLAINTEXTS: usize = 5;

macro_rules! operations {
    ($library:ident) => {{
        use $library::{
            OperationsTrait,
            elgamal::{Ciphertext, EncryptionParameters},
            zero_knowledge_proofs::{verify_decryption, verify_schnorr},
        };
        let group = Group::named("ffdhe3072").expect("a group");
        let p =
            Integer::from_str_radix(&group.modulus().to_string_radix_vartime(16), 16).expect("hexadecimal");
        let q = Integer::from(&p >> 1u32);
        let g = Integer::from(4);
        let operation =
            |seed: u32, compute: fn(&EncryptionParameters, &mut dyn FnMut() -> Integer) -> String| {
                let ep = EncryptionParameters::from((&p, &q, &g));
                let mut random = RandState::new();
                random.seed(&Integer::from(seed));
                let compute = move || {
                    let q = ep.q().clone();
                    compute(&ep, &mut || Integer::from(q.random_below_ref(&mut random)))
                };
                Box::new(compute) as Box<dyn FnMut() -> String>
            };
        [
            operation(1, |ep, random| random().mod_exponentiate(&random(), ep.p()).expect("odd").to_string()),
            operation(2, |ep, random| {
                let [bases, exponents] = [(); 2].map(|()| (0..ROWS).map(|_| random()).collect::<Vec<_>>());
                Integer::mod_multi_exponentiate(&bases, &exponents, ep.p()).expect("odd").to_string()
            }),
            operation(3, |ep, random| {
                let [e, z, y] = [256, 4096, 4096].map(|bits| random().keep_bits(bits));
                verify_schnorr(ep, (&e, &z), &y, &["benchmark"]).expect("well-formed").to_string()
            }),
            operation(4, |ep, random| {
                let [phis, keys, plain, z] =
                    [(); 4].map(|()| (0..PLAINTEXTS).map(|_| random()).collect::<Vec<_>>());
                let (c, e) = (Ciphertext::from_expanded(&random(), &phis), random().keep_bits(256));
                verify_decryption(ep, &c, &keys, &plain, &[], (&e, &z)).expect("well-formed").to_string()
            }),
        ]
    }};
}

const NAMES: [&str; 4] =
    ["x^e", "product of 100 powers", "verify a Schnorr proof", "verify a decryption of 5 plaintexts"];

fn main() {
    let both = operations!(rust_ev_as_it_is).into_iter().zip(operations!(rust_ev_with_moduli));
    timing::compare(NAMES.into_iter().zip(both).collect());
}
