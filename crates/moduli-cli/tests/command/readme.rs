//! Runs the shell commands in README and the pages unchanged.

use std::{path::Path, process::Command};

use num_bigint::BigUint;

use crate::support::{Directory, finish, moduli};

/// The lines of a page's shell blocks.
fn shell(page: &str) -> String {
    let blocks = page.split("\n```sh\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
    blocks.map(|(block, _)| format!("{block}\n")).collect()
}

#[test]
fn the_shell_of_the_front_page_runs() {
    let directory = Directory::new();
    let lines = shell(include_str!("../../../../README.md"));
    assert!(lines.lines().count() >= 5, "{lines}");
    let folder = Path::new(env!("CARGO_BIN_EXE_moduli")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &lines]).current_dir(directory.path()).env("PATH", path);
    let run = finish(&mut shell, b"").ok();
    assert!(run.stdout.contains("\nVerified OK\n"), "{}", run.stdout);
    // The last line is the power of the group's generator.
    let group = moduli(["groups", "dsa-3072-256", "--json"]).ok().json();
    let number = |text: &str| BigUint::parse_bytes(text.as_bytes(), 16).unwrap();
    let [p, g] = ["p", "g"].map(|name| number(group[name].as_str().unwrap()));
    assert_eq!(number(run.stdout.lines().last().unwrap()), g.modpow(&123_456_789u32.into(), &p));
}
