//! The cache of prepared moduli.

use crypto_bigint::BoxedUint;
use moduli::{MemorySize, Modulus, ModulusCache};
use std::thread;

static SHARED: ModulusCache = ModulusCache::new(MemorySize::kib(64));

fn number(value: u64) -> BoxedUint {
    BoxedUint::from(value)
}

/// Threads that request more moduli than fit get the right ones, and the cache stays within its
/// budget.
#[test]
fn threads_share_one() {
    thread::scope(|scope| {
        for i in 0..4u64 {
            scope.spawn(move || {
                for p in (3..603).step_by(2) {
                    let cube = SHARED.modulus(&number(p)).unwrap().pow(&number(i), &number(3));
                    assert_eq!(cube, number(i.pow(3) % p), "{i}^3 modulo {p}");
                }
            });
        }
    });
    assert!((30..=64).contains(&SHARED.len()), "{}", SHARED.len());
}

/// The least recently used moduli are dropped first. One that exceeds the budget is kept alone.
#[test]
fn the_least_recently_used_go() {
    // Enough for two moduli of one limb, not for three.
    let cache = ModulusCache::new(MemorySize(2600));
    let is_kept = |p: u64| {
        let kernel = |modulus: &Modulus| std::ptr::from_ref(modulus.value());
        let [one, other] = [(); 2].map(|()| cache.modulus(&number(p)).unwrap());
        assert_eq!(kernel(&one), kernel(&other), "kept after it was asked for");
        cache.len()
    };
    assert!(cache.is_empty());
    assert_eq!((is_kept(3), is_kept(5)), (1, 2));
    let three = cache.modulus(&number(3)).unwrap();
    assert_eq!(is_kept(7), 2);
    // 5 was dropped, not 3, although 3 was inserted first.
    assert!(std::ptr::eq(three.value(), cache.modulus(&number(3)).unwrap().value()));
    let long = BoxedUint::max(4096);
    cache.modulus(&long).unwrap();
    assert_eq!(cache.len(), 1);
    assert!(!std::ptr::eq(three.value(), cache.modulus(&number(3)).unwrap().value()));
    assert_eq!(format!("{cache:?}"), "ModulusCache(1 moduli)");
    cache.clear();
    assert!(cache.is_empty());
}

/// Leading zeros do not matter, and rejected numbers are not cached.
#[test]
fn the_same_number_and_refused_ones() {
    let cache = ModulusCache::new(MemorySize::mib(1));
    let p = cache.modulus(&number(0xf_4243)).unwrap();
    let padded = BoxedUint::from_be_slice(&[&[0; 125][..], &[0xf, 0x42, 0x43]].concat(), 1024).unwrap();
    assert!(std::ptr::eq(p.value(), cache.modulus(&padded).unwrap().value()));
    for refused in [0, 1, 10] {
        assert_eq!(
            cache.modulus(&number(refused)).unwrap_err().to_string(),
            Modulus::new(&number(refused)).unwrap_err().to_string()
        );
    }
    assert!(cache.modulus(&BoxedUint::zero_with_precision(0)).is_err());
    assert_eq!(cache.len(), 1);
}
