//! If no thread can be started, the calling one does all the work.

use std::{fs, process::Command};

use crate::support::{Directory, Run, command, finish, moduli_with};

/// The command in a process for which the system cannot start threads: each would need a stack that
/// no address space can hold.
fn alone() -> Command {
    let mut command = command();
    command.env("RUST_MIN_STACK", "1152921504606846976").env("RAYON_NUM_THREADS", "4");
    command
}

fn run(arguments: &[&str], input: &str) -> Run {
    finish(alone().args(arguments), input.as_bytes())
}

#[test]
fn every_verb_works_without_threads() {
    let directory = Directory::new();
    let (key, table, document) =
        (directory.join("key"), directory.join("table"), directory.file("document", "text"));
    let build = ["table", "build", "--group", "dsa-1024-160", "--budget", "64KiB", "-o", &table];
    run(&build, "").ok();
    run(&["table", "verify", &table], "").ok();
    let exponents: String = (1..100).map(|i| format!("{i:x}\n")).collect();
    let expected = moduli_with(["pow", "--table", &table], &exponents).ok().stdout;
    assert_eq!(run(&["pow", "--table", &table], &exponents).ok().stdout, expected);
    let noted = run(&["pow", "--table", &table, "--threads", "3"], &exponents);
    assert_eq!(noted.stdout, expected);
    noted.complains(0, &["--threads 3", "one thread works"]);
    let results = directory.join("results");
    run(&["pow", "--table", &table, "--output", &results], &exponents).ok();
    assert_eq!(fs::read_to_string(&results).unwrap(), expected);

    run(&["dsa", "keygen", "--group", "dsa-1024-160", "-o", &key], "").ok();
    run(&["dsa", "sign", "--key", &key, &document], "").ok();
    run(&["dsa", "sign", "--key", &key, "--table", &table, "--force", &document], "").ok();
    assert_eq!(
        run(&["dsa", "verify", "--key", &key, &document], "").ok().stdout,
        format!("{document}: OK\n")
    );
    run(&["dsa", "bench", "--group", "dsa-1024-160", "--budget", "32KiB", "--rounds", "1"], "").ok();
    let inverse = ["batch-inv", "--modulus", "fb"];
    assert_eq!(run(&inverse, "2\n3\n").ok().stdout, moduli_with(inverse, "2\n3\n").ok().stdout);
}
