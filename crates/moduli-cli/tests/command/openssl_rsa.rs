//! OpenSSL accepts our RSA signatures, makes signatures that we accept, and encrypts what we decrypt.

use std::fs;

use crate::support::{Directory, hex_numbers, moduli, moduli_with, openssl};
use num_bigint::BigUint;

/// Signatures and decryptions for each length of n.
const COUNT: usize = 60;

/// A key pair of OpenSSL's: the private key in both forms, and the public one.
struct Keys {
    directory: Directory,
    private: String,
    traditional: String,
    public: String,
}

fn keys(bits: &str) -> Keys {
    let directory = Directory::new();
    let [private, traditional, public] =
        ["private.pem", "traditional.pem", "public.pem"].map(|name| directory.join(name));
    let length = format!("rsa_keygen_bits:{bits}");
    let made = openssl(&["genpkey", "-algorithm", "RSA", "-pkeyopt", &length, "-out", &private]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert_eq!(openssl(&["rsa", "-in", &private, "-traditional", "-out", &traditional]).status, 0);
    assert_eq!(openssl(&["rsa", "-in", &private, "-pubout", "-out", &public]).status, 0);
    Keys { directory, private, traditional, public }
}

/// What tells OpenSSL how a digest is padded.
fn padding(pss: bool) -> &'static [&'static str] {
    if pss { &["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"] } else { &[] }
}

