//! Proved code is found in a file, and one changed byte in a copy of the file is noticed.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use checkmem::elf::Elf;
use moduli_kernel::KernelChoice;
use prove::{
    proof::Job,
    shipped::{Code, Pattern, find, patterns},
    specification::Operation,
};
use std::path::Path;

/// This program, whose code was executed.
fn own() -> Elf {
    Elf::read(Path::new("/proc/self/exe")).unwrap()
}

fn missing<'a>(patterns: &'a [Pattern], file: &Elf) -> Vec<&'a str> {
    let found = find(patterns, file);
    patterns.iter().zip(found).filter(|(_, is_there)| !is_there).map(|(pattern, _)| &*pattern.name).collect()
}

#[test]
fn a_changed_byte_is_noticed() {
    let mut code = Code::new();
    for (operation, bits) in [(Operation::Mul, 128), (Operation::Square, 900), (Operation::Add, 128)] {
        code.extend(Job { kernel: KernelChoice::PORTABLE, operation, bits }.prove().unwrap().code);
    }
    let patterns = patterns(&code);
    assert!(patterns.len() > 5, "{} functions", patterns.len());
    assert!(patterns.iter().any(|pattern| pattern.name.contains("multiply_words")));
    let mut copy = own();
    assert_eq!(missing(&patterns, &copy), Vec::<&str>::new());
    for pattern in &patterns {
        let addresses: Vec<_> = pattern.addresses().collect();
        // A single jump occurs at other places, too.
        if addresses.len() < 16 {
            continue;
        }
        let address = addresses[addresses.len() / 2];
        let byte = copy.at(address, 1).unwrap()[0];
        assert!(copy.change(address, byte ^ 1));
        assert!(missing(&patterns, &copy).contains(&&*pattern.name), "{}", pattern.name);
        copy.change(address, byte);
        // A call of another function is noticed as well, though the distance itself is not compared.
        for address in pattern.leads().take(1) {
            let byte = copy.at(address, 1).unwrap()[0];
            copy.change(address, byte ^ 0x10);
            assert!(missing(&patterns, &copy).contains(&&*pattern.name), "{} leads elsewhere", pattern.name);
            copy.change(address, byte);
        }
    }
    assert!(patterns.iter().any(|pattern| pattern.leads().count() > 0));
    assert_eq!(missing(&patterns, &copy), Vec::<&str>::new());
}

#[test]
fn files_that_are_not_elf_are_not_parsed() {
    assert!(Elf::parse(b"\x7fELF\x01\x01".to_vec()).is_none());
    assert!(Elf::parse(b"\x7fELF\x02\x01".to_vec()).is_none());
    assert!(Elf::read(Path::new("/proc/self/status")).is_none());
}
