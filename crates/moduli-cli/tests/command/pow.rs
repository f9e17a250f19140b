//! `moduli pow`.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

use num_bigint::BigUint;

use crate::support::{Directory, bytes, command, finish, hex_numbers, moduli, moduli_with};

/// 2^255 − 19, which is prime.
const P: &str = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed";
const BASE: &str = "1234567890abcdef";

/// A table for [`BASE`] modulo [`P`] and exponents of 100 bits.
fn table(directory: &Directory) -> String {
    let file = directory.join("table");
    moduli([
        "table",
        "build",
        "--modulus",
        P,
        "--base",
        BASE,
        "--exponent-bits",
        "100",
        "--method",
        "comb:4,2",
        "-o",
        &file,
    ])
    .ok();
    file
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

fn power(exponent: &str) -> String {
    let p = number(P);
    let base = match exponent.strip_prefix('-') {
        Some(_) => number(BASE).modinv(&p).unwrap(),
        None => number(BASE),
    };
    base.modpow(&number(exponent.trim_start_matches('-')), &p).to_str_radix(16)
}

#[test]
fn powers_are_those_of_another_library_in_order() {
    let directory = Directory::new();
    let table = table(&directory);
    // Several blocks, because each read gives one block.
    let mut exponents = hex_numbers(1, 5000, 25);
    exponents.extend(["0", "1", "-1", "-0", "fffffffffffffffffffffffff"].map(str::to_owned));
    exponents.extend(hex_numbers(2, 100, 20).into_iter().map(|exponent| format!("-{exponent}")));
    let expected: String = exponents.iter().map(|exponent| power(exponent) + "\n").collect();
    let input = exponents.join("\n") + "\n";
    for options in [&[][..], &["--public"], &["--mmap"], &["--threads", "1"], &["--threads", "3", "--public"]]
    {
        let run = moduli_with(["pow", "--table", &table].iter().chain(options), &input).ok();
        assert!(run.stdout == expected, "{options:?}");
    }
    let file = directory.file("exponents", &input);
    let results = directory.join("results");
    let run = moduli(["pow", "--table", &table, "--input", &file, "--output", &results]).ok();
    assert_eq!(run.stdout, "");
    assert!(std::fs::read_to_string(results).unwrap() == expected);
    assert_eq!(directory.names(), ["exponents", "results", "table"]);
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let directory = Directory::new();
    let mut child = command()
        .args(["pow", "--table", &table(&directory)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    for exponent in ["2", "-3", "0x4"] {
        writeln!(to, "{exponent}").unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        assert_eq!(line.trim(), power(&exponent.replace("0x", "")));
    }
    drop(to);
    assert!(child.wait().unwrap().success());
}

#[test]
fn no_exponents_give_no_results() {
    let directory = Directory::new();
    let table = table(&directory);
    assert_eq!(moduli(["pow", "--table", &table]).ok().stdout, "");
    let json = moduli(["pow", "--table", &table, "--json"]).ok().json();
    assert_eq!((json["count"].as_u64(), json["results"].as_array().map(Vec::len)), (Some(0), Some(0)));
}

#[test]
fn json_is_one_document() {
    let directory = Directory::new();
    let table = table(&directory);
    let json = moduli_with(["pow", "--table", &table, "--json"], "1\n-2\n").ok().json();
    assert_eq!(json["results"], serde_json::json!([power("1"), power("-2")]));
    assert_eq!(json["count"], 2);
    let results = directory.join("results");
    let json = moduli_with(["pow", "--table", &table, "--json", "--output", &results], "1\n-2\n").ok().json();
    assert_eq!((json["count"].as_u64(), json["output"].as_str()), (Some(2), Some(results.as_str())));
}

#[test]
fn bad_lines_are_named_and_nothing_is_left_behind() {
    let directory = Directory::new();
    let table = table(&directory);
    let results = directory.join("results");
    let long = "1".to_owned() + &"0".repeat(25);
    for (input, parts) in [
        ("1\n2\nx3\n", &["line 3", "'x'"][..]),
        ("1\n\n2", &["line 2", "empty"]),
        ("0x\n", &["line 1", "empty"]),
        ("1\n--1\n", &["line 2", "'-'"]),
        (&format!("1\n{long}\n2\n"), &["line 2", "the exponent has more than 100 bits"]),
        (&format!("1\n-{long}\n2\n"), &["line 2", "more than 100 bits"]),
    ] {
        moduli_with(["pow", "--table", &table], input).complains(1, parts);
        moduli_with(["pow", "--table", &table, "--output", &results], input).fails(1, parts);
        assert_eq!(directory.names(), ["table"]);
    }
    // The results before an invalid line are printed. An empty line at the end is not a number.
    let first = power("1") + "\n";
    for bad in ["x3\n".to_owned(), format!("{long}\n"), "\n2\n".to_owned()] {
        let run = moduli_with(["pow", "--table", &table], &format!("1\n{bad}1\n"));
        assert_eq!((run.status, &run.stdout), (1, &first), "{bad}");
    }
    assert_eq!(moduli_with(["pow", "--table", &table], "1\n\n \r\n").ok().stdout, first);
    // For a public exponent, its actual length counts.
    moduli_with(["pow", "--table", &table, "--public"], &format!("1\n{long}\n"))
        .complains(1, &["line 2: the exponent has 101 bits; at most 100 fit"]);
    let mut child = command();
    child.args(["pow", "--table", &table]);
    finish(&mut child, b"1\n\xff\n").complains(1, &["line 2", "not text"]);
}

#[test]
fn a_file_of_results_is_replaced_only_when_all_are_there() {
    let directory = Directory::new();
    let table = table(&directory);
    let results = directory.file("results", "old");
    moduli_with(["pow", "--table", &table, "--output", &results], "1\n").fails(1, &["results", "--force"]);
    moduli_with(["pow", "--table", &table, "--output", &results, "--force"], "1\nx\n").fails(1, &["line 2"]);
    assert_eq!(std::fs::read_to_string(&results).unwrap(), "old");
    moduli_with(["pow", "--table", &table, "--output", &results, "--force"], "1\n").ok();
    assert_eq!(std::fs::read_to_string(&results).unwrap(), power("1") + "\n");
}

/// Starts a run and waits until it writes its results.
#[cfg(unix)]
fn begun(directory: &Directory, table: &str) -> std::process::Child {
    let before = directory.names().len();
    let mut child = command()
        .args(["pow", "--table", table, "--output", &directory.join("results")])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"1\n").unwrap();
    while directory.names().len() <= before {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn files_of_a_killed_run_are_removed_and_those_of_another_run_stay() {
    let directory = Directory::new();
    let table = table(&directory);
    let mut killed = begun(&directory, &table);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = directory.names();
    assert!(left.len() == 2 && left[0].ends_with(".part"), "{left:?}");
    // The next run removes the files, whatever it writes.
    let mut writing = begun(&Directory::new(), &table);
    assert_eq!(directory.names(), left);
    drop(writing.stdin.take());
    writing.wait().unwrap();
    let build = ["table", "build", "--modulus", P, "--base", "2", "--method", "comb:4,2"];
    moduli(build.iter().chain(&["-o", &directory.join("other")])).ok();
    assert_eq!(directory.names(), ["other", "table"]);
    // A run that is still writing is not disturbed, and succeeds.
    let mut writing = begun(&directory, &table);
    let present = directory.names();
    moduli(build.iter().chain(&["--force", "-o", &directory.join("other")])).ok();
    assert_eq!(directory.names(), present);
    drop(writing.stdin.take());
    assert!(writing.wait().unwrap().success());
    assert_eq!(directory.names(), ["other", "results", "table"]);
}

#[cfg(unix)]
/// Terminates a run that has begun to write. The shell that starts the run executes `before` first.
fn interrupt(before: &str) {
    let directory = Directory::new();
    let table = table(&directory);
    let mut child = std::process::Command::new("sh")
        .args(["-c", &format!("{before} exec \"$@\""), "sh", env!("CARGO_BIN_EXE_moduli")])
        .args(["pow", "--table", &table, "--output", &directory.join("results")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"1\n").unwrap();
    while directory.names().len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(143), ""));
    assert_eq!(directory.names(), ["table"]);
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    interrupt("");
}

#[test]
fn an_interrupted_run_that_ignores_hangups_leaves_nothing_behind() {
    interrupt("trap '' HUP;");
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let directory = Directory::new();
    let mut child = command()
        .args(["pow", "--table", &table(&directory)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    // Writes without end, until the pipe is closed.
    let writer = std::thread::spawn(move || while to.write_all(b"12345\n-6789\n").is_ok() {});
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), power("12345"));
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    writer.join().unwrap();
}

#[test]
fn inverses_need_an_invertible_base() {
    let directory = Directory::new();
    let file = directory.join("table");
    let build = ["table", "build", "--modulus", "f", "--base", "3", "--exponent-bits", "8"];
    moduli(build.iter().chain(&["--method", "comb:2,1", "-o", &file])).ok();
    assert_eq!(moduli_with(["pow", "--table", &file], "2\n").ok().first(), "9");
    for options in [&[][..], &["--public"]] {
        moduli_with(["pow", "--table", &file].iter().chain(options), "2\n-2\n")
            .complains(1, &["line 2", "not invertible"]);
    }
}

#[test]
fn long_exponents_are_reduced_where_the_order_is_known() {
    let directory = Directory::new();
    let file = directory.join("table");
    moduli(["table", "build", "--group", "dsa-1024-160", "--method", "comb:2,1", "-o", &file]).ok();
    let q = moduli(["groups", "dsa-1024-160", "--json"]).ok().json()["q"].as_str().unwrap().to_owned();
    let longer = format!("{:x}", number(&q) * 1000u32 + 7u32);
    assert_eq!(
        moduli_with(["pow", "--table", &file], &longer).ok().stdout,
        moduli_with(["pow", "--table", &file], "7").ok().stdout
    );
}

#[test]
fn a_digest_is_trusted_instead_of_the_file() {
    let directory = Directory::new();
    let table = table(&directory);
    let digest =
        moduli(["table", "info", &table, "--json"]).ok().json()["digest"].as_str().unwrap().to_owned();
    assert_eq!(moduli_with(["pow", "--table", &table, "--digest", &digest], "2").ok().first(), power("2"));
    let other = "0".repeat(64);
    moduli_with(["pow", "--table", &table, "--digest", &other], "2").fails(1, &["table"]);
    moduli_with(["pow", "--table", &table, "--digest", "12"], "2").fails(1, &["--digest", "64"]);
}

#[test]
fn bad_options_are_usage_errors() {
    moduli(["pow"]).fails(2, &["--table"]);
    moduli(["pow", "--table", "t", "--threads", "0"]).fails(2, &["--threads"]);
    moduli(["pow", "--table", "t", "--threads", "many"]).fails(2, &["--threads"]);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let directory = Directory::new();
    let table = table(&directory);
    moduli(["pow", "--table", &directory.join("none")]).fails(1, &["none"]);
    moduli(["pow", "--table", &table, "--input", &directory.join("none")])
        .fails(1, &["none", "No such file"]);
    moduli_with(["pow", "--table", &table, "--output", &directory.join("none/results")], "1")
        .fails(1, &["none/results", "No such file"]);
    let path = directory.path().to_str().unwrap();
    moduli_with(["pow", "--table", &table, "--output", path], "1").fails(1, &["is not a regular file"]);
    moduli(["pow", "--table", &table, "--input", path]).fails(1, &["directory"]);
    assert_eq!(directory.names(), ["table"]);
}

#[test]
fn there_is_no_progress_bar_in_a_pipe() {
    let directory = Directory::new();
    let table = table(&directory);
    let input = hex_numbers(3, 3000, 25).join("\n");
    let output = bytes(
        command().args(["pow", "--table", &table, "--output", &directory.join("results")]),
        input.as_bytes(),
    );
    assert_eq!(output.stderr, b"");
}

#[test]
fn decimals_and_rows_of_bytes_are_the_same_numbers() {
    let directory = Directory::new();
    let table = table(&directory);
    let exponents: Vec<String> =
        hex_numbers(5, 300, 25).into_iter().chain(["0".into(), "1".into()]).collect();
    let powers: Vec<BigUint> = exponents.iter().map(|e| number(&power(e))).collect();

    let input: String = exponents.iter().map(|e| number(e).to_string() + "\n").collect();
    let expected: String = powers.iter().map(|power| power.to_string() + "\n").collect();
    assert_eq!(moduli_with(["pow", "--table", &table, "--base-10"], &input).ok().stdout, expected);

    for width in [13, 40] {
        let row = |x: &BigUint, width: usize| {
            let bytes = x.to_bytes_be();
            [vec![0; width - bytes.len()], bytes].concat()
        };
        let input: Vec<u8> = exponents.iter().flat_map(|e| row(&number(e), width)).collect();
        let expected: Vec<u8> = powers.iter().flat_map(|power| row(power, 32)).collect();
        let options = ["pow", "--table", &table, "--raw-width", &width.to_string()];
        // The length of a row is the declared length of an exponent. The table accepts 100 bits.
        let ran = bytes(command().args(options), &input);
        if width == 13 {
            assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
            assert_eq!(ran.stdout, expected);
            let cut = bytes(command().args(options), &input[..input.len() - 1]);
            assert_eq!(cut.status.code(), Some(1));
            assert!(
                String::from_utf8_lossy(&cut.stderr)
                    .contains("row 302: the last number is incomplete: 12 of 13 bytes")
            );
        } else {
            assert_eq!(ran.stdout, expected);
            let long = bytes(command().args(options), &[&input[..width], &[255; 40][..]].concat());
            assert!(
                String::from_utf8_lossy(&long.stderr)
                    .starts_with("moduli: row 2: the exponent has more than")
            );
        }
    }
    for (options, what) in [
        (&["--raw-width", "0"][..], "0 is not in"),
        (&["--raw-width", "5", "--base-10"], "cannot be used with"),
        (&["--raw-width", "5", "--json"], "not JSON"),
    ] {
        let refused = moduli_with(["pow", "--table", &table].iter().chain(options), "");
        assert!(refused.status == 2 && refused.stderr.contains(what), "{}", refused.stderr);
    }
    let refused = moduli_with(["pow", "--table", &table, "--base-10"], "12\n1f\n");
    assert!(refused.stderr.contains("line 2: not a decimal number: character 2"), "{}", refused.stderr);
}
