//! Common to all verbs: usage errors, help, and closed outputs.

use std::process::Stdio;

use moduli::Method;

use crate::support::{Directory, command, finish, moduli, moduli_with};

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
    assert!(moduli(["table", "build", "--help"]).ok().stdout.contains(Method::FORMS));
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
        // The command waits for its exponent, so the reader has closed the pipe before the command
        // prints.
        drop(child.stdout.take());
        drop(child.stdin.take().map(|mut stdin| std::io::Write::write_all(&mut stdin, b"3\n")));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    for arguments in
        [&["powmod", "--modulus", "f1", "--base", "2", "--exponent", "3"][..], &["completions", "bash"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command().args(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.starts_with("moduli: standard output: "), "{arguments:?}: {complaint}");
    }
}

#[test]
fn an_unknown_kernel_is_an_error() {
    let directory = Directory::new();
    let key = directory.file("key", include_str!("rsa_key.pem"));
    for arguments in [
        &["powmod", "--modulus", "f1", "--base", "2", "--exponent", "3"][..],
        &["rsa", "sign-raw", "--key", &key],
    ] {
        let mut command = command();
        let run = finish(command.args(arguments).env("MODULI_KERNEL", "abacus"), b"1\n");
        run.complains(1, &["moduli: kernel \"abacus\": MODULI_KERNEL names an unknown kernel", "portable"]);
    }
}

/// A second reader would find standard input empty, and sign or compute that.
#[test]
fn standard_input_is_read_once() {
    let directory = Directory::new();
    let file = |name, text| directory.file(name, text);
    let (key, document) = (file("key", include_str!("rsa_key.pem")), file("document", "text"));
    let rsa = include_str!("rsa_key.pem");
    moduli(["rsa", "sign", "--key", &key, &document]).ok();
    let signature = format!("{document}.sig");
    for (input, arguments) in [
        (rsa, &["rsa", "sign", "--key", "-", "-"][..]),
        (rsa, &["rsa", "sign-raw", "--key", "-"]),
        ("7", &["powmod", "--modulus", "-", "--base", "-", "--exponent", "3"]),
        ("7", &["powmod", "--modulus", "7", "--base", "-", "--exponent", "-"]),
        ("7", &["inv", "--modulus", "-", "--value", "-"]),
        ("7", &["batch-inv", "--modulus", "-"]),
    ] {
        moduli_with(arguments, input).fails(2, &["standard input is given twice"]);
    }
    // A verdict on each file.
    let verify = ["rsa", "verify", "--key", "-", "--signature", &signature, "-"];
    assert_eq!(moduli_with(verify, rsa).complains(1, &["standard input"]).stdout, "-: FAILED\n");
    moduli_with(["rsa", "sign", "--force", "--key", "-", &document], rsa).ok();
    moduli_with(["rsa", "verify", "--key", "-", &document], rsa).ok();
}

#[test]
fn shells_and_man_know_every_verb() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let completions = moduli(["completions", shell]).ok().stdout;
        for word in ["batch-inv", "raw-width", "keygen"] {
            assert!(completions.contains(word), "{shell}: {word}");
        }
    }
    let directory = Directory::new();
    let folder = directory.join("man/man1/");
    moduli(["manual", "-o", &folder]).ok();
    for page in ["moduli.1", "moduli-pow.1", "moduli-dsa-sign.1", "moduli-manual.1"] {
        let text = std::fs::read_to_string(format!("{folder}{page}")).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(!std::fs::exists(format!("{folder}moduli-share-table.1")).unwrap());
    let refused = moduli(["manual", "-o", &folder]);
    assert!(refused.status == 1 && refused.stderr.contains("--force"), "{}", refused.stderr);
    moduli(["manual", "-o", "-"]).fails(2, &["--output is a folder"]);
    moduli(["manual", "--force", "-o", &folder]).ok();
}
