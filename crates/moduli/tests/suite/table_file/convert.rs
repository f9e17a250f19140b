use moduli::{Expected, FixedBase, KernelChoice, error::TableError};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};

use crate::table_file::{
    Directory, SHAPES, build, bytes_of, forge, group, hex, modulus, open_mapped, read, reason,
};

const KERNELS: [KernelChoice; 3] = [KernelChoice::PORTABLE, PORTABLE8, PORTABLE4];

#[test]
fn tables_move_between_all_layouts() {
    let (p, g, order) = group();
    let exponent = hex("123456789abcdef");
    for from in KERNELS {
        for to in KERNELS.into_iter().filter(|&to| to != from) {
            let (p, q) = (modulus(&p, from), modulus(&p, to));
            for &(method, split) in SHAPES {
                let table = build(&p, &g, method, split, 60);
                let found = read(&bytes_of(&table), &Expected::base(&q, &g)).unwrap();
                assert!(found.was_converted() && !found.is_mapped());
                assert_eq!(found.shape(), table.shape());
                assert_eq!(found.modulus().kernel_name(), q.kernel_name());
                // The same bits as the other kernel would build.
                assert_eq!(bytes_of(&found), bytes_of(&build(&q, &g, method, split, 60)));
                assert_eq!(found.pow(&exponent).unwrap(), table.pow(&exponent).unwrap());
                found.verify(None, &|_| {}).unwrap();
            }
            let builder = FixedBase::builder(&p, &g).exponent_bits(32).method("comb:4,2".parse().unwrap());
            let table = builder.order(&order).build().unwrap();
            let found = read(&bytes_of(&table), &Expected::base(&q, &g)).unwrap();
            assert_eq!(found.order(), Some(&order));
        }
    }
}

/// Kernels on limbs share one layout: each can use the tables of the others unchanged, also mapped.
#[test]
fn kernels_on_limbs_share_their_tables() {
    let fast = if cfg!(target_arch = "aarch64") { KernelChoice::AARCH64 } else { KernelChoice::ADX };
    let kernels = [KernelChoice::PORTABLE, fast];
    let p = hex(&format!("{}3", "fedcba9876543210".repeat(21)));
    let directory = Directory::new();
    for (from, to) in [(kernels[0], kernels[1]), (kernels[1], kernels[0])] {
        if !kernels.iter().all(|kernel| kernel.is_supported()) {
            continue;
        }
        let (p, q) = (modulus(&p, from), modulus(&p, to));
        for split in [1, 2, 5, 11, 22] {
            let table = build(&p, &hex("2"), "comb:4,2", split, 60);
            assert_eq!(
                bytes_of(&table),
                bytes_of(&build(&q, &hex("2"), "comb:4,2", split, 60)),
                "split {split}"
            );
            let path = directory.path(&format!("{}-{split}", from.name()));
            table.save(&path).unwrap();
            let found = open_mapped(&path, &Expected::base(&q, &hex("2"))).unwrap();
            assert!(!found.was_converted() && found.is_mapped());
            assert_eq!(found.modulus().kernel_name(), to.name());
            found.verify(None, &|_| {}).unwrap();
        }
    }
}

#[test]
fn a_split_too_fine_for_the_running_kernel_becomes_coarser() {
    let p = hex("3ffdd");
    let (small, large) = (modulus(&p, PORTABLE4), modulus(&p, KernelChoice::PORTABLE));
    let g = hex("3fabc");
    let found = read(&bytes_of(&build(&small, &g, "comb:4,2", 4, 30)), &Expected::base(&large, &g)).unwrap();
    assert!(found.was_converted());
    assert_eq!(found.shape().split(), 1);
    assert_eq!(bytes_of(&found), bytes_of(&build(&large, &g, "comb:4,2", 1, 30)));
}

#[test]
fn a_file_for_another_layout_is_not_mapped() {
    let (p, g, _) = group();
    let directory = Directory::new();
    let path = directory.path("table");
    build(&modulus(&p, PORTABLE8), &g, "comb:4,2", 1, 30).save(&path).unwrap();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let found = open_mapped(&path, &Expected::base(&p, &g)).unwrap();
    assert!(found.was_converted() && !found.is_mapped());
    found.verify(None, &|_| {}).unwrap();
}

#[test]
fn a_wrong_entry_stays_wrong() {
    let (p, g, _) = group();
    let bytes = bytes_of(&build(&modulus(&p, KernelChoice::PORTABLE), &g, "comb:4,2", 1, 30));
    let start = bytes.len() - 32 - 24 * 9;
    let forged = forge::with(&bytes, start, &[&[9], &[0; 23][..]].concat());
    let p = modulus(&p, PORTABLE8);
    let found = read(&forged, &Expected::base_unverified(&p, &g)).unwrap();
    assert_eq!(found.verify(None, &|_| {}), Err(moduli::Error::Table(TableError::Entry { index: 30 - 9 })));
}

#[test]
fn an_unknown_layout_is_named() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let bytes = bytes_of(&build(&p, &g, "comb:4,2", 1, 30));
    let directory = Directory::new();
    // A layout that never existed, and a former one of ifma52.
    for (layout, name) in [(b"abacus7 ", "abacus7"), (b"strips52", "strips52")] {
        let path = directory.file(name, &forge::with(&bytes, forge::LAYOUT, layout));
        for found in
            [FixedBase::open(&path, &Expected::base(&p, &g)), open_mapped(&path, &Expected::base(&p, &g))]
        {
            assert!(reason(found, &path).contains(&format!("layout \"{name}\"")));
        }
        // `TableInfo` can still read it.
        let info = moduli::TableInfo::read(&path).unwrap();
        assert_eq!(info.layout(), name);
        assert_eq!(info.base(), &g);
    }
}
