use std::{path::PathBuf, process::Command, thread};

use moduli::{Expected, FixedBase, KernelChoice};

use crate::table_file::{Directory, build, group, hex, modulus, open_mapped};

const PATH: &str = "MODULI_TEST_MAPPED_TABLE";

fn exponents() -> impl Iterator<Item = crypto_bigint::BoxedUint> {
    (0..40u64).map(|i| crypto_bigint::BoxedUint::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 4))
}

fn check(table: &FixedBase) {
    for k in exponents() {
        let power = table.modulus().pow_vartime(table.base(), &k).unwrap();
        assert_eq!(table.pow(&k).unwrap(), power);
    }
}

#[test]
fn threads_and_processes_read_one_map() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let directory = Directory::new();
    let path = directory.path("table");
    build(&p, &g, "comb:6,2", 2, 64).save(&path).unwrap();
    let table = open_mapped(&path, &Expected::base(&p, &g)).unwrap();
    let children: Vec<_> = (0..2)
        .map(|_| {
            let mut child = Command::new(std::env::current_exe().unwrap());
            child
                .args(["--ignored", "--exact", "table_file::share::a_process_that_reads_the_map"])
                .env(PATH, &path);
            child.output()
        })
        .collect();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| check(&table));
        }
    });
    for child in children {
        let output = child.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
}

#[test]
#[ignore = "run by threads_and_processes_read_one_map, in processes of their own"]
fn a_process_that_reads_the_map() {
    let path = PathBuf::from(std::env::var_os(PATH).unwrap());
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let table = open_mapped(&path, &Expected::base(&p, &g)).unwrap();
    assert!(table.is_mapped());
    #[cfg(target_os = "linux")]
    {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with(path.to_str().unwrap())).unwrap();
        assert!(line.contains(" r--s "), "{line}");
    }
    check(&table);
}

#[test]
fn a_map_outlives_the_replacement_of_its_file() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let directory = Directory::new();
    let path = directory.path("table");
    build(&p, &g, "comb:6,2", 1, 64).save(&path).unwrap();
    let table = open_mapped(&path, &Expected::base(&p, &g)).unwrap();
    build(&p, &hex("2"), "radix:4", 1, 64).save(&path).unwrap();
    check(&table);
    table.verify(None, &|_| {}).unwrap();
    assert!(open_mapped(&path, &Expected::base(&p, &g)).is_err());
}
