//! `moduli powmod`.

use num_bigint::BigUint;

use crate::support::{hex_numbers, moduli, moduli_with};

fn powmod(modulus: &str, base: &str, exponent: &str) -> crate::support::Run {
    moduli(["powmod", "--modulus", modulus, "--base", base, "--exponent", exponent])
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

#[test]
fn powers_are_those_of_another_library() {
    for digits in [1, 16, 17, 64, 300] {
        let numbers = hex_numbers(digits as u64, 3, digits);
        let (modulus, base, exponent) = (format!("{}b", numbers[0]), &numbers[1], &numbers[2]);
        let expected = number(base).modpow(&number(exponent), &number(&modulus)).to_str_radix(16);
        for algorithm in ["auto", "square-multiply"] {
            let run = moduli([
                "powmod",
                "--modulus",
                &modulus,
                "--base",
                base,
                "--exponent",
                exponent,
                "--algorithm",
                algorithm,
            ])
            .ok();
            assert_eq!(run.stdout, format!("{expected}\n"), "{algorithm}");
        }
    }
}

#[test]
fn numbers_are_written_in_every_way() {
    assert_eq!(powmod("0xF1", "0X02", "-0x3").ok().first(), powmod("f1", "2", "-3").ok().first());
    assert_eq!(powmod("7", "3", "-1").ok().first(), "5");
    assert_eq!(powmod("7", "3", "0").ok().first(), "1");
    assert_eq!(powmod("7", "0", "0").ok().first(), "1");
    assert_eq!(powmod("7", "0", "5").ok().first(), "0");
    assert_eq!(powmod("7", "a", "1").ok().first(), "3");
    let run = moduli_with(["powmod", "--modulus", "7", "--base", "3", "--exponent", "-"], "-1\n").ok();
    assert_eq!(run.first(), "5");
}

#[test]
fn json_is_one_document() {
    let run = moduli(["powmod", "--json", "--modulus", "7", "--base", "3", "--exponent", "2"]).ok();
    assert_eq!(run.json()["result"], "2");
    assert_eq!(run.json()["algorithm"], "auto");
}

#[test]
fn bad_numbers_are_named() {
    powmod("8", "3", "1").fails(1, &["modulus", "even"]);
    powmod("0", "3", "1").fails(1, &["modulus", "even"]);
    powmod("1", "3", "1").fails(1, &["modulus", "greater than 1"]);
    powmod("7g", "3", "1").fails(1, &["--modulus", "character 2", "'g'"]);
    powmod("7", "", "1").fails(1, &["--base", "empty"]);
    powmod("7", "3", "--1").fails(1, &["--exponent", "'-'"]);
    powmod("f", "3", "-1").fails(1, &["not invertible"]);
    powmod(&"f".repeat(16385), "3", "1").fails(1, &["65540 bits", "65536"]);
    moduli(["powmod", "--modulus", "f", "--base", "3", "--exponent", "-1", "--algorithm", "square-multiply"])
        .fails(1, &["not invertible", "3"]);
}
