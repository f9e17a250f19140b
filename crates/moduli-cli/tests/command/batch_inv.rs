//! `moduli batch-inv`.

use num_bigint::BigUint;

use crate::support::{Directory, Run, hex_numbers, moduli, moduli_with};

/// 2^255 − 19, which is prime.
const P: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";

fn batch(modulus: &str, input: &str) -> Run {
    moduli_with(["batch-inv", "--modulus", modulus], input)
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

fn inverse(value: &str) -> String {
    let p = number(P);
    let inverse = number(value.trim_start_matches('-')).modinv(&p).unwrap();
    if value.starts_with('-') { (p - inverse).to_str_radix(16) } else { inverse.to_str_radix(16) }
}

#[test]
fn inverses_are_those_of_another_library_in_order() {
    let mut values = hex_numbers(1, 20_000, 64);
    values.extend(hex_numbers(2, 100, 20).into_iter().map(|value| format!("-{value}")));
    values.extend(hex_numbers(3, 10, 100));
    let expected: String = values.iter().map(|value| inverse(value) + "\n").collect();
    let input = values.join("\n") + "\n";
    for options in [&[][..], &["--threads", "1"], &["--threads", "3"]] {
        let run = moduli_with(["batch-inv", "--modulus", P].iter().chain(options), &input).ok();
        assert!(run.stdout == expected, "{options:?}");
    }
    let directory = Directory::new();
    let file = directory.file("values", &input);
    let results = directory.join("results");
    let run = moduli(["batch-inv", "--modulus", P, "--input", &file, "--output", &results]).ok();
    assert_eq!(run.stdout, "");
    assert!(std::fs::read_to_string(results).unwrap() == expected);
    assert_eq!(directory.names(), ["results", "values"]);
}

#[test]
fn values_without_an_inverse_are_named_and_the_others_delivered() {
    let run = batch("f", "1\n3\n2\n0\n-5\n-4\n");
    assert_eq!(run.status, 1);
    assert_eq!(run.stdout, "1\nnone\n8\nnone\nnone\nb\n");
    let expected = [2, 4, 5].map(|line| format!("moduli: line {line}: not invertible modulo the modulus\n"));
    assert_eq!(run.stderr, expected.concat());

    let directory = Directory::new();
    let results = directory.join("results");
    let arguments = ["batch-inv", "--modulus", "f", "--output", &results];
    moduli_with(arguments, "2\n3\n").fails(1, &["line 2", "not invertible"]);
    assert_eq!(std::fs::read_to_string(&results).unwrap(), "8\nnone\n");
    moduli_with(arguments, "2\n").fails(1, &["results", "--force"]);
    let run =
        moduli_with(arguments.iter().chain(&["--force", "--json"]), "2\n3\n7\n").complains(1, &["line 2"]);
    assert_eq!((&run.json()["count"], &run.json()["not_invertible"]), (&3.into(), &1.into()));
}

#[test]
fn even_moduli() {
    let modulus = format!("{}8000", "9".repeat(40));
    let values = hex_numbers(4, 300, 44);
    let p = number(&modulus);
    let inverses = values.iter().map(|value| number(value).modinv(&p));
    let expected: Vec<_> =
        inverses.map(|found| found.map_or("none".into(), |x| x.to_str_radix(16))).collect();
    let run = batch(&modulus, &values.join("\n"));
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), expected);
    assert_eq!(run.stderr.lines().count(), expected.iter().filter(|line| *line == "none").count());
    assert_eq!(batch("8", "-3\n").ok().stdout, "5\n");
}

#[test]
fn no_values_give_no_results() {
    assert_eq!(batch("7", "").ok().stdout, "");
    assert_eq!(batch("7", "3").ok().stdout, "5\n");
}

#[test]
fn json_is_one_document() {
    let run = moduli_with(["batch-inv", "--json", "--modulus", "f"], "2\n3\n4\n").complains(1, &["line 2"]);
    assert_eq!(run.json()["results"], serde_json::json!(["8", null, "4"]));
    assert_eq!(run.json()["count"], 3);
    let run = moduli_with(["batch-inv", "--json", "--modulus", "f"], "").ok();
    assert_eq!(run.json()["results"], serde_json::json!([]));
    let run = moduli_with(["batch-inv", "--json", "--modulus", "f"], "2\n7\nx\n").complains(1, &["line 3"]);
    assert_eq!(run.json(), serde_json::json!({ "results": ["8", "d"], "count": 2 }));
}

#[test]
fn bad_input_is_named() {
    batch("7", "3\nx\n").complains(1, &["line 2", "character 1 is 'x'"]);
    batch("7", "\n3\n").fails(1, &["line 1", "empty"]);
    assert_eq!(batch("7", "3\n\n").ok().stdout, "5\n");
    moduli(["batch-inv"]).fails(2, &["--modulus"]);
    moduli(["batch-inv", "--modulus", "7", "--input", "/nowhere"]).fails(1, &["/nowhere", "No such file"]);
    let directory = Directory::new();
    let results = directory.join("results");
    moduli_with(["batch-inv", "--modulus", "7", "--output", &results], "3\n4\ny\n").fails(1, &["line 3"]);
    assert!(directory.names().is_empty());
}

#[test]
fn decimals_and_rows_of_bytes() {
    let decimal = moduli_with(["batch-inv", "--modulus", "65", "--base-10"], "2\n-3\n5\n100\n");
    // 101 = 65 in hexadecimal; 5 is invertible, 101·k is not.
    assert_eq!(decimal.stdout, "51\n67\n81\n100\n");
    let raw = moduli_with(["batch-inv", "--modulus", "1fff", "--raw-width", "2"], "\0\u{2}\0\0");
    assert_eq!((raw.status, raw.stdout.as_bytes()), (1, &b"\x10\0\0\0"[..]), "{}", raw.stderr);
    assert!(raw.stderr.starts_with("moduli: row 2: not invertible"), "{}", raw.stderr);
    moduli_with(["batch-inv", "--modulus", "1fff", "--raw-width", "2"], "\0\u{2}\0")
        .complains(1, &["row 2: the last number is incomplete: 1 of 2 bytes"]);
}
