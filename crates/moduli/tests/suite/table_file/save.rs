use std::{fs, path::Path};

use moduli::{Expected, FixedBase, KernelChoice};

use crate::table_file::{Directory, build, group, modulus, reason};

fn table() -> FixedBase {
    let (p, g, _) = group();
    build(&modulus(&p, KernelChoice::PORTABLE), &g, "comb:4,2", 1, 30)
}

#[test]
fn a_missing_directory() {
    let directory = Directory::new();
    let path = directory.path("missing").join("table");
    assert!(reason(table().save(&path), &path).contains("No such file"));
    assert!(directory.names().is_empty());
}

#[test]
fn a_place_where_nothing_can_be_written() {
    let directory = Directory::new();
    let file = directory.file("file", b"content");
    let path = file.join("table");
    reason(table().save(&path), &path);
    assert_eq!(directory.names(), ["file"]);
    assert_eq!(fs::read(&file).unwrap(), b"content");
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_is_read_only() {
    // This fails even for the superuser.
    let path = Path::new("/proc/self/table");
    reason(table().save(path), path);
    assert!(!path.exists());

    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let inner = directory.path("inner");
    fs::create_dir(&inner).unwrap();
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).unwrap();
    let path = inner.join("table");
    let left = if table().save(&path).is_ok() { 1 } else { 0 };
    assert_eq!(fs::read_dir(&inner).unwrap().count(), left);
}

#[test]
fn an_output_that_is_not_a_file_is_not_replaced() {
    let directory = Directory::new();
    let path = directory.path("directory");
    fs::create_dir(&path).unwrap();
    assert_eq!(reason(table().save(&path), &path), "Is a directory (os error 21)");
    assert_eq!(directory.names(), ["directory"]);
    for path in ["", "/", ".."] {
        reason(table().save(path), Path::new(path));
    }
    #[cfg(unix)]
    reason(table().save("/dev/null"), Path::new("/dev/null"));
}

#[test]
fn an_older_file_is_replaced() {
    let directory = Directory::new();
    let path = directory.file("table", b"something older");
    let table = table();
    table.save(&path).unwrap();
    FixedBase::open(&path, &Expected::base(table.modulus(), table.base())).unwrap();
    assert_eq!(directory.names(), ["table"]);
}
