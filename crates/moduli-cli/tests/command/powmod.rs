//! `moduli powmod`.

use num_bigint::BigUint;

use crate::support::{command, finish, hex_numbers, moduli, moduli_with};

fn powmod(modulus: &str, base: &str, exponent: &str) -> crate::support::Run {
    moduli(["powmod", "--modulus", modulus, "--base", base, "--exponent", exponent])
}

fn powmod_by(modulus: &str, base: &str, exponent: &str, options: &[&str]) -> crate::support::Run {
    let numbers = ["powmod", "--modulus", modulus, "--base", base, "--exponent", exponent];
    moduli(numbers.iter().chain(options))
}

/// Every valid combination of options.
const METHODS: &[&[&str]] = &[
    &[],
    &["--algorithm", "auto"],
    &["--common-operand", "on"],
    &["--common-operand", "off", "--window", "3"],
    &["--algorithm", "square-multiply"],
    &["--algorithm", "square-multiply", "--common-operand", "off"],
    &["--algorithm", "ladder"],
    &["--algorithm", "ladder", "--common-operand", "on"],
    &["--algorithm", "right-to-left", "--window", "1"],
    &["--algorithm", "right-to-left", "--common-operand", "on"],
    &["--algorithm", "left-to-right", "--common-operand", "off", "--window", "6"],
    &["--algorithm", "left-to-right", "--window", "16"],
];

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

#[test]
fn powers_are_those_of_another_library() {
    for digits in [1, 16, 17, 64, 300] {
        let numbers = hex_numbers(digits as u64, 3, digits);
        let (modulus, base, exponent) = (format!("{}b", numbers[0]), &numbers[1], &numbers[2]);
        let expected = number(base).modpow(&number(exponent), &number(&modulus)).to_str_radix(16);
        for options in METHODS {
            let run = powmod_by(&modulus, base, exponent, options).ok();
            assert_eq!(run.stdout, format!("{expected}\n"), "{options:?}");
        }
    }
}

#[test]
fn powers_modulo_even_numbers_are_those_of_another_library() {
    for (digits, ending) in
        [(1, ""), (15, "2"), (17, "e"), (64, "4"), (63, "00000000000000008"), (0, "80000")]
    {
        let numbers = hex_numbers(digits as u64 + 90, 3, digits + ending.len());
        let modulus = format!("{}{ending}", &numbers[0][..digits]);
        let modulus = if digits == 1 { "2".to_owned() } else { modulus };
        let (p, e) = (number(&modulus), number(&numbers[2]));
        // Odd and even bases, and an inverse if it exists.
        for base in [&numbers[1], &format!("{}6", numbers[1]), &format!("{}7", numbers[1]), "0", "1"] {
            let x = number(base) % &p;
            let minus = (&p - &x) % &p;
            for (sign, x) in [("", &x), ("-", &minus)] {
                let base = format!("{sign}{base}");
                let expected = x.modpow(&e, &p).to_str_radix(16);
                assert_eq!(powmod(&modulus, &base, &numbers[2]).ok().first(), expected, "{base} {modulus}");
                let inverted = powmod(&modulus, &base, &format!("-{}", numbers[2]));
                match x.modinv(&p) {
                    Some(inverse) => {
                        assert_eq!(inverted.ok().first(), inverse.modpow(&e, &p).to_str_radix(16));
                    }
                    None => drop(inverted.fails(1, &["not invertible"])),
                }
            }
        }
    }
    let run = powmod_by("18", "5", "3", &["--json", "--algorithm", "auto"]).ok();
    assert_eq!((&run.json()["result"], &run.json()["secrecy"]), (&"5".into(), &"secret".into()));
    assert_eq!(
        (&run.json()["method"], &run.json()["modulus_bits"]),
        (&"Chinese remainders".into(), &5.into())
    );
    assert!(run.json().get("kernel").is_none());
    for options in METHODS.iter().skip(2) {
        powmod_by("8", "3", "1", options).fails(2, &[options[0], "even modulus"]);
    }
    powmod(&format!("{}0", "f".repeat(16384)), "3", "1").fails(1, &["65540 bits", "65536"]);
}

