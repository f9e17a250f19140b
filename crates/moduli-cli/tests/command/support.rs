//! Runs the command, and provides directories for its files.
#![allow(dead_code, reason = "each test program uses its own share")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use testing::Random;

/// The result of a run.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `moduli` with these arguments and empty standard input.
pub fn moduli<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    moduli_with(arguments, "")
}

/// Runs `moduli` with `input` on standard input.
pub fn moduli_with<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>, input: &str) -> Run {
    finish(command().args(arguments), input.as_bytes())
}

/// The command, without arguments.
pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_moduli"))
}

/// Runs a command to its end.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let output = bytes(command, input);
    Run {
        status: output.status.code().expect("ended by a signal"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a command to its end. The output is not decoded.
pub fn bytes(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // In a separate thread, because both processes may have to wait for each other. A command need
    // not read its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().unwrap();
    output
}

impl Run {
    /// Asserts that the run succeeded and wrote nothing to standard error.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "standard output: {}", self.stdout);
        self
    }

    /// Asserts that the run failed with this status, printed no result, and gave the reason in one
    /// line that contains all `parts`.
    #[track_caller]
    pub fn fails(self, status: i32, parts: &[&str]) -> Self {
        assert_eq!(self.stdout, "", "standard error: {}", self.stderr);
        self.complains(status, parts)
    }

    /// Asserts that the run ended with this status and gave the reason in one line that contains
    /// all `parts`.
    #[track_caller]
    pub fn complains(self, status: i32, parts: &[&str]) -> Self {
        assert_eq!(self.status, status, "standard error: {}", self.stderr);
        assert!(self.stderr.starts_with("moduli: "), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing: {}", self.stderr);
        }
        self
    }

    /// The first line of standard output.
    pub fn first(&self) -> &str {
        self.stdout.lines().next().unwrap_or_default()
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

/// A directory that is removed when the test ends.
pub struct Directory {
    path: PathBuf,
}

impl Directory {
    /// Creates a directory.
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("moduli-test-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self { path }
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path inside.
    pub fn join(&self, name: &str) -> String {
        self.path.join(name).to_str().unwrap().to_owned()
    }

    /// A file inside with this content.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// The names of everything inside, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A reproducible sequence of numbers below 2^64.
pub fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = Random(seed);
    std::iter::repeat_with(move || random.word())
}

/// `count` numbers of `digits` hexadecimal digits.
pub fn hex_numbers(seed: u64, count: usize, digits: usize) -> Vec<String> {
    let mut words = numbers(seed);
    (0..count)
        .map(|_| {
            let mut text = String::new();
            while text.len() < digits {
                text.push_str(&format!("{:016x}", words.next().unwrap()));
            }
            text.truncate(digits);
            text
        })
        .collect()
}

/// Runs OpenSSL.
pub fn openssl(arguments: &[&str]) -> Run {
    let version = Command::new("openssl").arg("version").output();
    assert!(
        version.is_ok_and(|output| output.status.success()),
        "this test needs the command `openssl`, which could not be run: install OpenSSL"
    );
    finish(Command::new("openssl").args(arguments), b"")
}
