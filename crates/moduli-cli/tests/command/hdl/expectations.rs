//! The expected results of a core.

use super::{P256, number};
use crate::support::{hex_numbers, moduli, moduli_with};

/// Compares the results with another library, and the steps with the counts. Every step must follow
/// from the one before.
#[test]
fn expectations_are_right() {
    let p = number(P256);
    let mut operands = hex_numbers(5, 6, 63);
    operands.extend(["0", "1", "2", "3"].map(String::from));
    operands.extend([1u32, 2].map(|x| (&p - x).to_str_radix(16)));
    operands.extend([p.to_str_radix(16), (&p + 2u32).to_str_radix(16), "f".repeat(64)]);
    let input = operands.join("\n") + "\n";
    for inversion in ["binary", "binary-ternary", "wide", "fermat", "divstep"] {
        let arguments =
            ["hdl", "--prime", "P-256", "--width", "33", "--channels", "8", "--inversion", inversion];
        let run = moduli_with(arguments.iter().chain(&["--expect", "-"]), &input).ok();
        assert_eq!(run.stdout.lines().count(), operands.len());
        for (line, operand) in run.stdout.lines().zip(&operands) {
            let fields: Vec<&str> = line.split(' ').collect();
            match number(operand).modinv(&p) {
                Some(inverse) => assert_eq!(fields[..2], [inverse.to_str_radix(16).as_str(), "0"]),
                None => assert_eq!(fields[..2], ["0", "1"]),
            }
            if inversion != "fermat" && fields[1] == "0" {
                let inv = ["inv", "--modulus", P256, "--value", operand, "--algorithm", inversion, "--count"];
                let counted = moduli(inv.iter().chain(&["--width", "33", "--channels", "8"])).ok().stdout;
                let of = |name: &str| -> u32 {
                    let line = counted.lines().find_map(|line| line.strip_prefix(name)).unwrap();
                    line.trim().parse().unwrap()
                };
                // Jumps do not count as steps.
                let outer = if inversion == "divstep" { 0 } else { of("outer iterations") };
                let steps = outer + of("inner iterations");
                assert_eq!(fields[2], steps.to_string());
            }
        }
        if inversion == "fermat" {
            moduli_with(arguments.iter().chain(&["--expect", "-", "--trace"]), &input).fails(2, &["--trace"]);
            continue;
        }
        let trace = moduli_with(arguments.iter().chain(&["--expect", "-", "--trace"]), &input).ok().stdout;
        let plain: Vec<&str> = trace.lines().filter(|line| !line.starts_with("step")).collect();
        assert_eq!(plain, run.stdout.lines().collect::<Vec<_>>());
        let (mut next, by) = (0, if inversion == "divstep" { 32 } else { 1 });
        for line in trace.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            if fields[0] == "step" {
                assert_eq!(fields[1], next.to_string());
                let first = if inversion == "divstep" { "jump" } else { "load" };
                assert!(fields.len() == 3 + 4 + 5 + 4 * 9 && (next > 0 || fields[2] == first));
                assert!(next == 0 || (fields[2] == first) == (inversion == "divstep"));
                next += by;
            } else {
                assert_eq!(fields[2], (next - by).to_string());
                next = 0;
            }
        }
    }
    let arguments = ["hdl", "--prime", "b", "--width", "17", "--channels", "1", "--inversion", "binary"];
    let with = |input: &str| moduli_with(arguments.iter().chain(&["--expect", "-"]), input);
    // 55 = 5·11: 5 has no inverse. With Fermat's method, most results are wrong, and its check
    // detects them.
    let composite = |inversion: &str| {
        let shape = ["hdl", "--prime", "37", "--width", "17", "--channels", "2", "--inversion", inversion];
        moduli_with(shape.iter().chain(&["--expect", "-"]), "0\n5\n2\n1\n")
    };
    let errors = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(errors(&composite("binary").ok().stdout), ["1", "1", "0", "0"]);
    let fermat = composite("fermat");
    assert_eq!(
        (errors(&fermat.stdout).as_slice(), fermat.status),
        (["1", "2", "2", "0"].map(String::from).as_slice(), 0)
    );
    assert!(fermat.stderr.contains("note: P is composite") && fermat.stderr.lines().count() == 1);
    with("f\n10\n").complains(1, &["line 2", "0 to 2^4"]);
    with("-1\n").complains(1, &["line 1"]);
    with("x\n").complains(1, &["line 1"]);
    assert_eq!(with("").ok().stdout, "");
}
