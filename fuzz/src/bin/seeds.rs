//! Writes the first inputs of every target: those that mutations would not find soon, such as keys.

use std::{fs, path::Path};

use moduli::{
    groups::Group,
    scheme::{dsa, rsa},
};

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder).expect("the folder can be made");
        fs::write(folder.join(name), bytes).expect("the file can be written");
    };
    let with = |first: &[u8], rest: &[u8]| [first, rest].concat();

    // Every good file as it is, and one as a whole.
    for choice in 0..32u8 {
        write("table", &format!("good-{choice:02}"), &[choice]);
    }
    for (field, value) in [(2u8, 2u8), (10, 3), (11, 5), (14, 2), (15, 41), (18, 0)] {
        write("table", &format!("field-{field:02}"), &[3, 0, field, value]);
    }

    let group = Group::named("dsa-1024-160").expect("there is such a group");
    let domain =
        dsa::DomainParameters::new(group.modulus(), group.order(), group.generator()).expect("it is right");
    let key = dsa::PrivateKey::new(&domain, &0x1234_5678_9abc_def0u64.into()).expect("it is below q");
    write("keys", "dsa-private-der", &with(&[0], &key.to_pkcs8_der().expect("it can be written")));
    write("keys", "dsa-private-pem", &with(&[1], key.to_pem().expect("it can be written").as_bytes()));
    let public = key.public_key().to_spki_der().expect("it can be written");
    write("keys", "dsa-public-der", &with(&[0], &public));
    write(
        "keys",
        "dsa-public-pem",
        &with(&[1], key.public_key().to_pem().expect("it can be written").as_bytes()),
    );
    let signer =
        dsa::Signer::new(key, dsa::Hash::Sha256, moduli::MemorySize::kib(4)).expect("4 KiB hold a table");
    let signature = signer.sign(b"message").expect("the key is right");
    let fixed = dsa::signature_to_fixed(&domain, &signature).expect("it is of this group");
    let der = pkcs8::der::Encode::to_der(&signature).expect("it can be written");
    write("keys", "dsa-signature", &with(&[3], &der));
    for (name, signature) in [("dsa-verified-der", &der), ("dsa-verified-fixed", &fixed)] {
        write("keys", name, &with(&with(&[2, signature.len() as u8, 0], signature), &public));
    }
    let pem = include_str!("../../../crates/moduli/src/scheme/rsa/example.pem");
    write("keys", "rsa-private-pem", &with(&[1], pem.as_bytes()));
    let (_, private) = pkcs8::der::pem::decode_vec(pem.as_bytes()).expect("it is PEM");
    write("keys", "rsa-private-der", &with(&[0], &private));
    let key = rsa::PrivateKey::from_pem(pem).expect("the example is right");
    let public = key.public_key();
    write("keys", "rsa-public-pem", &with(&[1], public.to_pem().expect("it can be written").as_bytes()));
    let public = public.to_spki_der().expect("it can be written");
    write("keys", "rsa-public-der", &with(&[0], &public));
    let signer = rsa::Signer::new(key, rsa::Scheme::pkcs1(rsa::Hash::Sha512)).expect("there is room");
    let signature = signer.sign(&mut getrandom::SysRng, b"message").expect("the key is right");
    let length = (signature.as_bytes().len() as u16).to_le_bytes();
    write("keys", "rsa-verified", &with(&with(&with(&[2], &length), signature.as_bytes()), &public));

    let texts = ["0x12ab", "-1f", "FFFFFFFFFFFFFFFF0", "", "0x", "12g4", " 7 ", "é"];
    for (index, text) in texts.iter().enumerate() {
        write("command", &format!("number-{index}"), &with(&[1], text.as_bytes()));
    }
    for (index, text) in
        ["1MiB", "64KiB", "2GiB", "65536 B", "sha256", "SHA-512", "adx", "dsa-2048-256"].iter().enumerate()
    {
        write("command", &format!("name-{index}"), &with(&[2], text.as_bytes()));
    }
    let methods =
        ["radix:16", "comb:4,2", "comb:4,3,2", "m0m1:11,8", "residue-digits:101,10", "comb:24,1", "radix:-1"];
    for (index, text) in methods.iter().enumerate() {
        write("command", &format!("method-{index}"), &with(&[3], text.as_bytes()));
    }
    for (index, text) in ["1\n-0x2\r\n 3 \n4", "1\n2\nx\n4\n", "\n", "5\n5\n5\n", "f\n\n"].iter().enumerate()
    {
        write("command", &format!("lines-{index}"), &with(&[0, 2], text.as_bytes()));
    }

    // Enough bytes to fill every field, in each place where one byte chooses.
    let pattern = |seed: u8, length: u16| -> Vec<u8> {
        (0..length).map(|i| ((u32::from(i) * 37 + u32::from(seed) * 101) >> (i % 3)) as u8).collect()
    };
    for choice in 0..24u8 {
        let bits = u32::from(choice) * 21;
        write("planner", &format!("plan-{choice:02}"), &with(&bits.to_le_bytes(), &pattern(choice, 100)));
    }
    for operation in 0..9u8 {
        for limbs in [0u8, 1, 3, 7, 15, 31] {
            let name = format!("operation-{operation}-{:02}", limbs + 1);
            write(
                "arithmetic",
                &name,
                &with(&[operation, limbs, limbs], &pattern(operation, 24 * u16::from(limbs) + 64)),
            );
            let edges = [2, 200, 0, 0, 0, 0, 3, 5, 255, 1, 4].repeat(8);
            write(
                "arithmetic",
                &format!("edges-{operation}-{:02}", limbs + 1),
                &with(&[operation, limbs, 0], &edges),
            );
        }
    }
    for method in 0..7u8 {
        for (channels, width) in [(15u8, 56u8), (15, 25), (7, 16), (2, 9)] {
            let bits = (u32::from(channels) + 1) * (u32::from(width) + 7) * 2 / 3;
            let head = [method, channels, width, bits.min(159) as u8, 100];
            write("rns", &format!("method-{method}-{width:02}"), &with(&head, &pattern(method, 120)));
        }
    }
}
