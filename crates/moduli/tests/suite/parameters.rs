//! Compares generation and verification of DSA domain parameters with an independent derivation and
//! the named groups. `nist_parameters.rs` contains NIST's vectors.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    groups::Group,
    primality::is_probable_prime_vartime,
    scheme::parameters::{DsaParameters, generate, validate, verify_primes},
};
use num_bigint::BigUint;
use sha2::{Digest, Sha512};
use testing::{big, boxed};

fn named(name: &str) -> DsaParameters {
    DsaParameters::of_group(&Group::named(name).unwrap()).unwrap()
}

fn reason<T>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Key(error)) => error.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    }
}

/// Steps 6 to 11 of A.1.1.2 and A.2.3, implemented independently with num-bigint: q, p for a
/// counter, g for count = 1.
fn derive(modulus_bits: usize, order_bits: usize, seed: &[u8], counter: usize) -> [BigUint; 3] {
    let one = BigUint::from(1u32);
    let hash = |text: &[u8]| BigUint::from_bytes_be(&Sha512::digest(text));
    let q: BigUint = (&one << (order_bits - 1)) | (hash(seed) % (&one << (order_bits - 1))) | &one;
    let blocks = modulus_bits.div_ceil(512);
    let mut w = BigUint::ZERO;
    for block in 0..blocks {
        let text: BigUint = BigUint::from_bytes_be(seed) + (1 + counter * blocks + block);
        w += hash(&text.to_bytes_be()) << (512 * block);
    }
    let top: BigUint = &one << (modulus_bits - 1);
    let x = w % &top + &top;
    let p: BigUint = &x - (&x % (&q * 2u32)) + 1u32;
    let cofactor: BigUint = (&p - 1u32) / &q;
    let g = hash(&[seed, b"ggen\x01\x00\x01"].concat()).modpow(&cofactor, &p);
    [q, p, g]
}

#[test]
fn derivation_agrees_with_an_independent_one() {
    let sizes = [(256, 160), (576, 161), (640, 512), (1088, 167), (1536, 511)];
    let unusual = sizes.map(|(modulus_bits, order_bits)| {
        let parameters = generate(modulus_bits, order_bits, b"unusual").unwrap();
        parameters.verify().unwrap();
        (modulus_bits, order_bits, parameters)
    });
    let named = [(1024, 160), (2048, 224), (2048, 256), (3072, 256)].map(|(modulus_bits, order_bits)| {
        (modulus_bits, order_bits, named(&format!("dsa-{modulus_bits}-{order_bits}")))
    });
    for (modulus_bits, order_bits, found) in unusual.into_iter().chain(named) {
        assert_eq!((found.p.bits_vartime(), found.q.bits_vartime()), (modulus_bits, order_bits));
        let derived = derive(modulus_bits as usize, order_bits as usize, &found.seed, found.counter as usize);
        assert_eq!(derived, [&found.q, &found.p, &found.g].map(big));
    }
}

#[test]
fn named_groups_come_from_their_seeds() {
    for group in Group::all().unwrap().iter().filter(|group| group.name().starts_with("dsa-")) {
        let parameters = DsaParameters::of_group(group).unwrap();
        parameters.verify_derivation().unwrap();
        let text = format!("moduli DSA {}/{}", parameters.p.bits_vartime(), parameters.q.bits_vartime());
        let attempt = (0u32..4000).find(|attempt| {
            parameters.seed[..]
                == Sha512::new().chain_update(&text).chain_update(attempt.to_be_bytes()).finalize()[..]
        });
        assert!(attempt.is_some(), "{}", group.name());
    }
    assert!(DsaParameters::of_group(&Group::named("ffdhe2048").unwrap()).is_none());
}

#[test]
fn named_groups_are_generated_again() {
    for (modulus_bits, order_bits) in [(1024, 160), (2048, 224), (2048, 256)] {
        let text = format!("moduli DSA {modulus_bits}/{order_bits}");
        let generated = generate(modulus_bits, order_bits, text.as_bytes()).unwrap();
        assert_eq!(generated, named(&format!("dsa-{modulus_bits}-{order_bits}")));
    }
}

#[test]
#[ignore = "half a minute on one core"]
fn a_large_named_group_is_generated_again() {
    assert_eq!(generate(3072, 256, b"moduli DSA 3072/256").unwrap(), named("dsa-3072-256"));
}

#[test]
#[ignore = "an hour on one core: every candidate before the primes of 7680 and 15360 bits"]
fn all_named_groups_are_verified() {
    for group in Group::all().unwrap() {
        if let Some(parameters) = DsaParameters::of_group(&group) {
            parameters.verify().unwrap();
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..8u8).map(|i| generate(512, 160, &[i]).unwrap()).collect::<Vec<_>>())
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert_eq!(one, run(16));
    for parameters in one {
        parameters.verify().unwrap();
    }
}

