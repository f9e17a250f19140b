//! What holds for every verb: usage errors, help, output that nobody reads.

use std::process::Stdio;

use crate::support::{command, moduli};

#[test]
fn usage_errors_are_one_line_and_status_2() {
    for (arguments, part) in [
        (&[][..], "command"),
        (&["frobnicate"], "frobnicate"),
        (&["powmod"], "--modulus"),
        (&["powmod", "--modulus", "5", "--base", "2"], "--exponent"),
        (&["powmod", "--modulus", "5", "--base", "2", "--exponent", "1", "--algorithm", "magic"], "magic"),
        (&["powmod", "--nonsense"], "--nonsense"),
    ] {
        moduli(arguments).fails(2, &[part]);
    }
}

#[test]
fn help_and_version_are_answers() {
    let help = moduli(["--help"]).ok().stdout;
    assert!(help.contains("powmod") && help.contains("hexadecimal"), "{help}");
    assert!(moduli(["powmod", "--help"]).ok().stdout.contains("--exponent"));
    assert!(moduli(["--version"]).ok().first().starts_with("moduli "));
}

#[test]
fn output_that_nobody_reads_ends_quietly() {
    for json in [&[][..], &["--json"]] {
        let mut child = command()
            .args(["powmod", "--modulus", "f1", "--base", "2", "--exponent", "-"])
            .args(json)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command waits for its exponent, so the reader is gone before it prints.
        drop(child.stdout.take());
        drop(child.stdin.take().map(|mut stdin| std::io::Write::write_all(&mut stdin, b"3\n")));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command()
        .args(["powmod", "--modulus", "f1", "--base", "2", "--exponent", "3"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("moduli: standard output: "));
}

#[test]
fn an_unknown_kernel_is_an_error() {
    let mut command = command();
    command.args(["powmod", "--modulus", "f1", "--base", "2", "--exponent", "3"]);
    crate::support::finish(command.env("MODULI_KERNEL", "abacus"), b"").fails(1, &["abacus"]);
}
