//! Rejected options, and warnings.

use super::hdl;
use crate::support::Directory;

#[test]
fn shapes_that_cannot_work_are_refused() {
    let directory = Directory::new();
    let path = directory.join("core");
    let refused = |shape, more: &[&str], parts: &[&str]| {
        hdl(shape, &[more, &["-o", &path]].concat()).fails(1, parts);
    };
    refused(["P-256", "32", "8", "binary-ternary"], &[], &["channels", "at least 9", "at least 33 bits"]);
    refused(["3f1", "8", "3", "binary-ternary"], &[], &["two bases of 3 moduli", "at least 10 bits"]);
    refused(["P-256", "8", "8", "fermat"], &[], &["two bases", "at least"]);
    refused(["P-256", "65", "8", "binary"], &[], &["width", "8 to 64"]);
    refused(["P-256", "33", "0", "binary"], &[], &["channels", "1 to 1024"]);
    refused(["9", "33", "2", "binary-ternary"], &[], &["modulus", "factor 3"]);
    refused(["8", "33", "2", "binary"], &[], &["even"]);
    refused(["1", "33", "2", "binary"], &[], &["greater than 1"]);
    refused(["P-255", "33", "8", "binary"], &[], &["no field", "P-256"]);
    refused(["curve25518", "33", "8", "binary"], &[], &["no field", "curve25519"]);
    refused(["2^255-19", "33", "8", "binary"], &[], &["--prime", "character 2"]);
    refused(["P-256", "33", "8", "wide"], &["--wide-modulus", "720"], &["Q: 720", "4, 8 or 16"]);
    refused(["P-256", "33", "8", "wide"], &["--wide-modulus", "10"], &["Q", "multiple of 4"]);
    refused(["P-256", "33", "8", "binary"], &["--contexts", "5"], &["contexts", "8 cycles", "1 to 4"]);
    refused(["P-256", "33", "8", "wide"], &["--contexts", "6"], &["contexts", "9 cycles", "1 to 5"]);
    refused(["P-256", "33", "8", "binary"], &["--contexts", "0"], &["contexts", "1 to 4"]);
    refused(["P-256", "33", "8", "fermat"], &["--contexts", "2"], &["contexts", "one inversion"]);
    refused(["P-256", "33", "8", "divstep"], &["--contexts", "2"], &["contexts: 2", "one operand"]);
    refused(["7", "33", "2", "divstep"], &[], &["prime: P of 3 bits", "of 4"]);
    refused(["P-256", "32", "8", "divstep"], &[], &["channels", "at least 9"]);
    refused(["10", "33", "2", "divstep"], &[], &["even"]);
    let check = ["--operations", "invert", "--check"];
    refused(["P-256", "33", "8", "binary"], &check, &["check", "two bases"]);
    let blind = ["--operations", "invert", "--blind"];
    refused(["P-256", "33", "8", "binary"], &blind, &["blind", "two bases"]);
    refused(["P-256", "33", "8", "fermat"], &["--blind"], &["blind", "no blinding"]);
    let wrong = |shape, more: &[&str], parts: &[&str]| {
        hdl(shape, &[more, &["-o", &path]].concat()).fails(2, parts);
    };
    wrong(["P-256", "33", "8", "fermat"], &["--operations", "invert"], &["--operations", "two bases"]);
    wrong(["P-256", "33", "8", "binary"], &["--wide-modulus", "12"], &["--wide-modulus"]);
    wrong(["P-256", "33", "8", "binary"], &["--window", "binary"], &["--window"]);
    wrong(["P-256", "33", "8", "magic"], &[], &["magic"]);
    wrong(["P-256", "33", "8", "binary"], &["--trace"], &["--expect"]);
    hdl(["P-256", "33", "8", "binary"], &[]).fails(2, &["--output"]);
    assert!(directory.names().is_empty());
}

/// Valid but probably unintended options give a warning, and the command continues.
#[test]
fn cores_that_are_probably_not_intended_are_reported() {
    let directory = Directory::new();
    let path = directory.join("core");
    let told = |shape, more: &[&str]| -> String {
        let run = hdl(shape, &[more, &["--force", "-o", &path]].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, format!("{path}\n").as_str()));
        run.stderr
    };
    let shape = ["P-192", "33", "6", "binary"];
    assert_eq!(told(shape, &["--contexts", "4"]), "");
    assert_eq!(told(shape, &["--check"]), "");
    let serial = told(shape, &["--contexts", "4", "--check"]);
    assert!(serial.starts_with("moduli: note: with --check") && serial.contains("--contexts 4"), "{serial}");
    assert_eq!(told(["3f1", "17", "2", "fermat"], &[]), "");
    assert_eq!(told(["4c9", "17", "2", "binary"], &[]), "");
    let composite = told(["4c9", "17", "2", "fermat"], &[]);
    assert!(
        composite.starts_with("moduli: note: P is composite") && composite.contains("error 2"),
        "{composite}"
    );
}
