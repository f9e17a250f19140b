//! OpenSSL reads moduli's keys and verifies its signatures, and moduli verifies OpenSSL's.

use crate::support::{Directory, moduli, openssl};

/// Documents for each group. OpenSSL needs two processes for each, which take most of the time.
const DOCUMENTS: usize = 40;

/// Signs `count` documents in one run, and OpenSSL verifies each; then OpenSSL signs and the
/// command verifies.
fn both_ways(group: &str, count: usize) {
    let directory = Directory::new();
    let (key, public) = (directory.join("key.pem"), directory.join("public.pem"));
    moduli(["dsa", "keygen", "--group", group, "-o", &key, "--public-key", &public]).ok();

    let text = openssl(&["pkey", "-in", &key, "-noout", "-text"]).ok().stdout;
    let modulus_bits = group.split('-').nth(1).unwrap();
    assert!(text.contains(&format!("{modulus_bits} bit")), "{text}");
    let theirs = openssl(&["pkey", "-in", &key, "-pubout"]).ok().stdout;
    assert_eq!(theirs, std::fs::read_to_string(&public).unwrap(), "both derive the same public key");
    openssl(&["pkey", "-pubin", "-in", &public, "-noout"]).ok();

    let documents: Vec<String> = (0..count)
        .map(|i| directory.file(&format!("document{i}"), format!("{group}, number {i}\n")))
        .collect();
    let sign = ["dsa", "sign", "--key", &key].into_iter().map(str::to_owned);
    moduli(sign.chain(documents.iter().cloned())).ok();
    for document in &documents {
        let signature = format!("{document}.sig");
        let run = openssl(&["dgst", "-sha256", "-verify", &public, "-signature", &signature, document]);
        assert_eq!((run.status, run.stdout.as_str()), (0, "Verified OK\n"), "{document}: {}", run.stderr);
    }

    for document in &documents {
        let signature = format!("{document}.sig");
        openssl(&["dgst", "-sha256", "-sign", &key, "-out", &signature, document]).ok();
    }
    let verify = ["dsa", "verify", "--key", &public].into_iter().map(str::to_owned);
    let verified = moduli(verify.chain(documents.iter().cloned())).ok();
    assert!(verified.stdout.lines().all(|line| line.ends_with(": OK")));
    assert_eq!(verified.stdout.lines().count(), count);
}

#[test]
#[ignore = "a thousand documents, and two processes for each"]
fn a_thousand_documents_in_all() {
    for (group, count) in [("dsa-2048-224", 334), ("dsa-2048-256", 333), ("dsa-3072-256", 333)] {
        both_ways(group, count);
    }
}

#[test]
fn dsa_2048_224() {
    both_ways("dsa-2048-224", DOCUMENTS);
}

#[test]
fn dsa_2048_256() {
    both_ways("dsa-2048-256", DOCUMENTS);
}

#[test]
fn dsa_3072_256() {
    both_ways("dsa-3072-256", DOCUMENTS);
}

#[test]
fn keys_of_openssl_are_accepted() {
    let directory = Directory::new();
    let [parameters, key, public] =
        ["parameters.pem", "key.pem", "public.pem"].map(|name| directory.join(name));
    let sizes = ["-pkeyopt", "dsa_paramgen_bits:1024", "-pkeyopt", "dsa_paramgen_q_bits:160"];
    let generate = ["genpkey", "-genparam", "-algorithm", "DSA", "-out", &parameters];
    assert_eq!(openssl(&[&generate[..], &sizes].concat()).status, 0);
    assert_eq!(openssl(&["genpkey", "-paramfile", &parameters, "-out", &key]).status, 0);
    openssl(&["pkey", "-in", &key, "-pubout", "-out", &public]).ok();
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &key, &document]).ok();
    let signature = format!("{document}.sig");
    openssl(&["dgst", "-sha256", "-verify", &public, "-signature", &signature, &document]).ok();
    moduli(["dsa", "verify", "--key", &public, &document]).ok();
}

#[test]
fn an_rsa_key_is_refused() {
    let directory = Directory::new();
    let (key, public) = (directory.join("key.pem"), directory.join("public.pem"));
    let made = openssl(&["genrsa", "-out", &key, "2048"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert_eq!(openssl(&["rsa", "-in", &key, "-pubout", "-out", &public]).status, 0);
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &key, &document]).fails(1, &[&key, "key: "]);
    moduli(["dsa", "verify", "--key", &public, &document]).fails(1, &[&public, "key: "]);
}