fn signatures(keys: &Keys) {
    let Keys { directory, private, traditional, public } = keys;
    for (pss, key) in [(true, private), (false, traditional)] {
        let option = if pss { "--pss" } else { "--pkcs1" };
        let documents: Vec<String> = (0..COUNT / 2)
            .map(|i| directory.file(&format!("document{option}{i}"), format!("number {i}\n")))
            .collect();
        // In one run, so that the blinding goes through several pairs.
        let sign = ["rsa", "sign", option, "--key", key].into_iter().map(str::to_owned);
        moduli(sign.chain(documents.iter().cloned())).ok();
        for document in &documents {
            let signature = format!("{document}.sig");
            let verify = ["dgst", "-sha256", "-verify", public, "-signature", &signature];
            let run = openssl(&[&verify[..], padding(pss), &[document]].concat());
            assert_eq!((run.status, run.stdout.as_str()), (0, "Verified OK\n"), "{document}: {}", run.stderr);
        }
        // The other way round, and the other hash functions.
        let document = &documents[0];
        let signature = format!("{document}.sig");
        for hash in ["sha224", "sha256", "sha384", "sha512"] {
            let digest = format!("-{hash}");
            moduli(["rsa", "sign", option, "--key", key, "--hash", hash, "--force", document]).ok();
            let verify = ["dgst", &digest, "-verify", public, "-signature", &signature];
            openssl(&[&verify[..], padding(pss), &[document]].concat()).ok();
            let sign = ["dgst", &digest, "-sign", private, "-out", &signature];
            openssl(&[&sign[..], padding(pss), &[document]].concat()).ok();
            moduli(["rsa", "verify", option, "--key", public, "--hash", hash, document]).ok();
        }
    }
    // One signature of a digest, for the other command of OpenSSL's.
    let document = directory.file("last", "text");
    moduli(["rsa", "sign", "--pkcs1", "--key", private, &document]).ok();
    let digest = directory.join("digest");
    openssl(&["dgst", "-sha256", "-binary", "-out", &digest, &document]).ok();
    let signature = format!("{document}.sig");
    let verify = ["pkeyutl", "-verify", "-pubin", "-inkey", public, "-in", &digest, "-sigfile", &signature];
    let run = openssl(&[&verify[..], &["-pkeyopt", "digest:sha256"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
}

/// White space in a PEM block is no error (RFC 7468, section 2), nor are headers for OpenSSL.
#[test]
fn keys_that_openssl_reads_are_read() {
    let Keys { directory, private, traditional, .. } = keys("1024");
    let document = directory.file("document", "text");
    for file in [private, traditional] {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let (first, last, body) = (lines[0], lines[lines.len() - 1], lines[1..lines.len() - 1].join("\n"));
        let whole = body.replace('\n', "");
        let mut read = 0;
        for (index, variant) in [
            text.replace('\n', "\r\n"),
            text.replace('\n', " \t\n"),
            format!("\u{feff}{text}"),
            format!("{first} \n{body}\n{last}\n"),
            format!("{first}\n\n{body}\n{last}\n"),
            format!("{first}\nRemark: none\n\n{body}\n{last}\n"),
            format!("{first}\n{whole}\n{last}\n"),
            format!("{first}\n{}\n{}\n{last}\n", &whole[..41], &whole[41..]),
            format!("{first}\n {}\n{last}\n", body.replace('\n', "\n ")),
            format!("{first}\n{}\n{last}\n", body.replace('\n', " \n ").replace('M', " M ")),
            format!("{first}\n!{body}\n{last}\n"),
            format!("{first}\n{}\n{last}\n", &body[..body.len() - 6]),
            format!("{first}\n{last}\n"),
            format!("{first}\n{body}\n"),
            format!("{}\n{body}\n{last}\n", &first[1..]),
        ]
        .iter()
        .enumerate()
        {
            let key = directory.file(&format!("variant{index}"), variant);
            let theirs = openssl(&["pkey", "-in", &key, "-noout"]).status == 0;
            let ours = moduli(["rsa", "sign", "--force", "--key", &key, &document]);
            assert!(ours.status == 0 || !theirs, "{variant}: {}", ours.stderr);
            read += usize::from(theirs);
            if index >= 10 {
                ours.fails(1, &[&key]);
            }
        }
        assert!(read >= 8, "{read}");
    }
}

#[test]
fn salts_of_any_length_verify_unless_one_is_asked_for() {
    let Keys { directory, private, public, .. } = keys("1024");
    let document = directory.file("document", "text");
    let signature = format!("{document}.sig");
    for salt in ["digest", "max", "0", "7"] {
        let option = format!("rsa_pss_saltlen:{salt}");
        let sign =
            ["dgst", "-sha256", "-sign", &private, "-out", &signature, "-sigopt", "rsa_padding_mode:pss"];
        openssl(&[&sign[..], &["-sigopt", &option, &document]].concat()).ok();
        let verify = ["rsa", "verify", "--pss", "--key", &public];
        moduli(verify.iter().chain(&[document.as_str()])).ok();
        let strict = moduli(verify.iter().chain(&["--salt-bytes", "32", &document]));
        assert_eq!(strict.status == 0, salt == "digest", "{salt}");
    }
}

fn decryptions(keys: &Keys, bits: usize) {
    let Keys { directory, private, public, .. } = keys;
    let (plain, cipher) = (directory.join("plain"), directory.join("cipher"));
    let mut plaintexts = vec!["0".to_owned(), "1".to_owned(), "2".to_owned()];
    // One bit less than n has.
    plaintexts.extend(
        hex_numbers(bits as u64, COUNT - plaintexts.len(), bits / 4).into_iter().map(|hex| clear_top(&hex)),
    );
    let encrypt = ["pkeyutl", "-encrypt", "-pubin", "-inkey", public, "-in", &plain, "-out", &cipher];
    let ciphertexts: Vec<String> = plaintexts
        .iter()
        .map(|hex| {
            fs::write(&plain, be_bytes(hex, bits / 8)).unwrap();
            openssl(&[&encrypt[..], &["-pkeyopt", "rsa_padding_mode:none"]].concat()).ok();
            BigUint::from_bytes_be(&fs::read(&cipher).unwrap()).to_str_radix(16)
        })
        .collect();
    let input = ciphertexts.join("\n");
    for verb in ["decrypt-raw", "sign-raw"] {
        let run = moduli_with(["rsa", verb, "--key", private], &input).ok();
        let found: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(found, plaintexts);
        if bits > 2048 {
            break;
        }
    }
}

fn clear_top(hex: &str) -> String {
    let value = BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
    (&value % (BigUint::from(1u32) << (4 * hex.len() - 1))).to_str_radix(16)
}

fn be_bytes(hex: &str, length: usize) -> Vec<u8> {
    let bytes = BigUint::parse_bytes(hex.as_bytes(), 16).unwrap().to_bytes_be();
    [vec![0; length - bytes.len()], bytes].concat()
}

fn both(bits: usize) {
    let keys = keys(&bits.to_string());
    signatures(&keys);
    decryptions(&keys, bits);
}

#[test]
fn rsa_2048() {
    both(2048);
}

#[test]
fn rsa_3072() {
    both(3072);
}

#[test]
fn rsa_4096() {
    both(4096);
}

#[test]
fn primes_that_openssl_splits_unevenly() {
    // n of an odd number of bits: primes of two lengths.
    let keys = keys("2049");
    let document = keys.directory.file("document", "text");
    for pss in [true, false] {
        let option = if pss { "--pss" } else { "--pkcs1" };
        moduli(["rsa", "sign", option, "--force", "--key", &keys.private, &document]).ok();
        let signature = format!("{document}.sig");
        let verify = ["dgst", "-sha256", "-verify", &keys.public, "-signature", &signature];
        openssl(&[&verify[..], padding(pss), &[&document]].concat()).ok();
    }
}

#[test]
fn three_primes_are_refused() {
    let directory = Directory::new();
    let key = directory.join("key.pem");
    let made = openssl(&["genrsa", "-primes", "3", "-out", &key, "2048"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let document = directory.file("document", "text");
    moduli(["rsa", "sign", "--key", &key, &document]).fails(1, &[&key, "more than two primes"]);
}
