//! Reads and writes keys in every supported form.

use moduli::{
    Error,
    scheme::rsa::{PrivateKey, PublicKey},
};
use num_bigint::BigUint;
use pkcs8::{
    AlgorithmIdentifierRef, ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        Encode,
        asn1::{AnyRef, OctetStringRef},
        pem::{self, LineEnding},
    },
};

use crate::refused::refused;
use crate::rsa::support::{Numbers, boxed, sequence};

const RSA: &str = "1.2.840.113549.1.1.1";

fn numbers() -> Numbers {
    Numbers::new(512, 512, 65_537)
}

fn pkcs8(oid: &str, parameters: Option<AnyRef<'_>>, key: &[u8]) -> Vec<u8> {
    let algorithm = AlgorithmIdentifierRef { oid: ObjectIdentifier::new(oid).unwrap(), parameters };
    PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(key).unwrap()).to_der().unwrap()
}

fn block(label: &str, der: &[u8]) -> String {
    pem::encode_string(label, LineEnding::LF, der).unwrap()
}

#[test]
fn private_keys_are_read() {
    let numbers = numbers();
    let der = numbers.pkcs1();
    let inside = pkcs8(RSA, Some(AnyRef::NULL), &der);
    let public = numbers.public().unwrap();
    for key in [
        PrivateKey::from_pkcs1_der(&der),
        PrivateKey::from_pkcs8_der(&inside),
        PrivateKey::from_pkcs8_der(&pkcs8(RSA, None, &der)),
        PrivateKey::from_pem(&block("RSA PRIVATE KEY", &der)),
        PrivateKey::from_pem(&format!("remarks\n{}more\n", block("PRIVATE KEY", &inside))),
    ] {
        let key = key.unwrap();
        assert_eq!(key.public_key(), &public);
        assert_eq!(key.public_key().n().value().as_ref(), &boxed(&numbers.n));
        assert_eq!(key.public_key().e(), &boxed(&numbers.e));
        assert_eq!(key.public_key().bytes(), 128);
    }
}

/// Other programs break lines at other positions than OpenSSL.
#[test]
fn lines_of_any_length() {
    let text = block("RSA PRIVATE KEY", &numbers().pkcs1());
    let lines: Vec<&str> = text.lines().collect();
    let body = lines[1..lines.len() - 1].concat();
    for length in [4, 64, 65, 76, 100, body.len()] {
        for end in ["\n", "\r\n"] {
            let chunks = body.as_bytes().chunks(length).map(|chunk| str::from_utf8(chunk).unwrap());
            let all: Vec<&str> = [lines[0]].into_iter().chain(chunks).chain(lines.last().copied()).collect();
            assert!(PrivateKey::from_pem(&all.join(end)).is_ok(), "{length}");
        }
    }
    let last = lines[lines.len() - 1];
    // White space within a block is ignored (RFC 7468, section 2), and so are headers, as in
    // OpenSSL.
    for text in [
        [lines[0], &body[..76], &body[76..80], &body[80..], last].join("\n"),
        [&format!("{} ", lines[0]), &body, last].join("\n"),
        [lines[0], "", &body, last].join("\n"),
        [lines[0], "\t", &body[..9], " \r", &format!(" {} {}", &body[9..80], &body[80..]), "", last]
            .join("\n"),
        [lines[0], "Remark: none", "", &body, last].join("\n"),
        [lines[0], &body, last].concat(),
    ] {
        assert!(PrivateKey::from_pem(&text).is_ok(), "{text}");
    }
    refused(PrivateKey::from_pem(&[lines[0], "", last].join("\n")), "the PEM block is empty");
    refused(PrivateKey::from_pem(&[lines[0], last].concat()), "the PEM block is empty");
    for wrong in
        [format!("!{body}"), body.trim_end_matches('=').to_owned() + "A=", body[..body.len() - 5].to_owned()]
    {
        refused(PrivateKey::from_pem(&[lines[0], &wrong, last].join("\n")), "malformed");
    }
}

#[test]
fn public_keys_are_read_and_written() {
    for numbers in [numbers(), Numbers::new(513, 512, 3), Numbers::with(512, 512, &BigUint::from(u64::MAX))] {
        let key = numbers.public().unwrap();
        let der = key.to_spki_der().unwrap();
        assert_eq!(PublicKey::from_spki_der(&der).unwrap(), key);
        assert_eq!(PublicKey::from_pem(&key.to_pem().unwrap()).unwrap(), key);
        let pkcs1 = sequence(&[numbers.n, numbers.e]);
        assert_eq!(PublicKey::from_pkcs1_der(&pkcs1).unwrap(), key);
        assert_eq!(PublicKey::from_pem(&block("RSA PUBLIC KEY", &pkcs1)).unwrap(), key);
        for length in 0..der.len() {
            assert!(matches!(PublicKey::from_spki_der(&der[..length]), Err(Error::Key(_))));
        }
    }
}

#[test]
fn keys_of_other_kinds() {
    let der = numbers().pkcs1();
    let (dsa, pss) = ("1.2.840.10040.4.1", "1.2.840.113549.1.1.10");
    for (oid, because) in [
        (dsa, "not an RSA key: its algorithm is DSA (1.2.840.10040.4.1)"),
        (pss, "a key for RSASSA-PSS alone"),
    ] {
        refused(PrivateKey::from_pkcs8_der(&pkcs8(oid, Some(AnyRef::NULL), &der)), because);
    }
    let other = AnyRef::new(pkcs8::der::Tag::Integer, &[1]).unwrap();
    refused(PrivateKey::from_pkcs8_der(&pkcs8(RSA, Some(other), &der)), "has no parameters");
    refused(PrivateKey::from_pem(&block("DSA PRIVATE KEY", &der)), "no PEM block labelled");
    refused(PrivateKey::from_pem(&numbers().public().unwrap().to_pem().unwrap()), "no PEM block labelled");
    refused(PublicKey::from_pem(&block("RSA PRIVATE KEY", &der)), "no PEM block labelled PUBLIC KEY");
    refused(PrivateKey::from_pem(&block("ENCRYPTED PRIVATE KEY", &der)), "encrypted");
    // A PKCS#1 key encrypted by OpenSSL has the same label as an unencrypted one.
    let mut lines: Vec<String> = block("RSA PRIVATE KEY", &der).lines().map(str::to_owned).collect();
    lines
        .insert(1, "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n".into());
    refused(PrivateKey::from_pem(&lines.join("\n")), "encrypted");
    refused(PrivateKey::from_pem(""), "no PEM block");
}

#[test]
fn a_public_key_shows_itself() {
    let key = Numbers::new(512, 512, 3).public().unwrap();
    let text = format!("{key:?}");
    assert!(text.starts_with("PublicKey { n: Modulus(1024 bits") && text.ends_with("e: \"3\" }"), "{text}");
}
