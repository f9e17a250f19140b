use std::fs;

use moduli::{Error, Expected, FixedBase, KernelChoice, TableInfo};

use crate::table_file::{Directory, build, bytes_of, group, hex, modulus, open_mapped, read, reason};

fn is_file_error<T>(result: Result<T, Error>) -> bool {
    matches!(result.map(|_| ()), Err(Error::File(error)) if error.path == "-")
}

/// A small file with an order in its header.
fn small() -> (moduli::Modulus, FixedBase) {
    let (p, g, order) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let builder = FixedBase::builder(&p, &g).exponent_bits(32).method("comb:4,2".parse().unwrap()).split(2);
    let table = builder.order(&order).build().unwrap();
    (p, table)
}

#[test]
fn every_flipped_bit_is_found() {
    let (p, table) = small();
    let bytes = bytes_of(&table);
    let expected = Expected::base(&p, table.base());
    assert!(read(&bytes, &expected).is_ok());
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(is_file_error(read(&damaged, &expected)), "bit {bit}");
    }
}

#[test]
fn every_cut_is_found() {
    let (p, table) = small();
    let bytes = bytes_of(&table);
    let expected = Expected::base(&p, table.base());
    for length in 0..bytes.len() {
        let cut = &bytes[..length];
        assert!(is_file_error(read(cut, &expected)), "{length} bytes");
        // The same with a wrong length.
        let lie = FixedBase::read_from(cut, bytes.len() as u64, &expected).map(|_| ());
        assert_eq!(lie, Err(Error::file("-", "ends early")));
    }
}

#[test]
fn truncated_files_are_detected_in_memory_and_mapped() {
    let (p, table) = small();
    let bytes = bytes_of(&table);
    let expected = Expected::base(&p, table.base());
    let directory = Directory::new();
    for length in (0..bytes.len()).step_by(61).chain(bytes.len() - 33..bytes.len()) {
        let path = directory.file("table", &bytes[..length]);
        let reasons = [FixedBase::open(&path, &expected), open_mapped(&path, &expected)];
        for found in reasons {
            reason(found, &path);
        }
        reason(TableInfo::read(&path), &path);
    }
}

#[test]
fn appended_bytes_are_found() {
    let (p, table) = small();
    let mut bytes = bytes_of(&table);
    let length = bytes.len() as u64;
    let expected = Expected::base(&p, table.base());
    let directory = Directory::new();
    for more in [1, 7, 8, 64, 4096] {
        bytes.resize(length as usize + more, 0);
        assert!(is_file_error(read(&bytes, &expected)));
        let path = directory.file("table", &bytes);
        reason(FixedBase::open(&path, &expected), &path);
        reason(open_mapped(&path, &expected), &path);
        reason(TableInfo::read(&path), &path);
        // The stream continues after the given length.
        let lie = FixedBase::read_from(&bytes[..], length, &expected).map(|_| ());
        let goes_on = Error::file("-", "continues after its checksum");
        assert_eq!(lie, Err(goes_on));
    }
}

#[test]
fn foreign_files_are_refused() {
    let (p, table) = small();
    let expected = Expected::base(&p, table.base());
    let directory = Directory::new();
    let check = |path: &std::path::Path, what: &str| {
        for found in [FixedBase::open(path, &expected), open_mapped(path, &expected)] {
            assert!(reason(found, path).contains(what), "{path:?}");
        }
        assert!(reason(TableInfo::read(path), path).contains(what), "{path:?}");
    };
    fs::create_dir(directory.path("directory")).unwrap();
    check(&directory.path("directory"), "not a regular file");
    check(&directory.path("missing"), "No such file");
    check(
        &directory.file("text", "All that is gold does not glitter.\n".repeat(9).as_bytes()),
        "not a table file",
    );
    check(&directory.file("zeros", &[0; 4096]), "not a table file");
    check(&directory.file("later", &[b"\x89moduli\n\x02\0\0\0".as_slice(), &[0; 200]].concat()), "version 2");
    let empty = directory.file("empty", b"");
    assert_eq!(reason(FixedBase::open(&empty, &expected), &empty), "is too short to be a table file");
    assert_eq!(reason(open_mapped(&empty, &expected), &empty), "is empty");
    #[cfg(unix)]
    {
        check("/dev/zero".as_ref(), "not a regular file");
        check("/dev/null".as_ref(), "not a regular file");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_waiting() {
    let (p, table) = small();
    let directory = Directory::new();
    let path = directory.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    let expected = Expected::base(&p, table.base());
    assert_eq!(reason(FixedBase::open(&path, &expected), &path), "is not a regular file");
    assert_eq!(reason(open_mapped(&path, &expected), &path), "is not a regular file");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let (p, table) = small();
    let directory = Directory::new();
    let path = directory.file("table", &bytes_of(&table));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let found = FixedBase::open(&path, &Expected::base(&p, table.base()));
    // The superuser may read it nevertheless.
    if fs::read(&path).is_err() {
        assert!(reason(found, &path).contains("ermission"));
    } else {
        assert!(found.is_ok());
    }
}

#[test]
fn a_table_of_one_entry() {
    let p = modulus(&hex("3"), KernelChoice::PORTABLE);
    let g = hex("2");
    let table = build(&p, &g, "radix:2", 1, 1);
    let bytes = bytes_of(&table);
    let found = read(&bytes, &Expected::base(&p, &g)).unwrap();
    assert_eq!(found.pow(&hex("1")).unwrap(), g);
    found.verify(None, &|_| {}).unwrap();
    found.verify(Some(u64::MAX), &|_| {}).unwrap();
}
