//! A header that claims absurd sizes causes no large allocation.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, Modulus};

#[path = "suite/table_file/forge.rs"]
#[allow(dead_code)]
mod forge;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: passes every call unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(HELD.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller fulfils the same conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller fulfils the same conditions.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn fields(file: &[u8], changes: &[(usize, &[u8])]) -> Vec<u8> {
    changes.iter().fold(file.to_vec(), |file, &(offset, bytes)| forge::with(&file, offset, bytes))
}

#[test]
fn absurd_claims_allocate_next_to_nothing() {
    let p = Modulus::new(&BoxedUint::from(1_000_003u64)).unwrap();
    let g = BoxedUint::from(2u64);
    let table = FixedBase::builder(&p, &g).exponent_bits(20).method("comb:4,2".parse().unwrap());
    let mut file = Vec::new();
    table.build().unwrap().write_to(&mut file).unwrap();
    let many = (1u64 << 60).to_le_bytes();
    let large = (1u32 << 31).to_le_bytes();
    let cases: &[&[(usize, &[u8])]] = &[
        &[(forge::ENTRIES, &many)],
        &[(forge::ENTRY_WORDS, &many)],
        &[(forge::RESIDUE_WORDS, &many)],
        &[(forge::ENTRIES, &many), (forge::ENTRY_WORDS, &many)],
        &[(forge::MODULUS_BYTES, &large)],
        &[(forge::MODULUS_BYTES, &[0xff; 12])],
        &[(forge::BASE_BYTES, &large)],
        &[(forge::ORDER_BYTES, &large)],
        &[(12, &large)],
        &[(12, &[0xc0, 0xff, 0xff, 0xff]), (forge::MODULUS_BYTES, &[0xff; 12])],
        &[(forge::EXPONENT_BITS, &large)],
        &[(forge::SPLIT, &large)],
        &[(forge::SPLIT, &[0xff; 4])],
        // 2^17 tables of 24 teeth; a radix of 24 bits; rows of 2^24 entries.
        &[(forge::PARAMETERS, &[24, 0, 0, 0, 0, 0, 2, 0]), (forge::EXPONENT_BITS, &[0, 0, 2, 0])],
        &[
            (forge::METHOD, &[1, 0, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0]),
            (forge::EXPONENT_BITS, &[0, 0, 2, 0]),
        ],
        &[
            (forge::METHOD, &[4, 0, 0, 0, 0xff, 0xff, 0xff, 0, 2, 0, 0, 0]),
            (forge::EXPONENT_BITS, &[0, 0, 2, 0]),
        ],
        &[(forge::METHOD, &[4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0])],
    ];
    for case in cases {
        let forged = fields(&file, case);
        let before = HELD.load(Relaxed);
        PEAK.store(before, Relaxed);
        let expected = Expected::digest(forge::digest(&forged));
        let opened = FixedBase::read_from(&forged[..], forged.len() as u64, &expected);
        assert!(matches!(opened.map(|_| ()), Err(Error::File(_))), "{case:?}");
        let most = PEAK.load(Relaxed) - before;
        assert!(most < 8 << 20, "{case:?}: {most} bytes");
    }

    // A valid file needs a little more memory than its own length.
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let found = FixedBase::read_from(&file[..], file.len() as u64, &Expected::base(&p, &g));
    assert!(found.is_ok() && PEAK.load(Relaxed) - before < 1 << 20);
}
