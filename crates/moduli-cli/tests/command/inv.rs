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
fn inverses_modulo_even_numbers_are_those_of_another_library() {
    for (digits, ending) in [(15, "2"), (17, "e"), (64, "4"), (63, "00000000000000008"), (1, "0000")] {
        let numbers = hex_numbers(digits as u64 + 70, 4, digits);
        let modulus = format!("{}{ending}", numbers[0]);
        let p = number(&modulus);
        for value in [&numbers[1], &format!("{}1", numbers[2]), &format!("{}3", numbers[3]), "0", "1"] {
            for vartime in [&[][..], &["--vartime"]] {
                for sign in ["", "-"] {
                    let signed = format!("{sign}{value}");
                    let arguments = ["inv", "--modulus", &modulus, "--value", &signed];
                    let run = moduli(arguments.iter().chain(vartime));
                    match number(value).modinv(&p) {
                        Some(inverse) => {
                            let expected = if sign.is_empty() { inverse } else { &p - inverse };
                            assert_eq!(run.ok().first(), expected.to_str_radix(16), "{signed} {modulus}");
                        }
                        None => drop(run.fails(1, &["not invertible"])),
                    }
                }
            }
        }
    }
    moduli(["inv", "--vartime", "--modulus", "18", "--value", "6"]).fails(1, &["common factor", "is 0x6"]);
    for algorithm in IN_RESIDUES {
        inv_by(algorithm, "8", "3", &[]).fails(1, &["the modulus is even; it must be odd"]);
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
    inv("0", "3").fails(1, &["modulus", "greater than 1"]);
    inv("1", "3").fails(1, &["modulus", "greater than 1"]);
    inv("7g", "3").fails(1, &["--modulus", "character 2", "'g'"]);
    inv("7", "").fails(1, &["--value", "empty"]);
    inv("7", "0").fails(1, &["not invertible modulo the modulus"]);
    inv("7", "7").fails(1, &["not invertible modulo the modulus"]);
    inv("f", "6").fails(1, &["not invertible modulo the modulus"]);
    moduli(["inv", "--vartime", "--modulus", "f", "--value", "6"]).fails(1, &["common factor", "is 0x3"]);
    moduli(["inv", "--vartime", "--modulus", "f", "--value", "0"]).fails(1, &["common factor", "is 0xf"]);
    moduli(["inv", "--modulus", "7"]).fails(2, &["--value"]);
    moduli(["inv", "--modulus", "7", "--value", "3", "--algorithm", "guess"]).fails(2, &["guess"]);
}

/// NIST P-256.
const P: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

/// The algorithms in residues for every modulus coprime to 6.
const IN_RESIDUES: [&str; 5] = ["binary", "binary-ternary", "wide", "jump", "divstep"];

fn inv_by(algorithm: &str, modulus: &str, value: &str, options: &[&str]) -> Run {
    let arguments = ["inv", "--algorithm", algorithm, "--modulus", modulus, "--value", value];
    moduli(arguments.iter().chain(options))
}

#[test]
fn inverses_in_residues_are_those_of_another_library() {
    // A prime, a product of two primes, a prime of four bits, and a longer one.
    let (product, long) = ("3ffffffffffffffdffffffe000000000000001", format!("7{}", "f".repeat(319)));
    for (modulus, value) in [(P, "123456789abcdef"), (product, "-fedcba"), ("d", "-2"), (&long, "7")] {
        let p = number(modulus);
        let inverse = number(value.trim_start_matches('-')).modinv(&p).unwrap();
        let expected = if value.starts_with('-') { p - inverse } else { inverse };
        for algorithm in IN_RESIDUES.into_iter().chain(["fermat"]) {
            if algorithm == "fermat" && modulus == product {
                inv_by(algorithm, modulus, value, &[]).fails(1, &["prime"]);
                continue;
            }
            for options in [&[][..], &["--width", "40"], &["--channels", "40"], &["--vartime"]] {
                let run = inv_by(algorithm, modulus, value, options).ok();
                assert_eq!(run.stdout, expected.to_str_radix(16) + "\n", "{algorithm} {options:?}");
            }
        }
    }
    for q in ["12", "120", "720"] {
        let run = inv_by("wide", P, "3", &["--wide-modulus", q]).ok();
        assert_eq!(run.stdout, number("3").modinv(&number(P)).unwrap().to_str_radix(16) + "\n");
    }
    for (algorithm, lengths) in [("jump", ["1", "20", "64"]), ("divstep", ["1", "20", "62"])] {
        for k in lengths {
            let run = inv_by(algorithm, P, "3", &["--jump-bits", k]).ok();
            assert_eq!(run.stdout, number("3").modinv(&number(P)).unwrap().to_str_radix(16) + "\n");
        }
    }
}

#[test]
fn counts_follow_the_result() {
    for algorithm in IN_RESIDUES {
        let run = inv_by(algorithm, P, "1234567", &["--count", "--channels", "8", "--width", "33"]).ok();
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(lines[0], number("1234567").modinv(&number(P)).unwrap().to_str_radix(16));
        assert_eq!(lines[1..3], ["channels 8", "width 33"]);
        let count = |name: &str| -> u64 {
            let line = lines.iter().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().parse().unwrap()
        };
        // Relative to n·ℓ = 8·256: half for the jump, 1.04 for division steps, otherwise about 1.1
        // to 2.4.
        assert!((1000..6000).contains(&count("EMM ")), "{algorithm}: {}", count("EMM "));
        assert_eq!(count("MAC ") > 0, ["jump", "divstep"].contains(&algorithm), "{algorithm}");
        assert!(count("EMA ") > 500 && count("Cox ") > 16 && count("outer iterations ") > 10);
        let json =
            inv_by(algorithm, P, "1234567", &["--json", "--channels", "8", "--width", "33"]).ok().json();
        assert_eq!(json["counts"]["emm"], count("EMM "));
        assert_eq!((&json["channels"], &json["width"]), (&8.into(), &33.into()));
        assert_eq!(json["algorithm"], algorithm);
    }
}

#[test]
fn what_residues_cannot_do_is_said() {
    for algorithm in IN_RESIDUES {
        inv_by(algorithm, P, "0", &[]).fails(1, &["not invertible"]);
        // Division steps are constant-time only, and do not report the factor.
        let factor: &[&str] = if algorithm == "divstep" { &[] } else { &["factor", "is 0x7"] };
        inv_by(algorithm, "23", "7", &["--vartime"]).fails(1, &[&["not invertible"], factor].concat());
        inv_by(algorithm, P, "3", &["--channels", "8", "--width", "32"]).fails(1, &["channels", "at least"]);
        inv_by(algorithm, P, "3", &["--channels", "0"]).fails(1, &["channels", "0"]);
        inv_by(algorithm, P, "3", &["--width", "65"]).fails(1, &["width", "65"]);
        inv_by(algorithm, P, "3", &["--width", "0"]).fails(1, &["width: 0; it must be from 8 to 64"]);
        inv_by(algorithm, P, "3", &["--channels", "99999999999"]).fails(1, &["channels"]);
    }
    inv_by("binary-ternary", "f", "2", &[]).fails(1, &["3"]);
    inv_by("wide", "f", "2", &[]).fails(1, &["factor 3", "144"]);
    inv_by("wide", P, "2", &["--wide-modulus", "7"]).fails(1, &["Q", "7"]);
    inv_by("jump", P, "2", &["--jump-bits", "65"]).fails(1, &["jump bits", "65"]);
    inv_by("jump", P, "2", &["--jump-bits", "0"]).fails(1, &["jump bits", "0"]);
    inv_by("divstep", P, "2", &["--jump-bits", "63"]).fails(1, &["jump bits", "63", "1 to 62"]);
    inv_by("divstep", P, "2", &["--width", "33", "--jump-bits", "33"]).fails(1, &["jump bits", "1 to 32"]);
    inv_by("divstep", P, "2", &["--jump-bits", "0"]).fails(1, &["jump bits", "0"]);
    inv_by("fermat", P, "0", &[]).fails(1, &["not invertible"]);
    inv_by("binary", P, "2", &["--wide-modulus", "12"]).fails(2, &["--wide-modulus"]);
    inv_by("binary", P, "2", &["--jump-bits", "12"]).fails(2, &["--jump-bits"]);
    inv_by("auto", P, "2", &["--width", "12"]).fails(2, &["--width"]);
    inv_by("auto", P, "2", &["--channels", "12"]).fails(2, &["--channels requires"]);
    inv_by("auto", P, "2", &["--count"]).fails(2, &["--count"]);
}
