//! `moduli inv`.

use num_bigint::BigUint;

use crate::support::{Run, hex_numbers, moduli, moduli_with};

fn inv(modulus: &str, value: &str) -> Run {
    moduli(["inv", "--modulus", modulus, "--value", value])
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

#[test]
fn inverses_are_those_of_another_library() {
    for digits in [1, 16, 17, 64, 300] {
        let numbers = hex_numbers(digits as u64, 3, digits);
        let modulus = format!("{}b", numbers[0]);
        for value in &numbers[1..] {
            let plain = inv(&modulus, value);
            let public = moduli(["inv", "--vartime", "--modulus", &modulus, "--value", value]);
            match number(value).modinv(&number(&modulus)) {
                Some(inverse) => {
                    let expected = inverse.to_str_radix(16) + "\n";
                    assert_eq!((plain.ok().stdout, public.ok().stdout), (expected.clone(), expected));
                }
                None => {
                    plain.fails(1, &["not invertible"]);
                    public.fails(1, &["not invertible", "common factor"]);
                }
            }
        }
    }
}

#[test]
fn numbers_are_written_in_every_way() {
    assert_eq!(inv("0xF1", "0X02").ok().stdout, "79\n");
    assert_eq!(inv("7", "3").ok().stdout, "5\n");
    assert_eq!(inv("7", "-3").ok().stdout, "2\n");
    assert_eq!(inv("7", "a").ok().stdout, "5\n");
    assert_eq!(inv("7", "1").ok().stdout, "1\n");
    assert_eq!(inv("7", "-1").ok().stdout, "6\n");
    assert_eq!(moduli_with(["inv", "--modulus", "7", "--value", "-"], "3\n").ok().stdout, "5\n");
}

#[test]
fn json_is_one_document() {
    let run = moduli(["inv", "--json", "--modulus", "7", "--value", "3"]).ok();
    assert_eq!(run.json()["result"], "5");
    assert_eq!(run.json()["algorithm"], "auto");
    assert_eq!(run.json()["modulus_bits"], 3);
}

#[test]
fn bad_numbers_are_named() {
    inv("8", "3").fails(1, &["modulus", "even"]);
    inv("0", "3").fails(1, &["modulus", "even"]);
    inv("1", "3").fails(1, &["modulus", "greater than 1"]);
    inv("7g", "3").fails(1, &["--modulus", "character 2", "'g'"]);
    inv("7", "").fails(1, &["--value", "empty"]);
    inv("7", "0").fails(1, &["not invertible modulo the modulus"]);
    inv("7", "7").fails(1, &["not invertible modulo the modulus"]);
    inv("f", "6").fails(1, &["not invertible modulo the modulus"]);
    moduli(["inv", "--vartime", "--modulus", "f", "--value", "6"]).fails(1, &["common factor", "is 3"]);
    moduli(["inv", "--vartime", "--modulus", "f", "--value", "0"]).fails(1, &["common factor", "is f"]);
    moduli(["inv", "--modulus", "7"]).fails(2, &["--value"]);
    moduli(["inv", "--modulus", "7", "--value", "3", "--algorithm", "guess"]).fails(2, &["guess"]);
}
