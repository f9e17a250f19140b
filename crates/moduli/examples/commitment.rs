//! Threshold ECDSA: the ring-Pedersen commitments s^x·t^y mod N of CGGMP21, with exponents of
//! either sign, and tables for s and t. `cargo run --release --example commitment`
//!
//! As in CGGMP21, N has 3072 bits, x has 2022 and y has 3558. A proof computes hundreds of such
//! commitments. Signs and numbers are secret.

use std::time::Instant;

use crypto_bigint::{BoxedUint, RandomBits};
use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::{Error, FixedBase, MemorySize, Modulus, MultiExponentiation, SignedExponent, groups::Group};

/// The lengths of x and y in bits.
const BITS: [u32; 2] = [2022, 3558];

fn main() -> Result<(), Error> {
    let mut random = UnwrapErr(SysRng);
    // In practice N is a product of two secret primes. Any odd number will do for the arithmetic;
    // this is the modulus of a group.
    let n = Modulus::new(Group::named("ffdhe3072")?.modulus())?;
    let bases = [0, 1].map(|_| BoxedUint::random_bits(&mut random, 3070));

    let started = Instant::now();
    let table = |i: usize| {
        FixedBase::builder(&n, &bases[i]).exponent_bits(BITS[i]).budget(MemorySize::mib(4)).build()
    };
    let (s, t) = (table(0)?, table(1)?);
    let product = MultiExponentiation::new([&s, &t])?;
    println!("two tables of {} in {:?}", s.table_bytes(), started.elapsed());

    let mut times = [0.0; 2];
    for round in 0..8 {
        let numbers = BITS.map(|bits| BoxedUint::random_bits(&mut random, bits));
        let signs = [round % 2 == 1, round / 2 % 2 == 1];
        let exponents = [0, 1].map(|i| SignedExponent::new(signs[i], &numbers[i]));

        // Constant-time in both numbers and both signs: −m is computed as (2^b − 1 − m) − (2^b −
        // 1), with one more product.
        let started = Instant::now();
        let commitment = product.pow(exponents)?;
        times[0] += started.elapsed().as_secs_f64();

        let started = Instant::now();
        let expected =
            n.mul(&n.pow_signed(&bases[0], exponents[0])?, &n.pow_signed(&bases[1], exponents[1])?);
        times[1] += started.elapsed().as_secs_f64();
        assert_eq!(commitment, expected);
    }
    let [with, without] = times.map(|seconds| 1000.0 * seconds / 8.0);
    println!("a commitment: {with:.2} ms with tables, {without:.2} without");
    Ok(())
}
