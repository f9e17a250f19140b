//! `moduli groups`.

use num_bigint::BigUint;

use crate::support::{Run, moduli};

fn number(run: &Run, name: &str) -> BigUint {
    let line = run.stdout.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
    BigUint::parse_bytes(line.as_bytes(), 16).unwrap()
}

/// q | p − 1 and g^q = 1 ≠ g.
fn is_group(run: &Run) {
    let (p, q, g) = (number(run, "p"), number(run, "q"), number(run, "g"));
    let one = BigUint::from(1u8);
    assert_eq!((&p - &one) % &q, BigUint::ZERO);
    assert_ne!(g, one);
    assert_eq!(g.modpow(&q, &p), one);
}

#[test]
fn groups_are_listed_with_their_sizes() {
    let run = moduli(["groups"]).ok();
    for (name, modulus_bits, order_bits, safe) in [
        ("ffdhe2048", "2048", "2047", "yes"),
        ("modp8192", "8192", "8191", "yes"),
        ("electionguard-v2.1", "4096", "256", "no"),
        ("dsa-3072-256", "3072", "256", "no"),
    ] {
        let line = run.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((words[1], words[2], words[4]), (modulus_bits, order_bits, safe), "{line}");
    }
    let json = moduli(["groups", "--json"]).ok().json();
    assert_eq!(json.as_array().unwrap().len(), run.stdout.lines().count() - 1);
    assert_eq!(json[0]["name"], "ffdhe2048");
    assert_eq!(json[0]["safe_prime"], true);
}

#[test]
fn a_group_is_printed() {
    for name in ["dsa-1024-160", "electionguard-v2.1", "modp1536"] {
        let run = moduli(["groups", name]).ok();
        is_group(&run);
        let json = moduli(["--json", "groups", name]).ok().json();
        assert_eq!(json["p"].as_str().unwrap(), number(&run, "p").to_str_radix(16));
    }
}

#[test]
fn parameters_are_generated_reproducibly() {
    let generate = |seed: &str| {
        moduli(["groups", "generate", "--modulus-bits", "512", "--order-bits", "160", "--seed", seed]).ok()
    };
    let run = generate("a seed");
    is_group(&run);
    assert_eq!((number(&run, "p").bits(), number(&run, "q").bits()), (512, 160));
    assert_eq!(run.stdout, generate("a seed").stdout);
    assert_ne!(run.stdout, generate("another seed").stdout);
}

#[test]
fn bad_requests_are_errors() {
    moduli(["groups", "nonesuch"]).fails(1, &["nonesuch", "ffdhe2048"]);
    moduli(["groups", "generate", "--modulus-bits", "512", "--order-bits", "12", "--seed", "x"])
        .fails(1, &["160"]);
    moduli(["groups", "generate", "--modulus-bits", "512", "--seed", "x"]).fails(2, &["--order-bits"]);
    moduli(["groups", "modp1536", "generate"]).fails(2, &[]);
}