#[test]
fn sizes_out_of_range_are_named() {
    for (modulus_bits, order_bits) in [
        (1024, 159),
        (1024, 513),
        (1024, 0),
        (1000, 160),
        (192, 160),
        (0, 160),
        (65_600, 256),
        (u32::MAX, 256),
    ] {
        assert!(matches!(generate(modulus_bits, order_bits, b""), Err(Error::Parameter(_))));
    }
}

#[test]
fn altered_parameters_are_refused() {
    let good = named("dsa-1024-160");
    good.verify().unwrap();
    let altered = |change: &dyn Fn(&mut DsaParameters)| {
        let mut parameters = good.clone();
        change(&mut parameters);
        reason(parameters.verify())
    };
    let two = BoxedUint::from(2u64);
    assert_eq!(altered(&|x| x.seed[63] ^= 1), "q does not come from the seed");
    assert_eq!(altered(&|x| x.seed.truncate(19)), "the domain parameter seed is shorter than q");
    assert_eq!(altered(&|x| x.q = x.q.wrapping_add(&two)), "q does not come from the seed");
    assert_eq!(altered(&|x| x.p = x.p.wrapping_add(&two)), "p does not come from the seed at this counter");
    assert_eq!(altered(&|x| x.counter += 1), "p does not come from the seed at this counter");
    assert!(altered(&|x| x.counter = u32::MAX).starts_with("the counter"));
    assert_eq!(altered(&|x| x.g = x.g.wrapping_add(&two)), "g does not come from the seed");
    assert!(altered(&|x| x.p = BoxedUint::zero()).starts_with("modulus bits"));
    assert!(altered(&|x| x.q = BoxedUint::zero()).starts_with("order bits"));
}

#[test]
fn an_earlier_or_missing_prime_is_found() {
    // Every counter gives some p; only the one of the first prime is right.
    let good = generate(512, 160, b"counters").unwrap();
    let seed = good.seed.clone();
    verify_primes(&good.p, &good.q, &seed, good.counter).unwrap();
    let derived = |counter: u32| boxed(&derive(512, 160, &seed, counter as usize)[1]);
    assert_eq!(derived(good.counter), good.p);
    let mut reasons = [0; 2];
    for counter in 0..good.counter + 20 {
        if counter == good.counter || derived(counter).bits_vartime() != 512 {
            continue;
        }
        match reason(verify_primes(&derived(counter), &good.q, &seed, counter)).as_str() {
            "p is not prime" if counter < good.counter => reasons[0] += 1,
            "an earlier counter gives a prime" if counter > good.counter => reasons[1] += 1,
            other => panic!("{counter}: {other}"),
        }
    }
    assert!(reasons[1] > 0);
}

#[test]
fn foreign_parameters_are_validated() {
    let DsaParameters { p, q, g, .. } = named("dsa-1024-160");
    validate(&p, &q, &g).unwrap();
    let (one, two) = (BoxedUint::one(), BoxedUint::from(2u64));
    assert_eq!(reason(validate(&p, &q, &one)), "g is not in 2..p");
    assert_eq!(reason(validate(&p, &q, &p)), "g is not in 2..p");
    assert_eq!(reason(validate(&p, &q, &p.wrapping_add(&g))), "g is not in 2..p");
    assert_eq!(reason(validate(&p, &q, &p.wrapping_sub(&one))), "g does not have order q");
    assert_eq!(reason(validate(&p, &q, &two)), "g does not have order q");
    assert_eq!(reason(validate(&p, &q.wrapping_add(&two), &g)), "q does not divide p - 1");
    assert!(reason(validate(&q, &q, &g)).starts_with("p has 160 bits"));
    assert!(reason(validate(&p, &two, &g)).starts_with("q has 2 bits"));
    assert!(reason(validate(&p, &BoxedUint::zero(), &g)).starts_with("q has 0 bits"));
    assert!(reason(validate(&p, &p, &g)).starts_with("q has 1024 bits"));
    assert_eq!(reason(validate(&p, &(q.concatenating_add(&q)), &g)), "q is not prime");
    assert_eq!(reason(validate(&p.wrapping_add(&one), &q, &g)), "p is even");
    // A composite p with q | p − 1 and g of order q: the square of a prime f = k·q + 1, g = 2^(f·k).
    let composite = {
        let q = big(&q);
        let mut k = BigUint::from(2u32) << 400u32;
        loop {
            let f = &k * &q + 1u32;
            if is_probable_prime_vartime(&boxed(&f), 20) {
                let square = &f * &f;
                break (square.clone(), BigUint::from(2u32).modpow(&(&f * &k), &square));
            }
            k += 2u32;
        }
    };
    let (p, g) = (boxed(&composite.0), boxed(&composite.1));
    assert_eq!(reason(validate(&p, &q, &g)), "p is not prime");
}
