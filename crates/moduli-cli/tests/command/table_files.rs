//! Invalid table files, for every verb that reads one.

use std::fs;

use crate::support::{Directory, Run, moduli, moduli_with};

const P: &str = "ffffffffffffffc5";

fn table(directory: &Directory) -> String {
    let file = directory.join("table");
    moduli([
        "table",
        "build",
        "--modulus",
        P,
        "--base",
        "5",
        "--exponent-bits",
        "64",
        "--method",
        "comb:4,2",
        "-o",
        &file,
    ])
    .ok();
    file
}

fn readers(file: &str) -> [Run; 5] {
    [
        moduli(["table", "info", file]),
        moduli(["table", "verify", file]),
        moduli(["table", "verify", file, "--json"]),
        moduli_with(["pow", "--table", file], "1\n"),
        moduli_with(["pow", "--table", file, "--mmap"], "1\n"),
    ]
}

fn all_refuse(file: &str) {
    for run in readers(file) {
        run.fails(1, &[file]);
    }
}

#[test]
fn files_that_are_not_tables_are_refused() {
    let directory = Directory::new();
    let missing = directory.join("missing");
    let expected = fs::File::open(&missing).unwrap_err();
    for run in readers(&missing) {
        run.fails(1, &[&format!("{missing}: {expected}\n")]);
    }
    // The same text as from other verbs.
    moduli(["dsa", "verify", "--key", &missing, &missing]).fails(1, &[&format!("{missing}: {expected}\n")]);
    all_refuse(&directory.file("empty", ""));
    all_refuse(&directory.file("text", "hello, world\n".repeat(100)));
    all_refuse(directory.path().to_str().unwrap());
}

#[test]
fn truncated_and_extended_tables_are_refused() {
    let directory = Directory::new();
    let whole = fs::read(table(&directory)).unwrap();
    for length in [1, 8, 40, whole.len() / 2, whole.len() - 33, whole.len() - 1] {
        all_refuse(&directory.file("cut", &whole[..length]));
    }
    let mut longer = whole;
    longer.push(0);
    all_refuse(&directory.file("longer", longer));
}

#[test]
fn altered_tables_are_refused() {
    let directory = Directory::new();
    let whole = fs::read(table(&directory)).unwrap();
    for position in (0..whole.len()).step_by(whole.len() / 20) {
        let mut altered = whole.clone();
        altered[position] ^= 1;
        all_refuse(&directory.file("altered", altered));
    }
}

#[cfg(unix)]
#[test]
fn unreadable_tables_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let file = table(&directory);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything.
    if fs::read(&file).is_err() {
        all_refuse(&file);
    }
}

#[test]
fn a_table_for_another_group_does_not_sign() {
    let directory = Directory::new();
    let file = table(&directory);
    let (key, document) = (directory.join("key"), directory.file("document", "text"));
    moduli(["dsa", "keygen", "--group", "dsa-1024-160", "-o", &key]).ok();
    moduli(["dsa", "sign", "--key", &key, "--table", &file, &document]).fails(1, &[&file]);
    assert_eq!(directory.names(), ["document", "key", "table"]);
}
