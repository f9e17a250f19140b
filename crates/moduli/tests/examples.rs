//! Runs the examples and looks for their message of success. They check their results themselves.

use std::{env, path::PathBuf, process::Command};

fn run(name: &str, expected: &str) {
    // Cargo builds them beside the tests.
    let mut path: PathBuf = env::current_exe().unwrap();
    path.pop();
    path.set_file_name("examples");
    let path = path.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let output = Command::new(&path).output().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(expected), "{name}: {text}");
}

#[test]
fn a_fixed_base() {
    run("fixed_base", "999 powers");
}

#[test]
fn signatures() {
    run("sign", "signed and verified");
}

#[test]
fn a_ballot() {
    run("ballot", "4 ballots, all proofs verified, 3 votes for");
}

#[test]
fn a_commitment() {
    run("commitment", "with tables");
}

#[test]
fn a_server_of_four_processes() {
    run("dsa_server", "100 signatures of 4 processes, all verified");
}
