//! Reads the vectors.

use std::{collections::BTreeMap, path::PathBuf};

use crypto_bigint::BoxedUint;

/// The text of a file of vectors. Panics if there is none.
pub fn read(name: &str) -> String {
    let directory = std::env::var_os("MODULI_VECTORS")
        .filter(|directory| !directory.is_empty())
        .expect("MODULI_VECTORS names no directory");
    let path = PathBuf::from(directory).join("asymmetric").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!text.trim().is_empty(), "{} is empty", path.display());
    text
}

/// The fields at a line of interest: every `name = value` of the section so far. Later ones replace
/// earlier ones.
pub struct Case {
    pub section: String,
    pub fields: BTreeMap<String, String>,
}

impl Case {
    pub fn number(&self, name: &str) -> BoxedUint {
        let bytes = self.bytes(name);
        BoxedUint::from_be_slice_vartime(&bytes)
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = &self.fields[name];
        let digits = if text.len() % 2 == 1 { format!("0{text}") } else { text.clone() };
        (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
    }
}

/// A case for every line `last = …`, which is the last field of a case in this file.
pub fn cases(text: &str, last: &str) -> Vec<Case> {
    let (mut section, mut fields, mut cases) = (String::new(), BTreeMap::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            if name.starts_with("mod") {
                section = name.trim_end_matches(']').to_string();
            }
        } else if let Some((name, value)) = line.split_once('=') {
            fields.insert(name.trim().to_string(), value.trim().to_string());
            if name.trim() == last {
                cases.push(Case { section: section.clone(), fields: fields.clone() });
            }
        }
    }
    cases
}
