use std::sync::atomic::{AtomicU64, Ordering};

use moduli::{
    Error, Expected, KernelChoice,
    error::{ParameterError, TableError},
};

use crate::table_file::{SHAPES, build, bytes_of, forge, group, modulus, read};

#[test]
fn every_wrong_entry_under_a_right_checksum_is_found() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    for &(method, split) in SHAPES {
        let table = build(&p, &g, method, split, 10);
        let bytes = bytes_of(&table);
        let entries = table.shape().entries() as usize;
        let size = table.table_bytes().0 as usize / entries;
        let body = bytes.len() - 32 - entries * size;
        for index in 0..entries {
            // Replaces one residue, in one piece of the entry, by 1.
            let piece = index % split as usize * 24;
            let offset = body + index * size + piece;
            let forged = forge::with(&bytes, offset, &[&[1], &[0; 23][..]].concat());
            let opened = read(&forged, &Expected::base_unverified(&p, &g)).unwrap();
            let wrong = Err(Error::Table(TableError::Entry { index: index as u64 }));
            assert_eq!(opened.verify(None, &|_| {}), wrong, "{method} split {split}");
            assert_eq!(opened.verify(Some(entries as u64), &|_| {}), wrong, "{method} split {split}");
        }
    }
}

#[test]
fn the_first_wrong_entry_of_several_chunks_is_named() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let table = build(&p, &g, "comb:12,1", 1, 130);
    let mut bytes = bytes_of(&table);
    let body = bytes.len() - 32 - 4095 * 24;
    for index in [4094, 3000, 2047, 1234] {
        bytes = forge::with(&bytes, body + index * 24, &[0; 24]);
        let opened = read(&bytes, &Expected::base_unverified(&p, &g)).unwrap();
        for sample in [None, Some(4095)] {
            let found = opened.verify(sample, &|_| {});
            assert_eq!(found, Err(Error::Table(TableError::Entry { index: index as u64 })));
        }
    }
    // All entries are wrong, so threads find several at once.
    let bytes = forge::with(&bytes, body, &[0; 4095 * 24]);
    let opened = read(&bytes, &Expected::base_unverified(&p, &g)).unwrap();
    for _ in 0..100 {
        assert_eq!(opened.verify(None, &|_| {}), Err(Error::Table(TableError::Entry { index: 0 })));
        assert_eq!(opened.verify(Some(4095), &|_| {}), Err(Error::Table(TableError::Entry { index: 0 })));
    }
}

#[test]
fn samples_are_as_large_as_asked_and_spread() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let table = build(&p, &g, "radix:50", 1, 130);
    let entries = table.shape().entries();
    for (sample, checked) in
        [(Some(1), 1), (Some(8), 8), (Some(10), entries), (Some(entries + 7), entries), (None, entries)]
    {
        let (calls, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let progress = |done| {
            calls.fetch_add(1, Ordering::Relaxed);
            most.fetch_max(done, Ordering::Relaxed);
        };
        table.verify(sample, &progress).unwrap();
        assert_eq!(most.into_inner(), checked);
        // All entries are recomputed in chunks.
        if checked < entries {
            assert_eq!(calls.into_inner(), checked);
        }
    }
    let zero = table.verify(Some(0), &|_| {});
    assert!(matches!(zero, Err(Error::Parameter(ParameterError { name: "sample", .. }))));

    // Half of the table is wrong. A sample of two parts always finds it, whichever half it is.
    let bytes = bytes_of(&table);
    let body = bytes.len() - 32 - entries as usize * 24;
    let half = entries as usize / 2 * 24;
    for start in [body, bytes.len() - 32 - half] {
        let opened =
            read(&forge::with(&bytes, start, &vec![0; half]), &Expected::base_unverified(&p, &g)).unwrap();
        for _ in 0..20 {
            assert!(matches!(opened.verify(Some(2), &|_| {}), Err(Error::Table(TableError::Entry { .. }))));
        }
    }
}
