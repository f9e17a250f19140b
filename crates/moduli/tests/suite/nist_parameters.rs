//! NIST's CAVP vectors for DSA domain parameters with SHA-512 (FIPS 186-3), as contained in the
//! Python package `cryptography-vectors`.
//!
//! `MODULI_VECTORS` names the directory of that package.

use std::{collections::HashMap, path::PathBuf};

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    scheme::parameters::{canonical_generator, validate, verify_primes},
};

/// The records of the sections whose heading contains `part`, for SHA-512.
fn records(name: &str, part: &str) -> Vec<HashMap<String, String>> {
    let directory = std::env::var_os("MODULI_VECTORS").expect("MODULI_VECTORS names no directory");
    let path = PathBuf::from(directory).join("asymmetric/DSA/FIPS_186-3").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut wanted_part, mut wanted_hash) = (false, false);
    let (mut records, mut record) = (Vec::new(), HashMap::new());
    for line in text.lines().map(str::trim).chain([""]) {
        if let Some((name, value)) = line.split_once(" = ").filter(|_| !line.starts_with(['[', '#'])) {
            record.insert(name.to_string(), value.to_string());
        } else if line.is_empty() {
            let complete = std::mem::take(&mut record);
            if wanted_part && wanted_hash && !complete.is_empty() {
                records.push(complete);
            }
        } else if line.starts_with("[mod") {
            wanted_hash = line.ends_with("SHA-512]");
        } else if line.starts_with('[') {
            wanted_part = line.contains(part);
        }
    }
    records
}

fn number(hex: &str) -> BoxedUint {
    BoxedUint::from_str_radix_vartime(hex, 16).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

#[test]
#[ignore = "needs MODULI_VECTORS"]
fn primes_come_from_their_seeds() {
    let generated = records("PQGGen.rsp", "A.1.1.2");
    assert_eq!(generated.len(), 20);
    for record in generated {
        let (p, q, seed) =
            (number(&record["P"]), number(&record["Q"]), bytes(&record["domain_parameter_seed"]));
        verify_primes(&p, &q, &seed, record["counter"].parse().unwrap()).unwrap();
    }
}

#[test]
#[ignore = "needs MODULI_VECTORS"]
fn altered_primes_are_refused() {
    let altered = records("PQGVer.rsp", "A.1.1.3");
    let mut refused = 0;
    for record in &altered {
        let (p, q, seed) = (number(&record["P"]), number(&record["Q"]), bytes(&record["Seed"]));
        let result = verify_primes(&p, &q, &seed, record["c"].parse().unwrap());
        assert_eq!(result.is_ok(), record["Result"].starts_with('P'), "{}: {result:?}", record["Result"]);
        assert!(matches!(result, Ok(()) | Err(Error::Key(_))));
        refused += usize::from(result.is_err());
    }
    assert!(refused > 0 && refused < altered.len());
}

#[test]
#[ignore = "needs MODULI_VECTORS"]
fn generators_come_from_their_seeds() {
    let mut seen = 0;
    for record in records("PQGGen.rsp", "A.2.3") {
        // Shawe and Taylor's primes have three seeds, which A.2.3 concatenates.
        let seeds = match record.get("domain_parameter_seed") {
            Some(seed) => seed.clone(),
            None => ["firstseed", "pseed", "qseed"].map(|name| record[name].as_str()).concat(),
        };
        let (p, q, g) = (number(&record["P"]), number(&record["Q"]), number(&record["G"]));
        let index = u8::from_str_radix(&record["index"], 16).unwrap();
        assert_eq!(canonical_generator(&p, &q, &bytes(&seeds), index).unwrap(), g);
        validate(&p, &q, &g).unwrap();
        seen += 1;
    }
    assert_eq!(seen, 20);
}