#[test]
fn numbers_are_written_in_every_way() {
    assert_eq!(powmod("0xF1", "0X02", "-0x3").ok().first(), powmod("f1", "2", "-3").ok().first());
    assert_eq!(powmod("7", "3", "-1").ok().first(), "5");
    assert_eq!(powmod("7", "3", "0").ok().first(), "1");
    assert_eq!(powmod("7", "0", "0").ok().first(), "1");
    assert_eq!(powmod("7", "0", "5").ok().first(), "0");
    assert_eq!(powmod("7", "a", "1").ok().first(), "3");
    for (base, exponent, expected) in
        [("-3", "1", "4"), ("-0x3", "-3", "1"), ("-a", "2", "2"), ("-7", "1", "0"), ("-0", "0", "1")]
    {
        for options in METHODS {
            assert_eq!(powmod_by("7", base, exponent, options).ok().first(), expected, "{base} {options:?}");
        }
    }
    let run = moduli_with(["powmod", "--modulus", "7", "--base", "3", "--exponent", "-"], "-1\n").ok();
    assert_eq!(run.first(), "5");
}

#[test]
fn json_is_one_document_and_names_the_method() {
    let run = moduli(["powmod", "--json", "--modulus", "7", "--base", "3", "--exponent", "2"]).ok();
    assert_eq!(run.json()["result"], "2");
    assert_eq!(run.json()["algorithm"], "auto");
    assert_eq!(run.json()["secrecy"], "secret");
    let modulus = "f".repeat(256);
    for (options, method, secrecy) in [
        (&["--algorithm", "ladder", "--common-operand", "on"][..], "ladder, common operand", "secret"),
        (
            &["--algorithm", "right-to-left", "--common-operand", "off", "--window", "4"],
            "right-to-left, window 4",
            "secret",
        ),
        (
            &["--algorithm", "left-to-right", "--common-operand", "on", "--window", "2"],
            "left-to-right, window 2, split ",
            "secret",
        ),
        (&["--algorithm", "square-multiply"], "square-multiply", "variable-time"),
    ] {
        let run = powmod_by(&modulus, "3", "2", &[&["--json"], options].concat()).ok();
        assert!(run.json()["method"].as_str().unwrap().starts_with(method), "{}", run.stdout);
        assert_eq!(run.json()["secrecy"], secrecy);
        assert_eq!(run.json()["result"], "9");
    }
}

#[test]
fn options_that_do_not_go_together_are_named() {
    for (options, status, parts) in [
        (&["--algorithm", "ladder", "--window", "4"][..], 2, ["--window", "ladder"]),
        (&["--algorithm", "square-multiply", "--window", "4"], 2, ["--window", "square-multiply"]),
        (
            &["--algorithm", "square-multiply", "--common-operand", "on"],
            2,
            ["--common-operand on", "square-multiply"],
        ),
        (&["--window", "0"], 1, ["window", "from 1 to 16"]),
        (&["--window", "17"], 1, ["window", "from 1 to 16"]),
        (&["--window", "4294967296"], 2, ["--window", "4294967296"]),
        (&["--common-operand", "maybe"], 2, ["--common-operand", "maybe"]),
        (&["--algorithm", "best"], 2, ["--algorithm", "best"]),
    ] {
        powmod_by("7", "3", "2", options).fails(status, &parts);
    }
    // The kernel determines how many words 7 occupies.
    let mut one_word = command();
    one_word.args(["powmod", "--modulus", "7", "--base", "3", "--exponent", "2"]);
    one_word
        .args(["--algorithm", "left-to-right", "--common-operand", "on"])
        .env("MODULI_KERNEL", "portable");
    finish(&mut one_word, b"").fails(1, &["common operand", "two words"]);
}

#[test]
fn bad_numbers_are_named() {
    powmod("0", "3", "1").fails(1, &["the modulus must be greater than 1"]);
    powmod("1", "3", "1").fails(1, &["modulus", "greater than 1"]);
    powmod("7g", "3", "1").fails(1, &["--modulus", "character 2", "'g'"]);
    powmod("7", "", "1").fails(1, &["--base", "empty"]);
    powmod("7", "3", "--1").fails(1, &["--exponent", "'-'"]);
    powmod("f", "3", "-1").fails(1, &["not invertible"]);
    powmod(&"f".repeat(16385), "3", "1").fails(1, &["65540 bits", "65536"]);
    moduli(["powmod", "--modulus", "f", "--base", "3", "--exponent", "-1", "--algorithm", "square-multiply"])
        .fails(1, &["not invertible", "3"]);
}
