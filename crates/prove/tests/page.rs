//! Checks that the page lists what the command proves, and how the command handles the names of operations.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use moduli_kernel::KernelChoice;
use prove::jobs::{KERNELS, Wanted, jobs};
use std::{collections::BTreeMap, process::Command};

const PAGE: &str = include_str!("../../../docs/proof.md");

#[test]
fn the_page_has_all_that_is_proved() {
    // The bits of the proofs of each operation.
    let mut proved: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for kernel in KERNELS {
        for job in jobs(kernel, &Wanted { bits: None, operation: None, is_long: false }) {
            proved.entry((kernel.name(), job.operation.name())).or_default().push(job.bits);
        }
    }
    let rows = PAGE.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 8);
    let rows: Vec<&str> = rows.collect();
    for ((kernel, operation), bits) in &proved {
        let (least, most) = (bits.iter().min().unwrap(), bits.iter().max().unwrap());
        let row = format!("| `{kernel}` | `{operation}` | {} | {least} to {most} |", bits.len());
        assert!(rows.iter().any(|written| written.starts_with(&row)), "docs/proof.md wants: {row}");
    }
    assert_eq!(rows.len(), proved.len(), "docs/proof.md has rows that nothing proves");
}

/// An operation that is named without a number is proved in the supported numbers of pieces; with a number,
/// it is tried in that many.
#[test]
fn pieces_are_those_that_are_served() {
    let asked = |bits, name| {
        let wanted = Wanted { bits: Some(bits), operation: Some(name), is_long: false };
        jobs(KernelChoice::IFMA52, &wanted).iter().map(|job| job.operation.pieces()).collect::<Vec<_>>()
    };
    for name in ["mul_prepared", "prepare"] {
        assert_eq!(asked(200, name), [2, 3, 4]);
        assert_eq!(asked(1032, name), [2, 3, 4]);
        assert_eq!(asked(1033, name), [2, 3, 4, 5, 6, 7, 8]);
    }
    assert_eq!(asked(200, "mul_prepared/7"), [7]);
    assert_eq!(asked(4096, "mul_two"), [1]);
}

/// Requests that cannot be proved here are refused before anything starts, and the message says why.
#[test]
fn requests_that_cannot_be_served_are_refused() {
    let refused = [
        (
            ["--kernel", "adx", "--bits", "99999"],
            "prove: adx mul at 99999 bits takes some 122150 MiB of memory; there are ",
        ),
        (["--kernel", "adx", "--bits", "0"], "prove: a modulus above 1 has 2 bits or more, not 0"),
        (
            ["--kernel", "adx", "--operation", "mull"],
            "prove: there is no operation mull; there are mul, square, ",
        ),
        (["--kernel", "aarch64", "--bits", "256"], "prove: aarch64 is proved by `make prove-aarch64`"),
    ];
    for (arguments, message) in refused {
        let ended = Command::new(env!("CARGO_BIN_EXE_prove")).args(arguments).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.starts_with(message), "{arguments:?}: {said}");
        assert_eq!((ended.status.code(), said.lines().count()), (Some(2), 1), "{arguments:?}");
        assert!(ended.stdout.is_empty(), "{arguments:?}");
    }
}
