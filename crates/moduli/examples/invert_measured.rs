//! Inversions side by side: `cargo run --release -p moduli --example invert_measured`.
use crypto_bigint::BoxedUint;
use moduli::Modulus;
use std::time::Instant;

fn random(seed: &mut u64, bits: u32) -> BoxedUint {
    let mut bytes = vec![0u8; bits.div_ceil(8) as usize];
    for b in bytes.iter_mut() {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *b = (*seed >> 56) as u8;
    }
    let excess = bytes.len() as u32 * 8 - bits;
    bytes[0] &= 0xff >> excess;
    bytes[0] |= 0x80 >> excess;
    *bytes.last_mut().unwrap() |= 1;
    BoxedUint::from_be_slice_vartime(&bytes)
}

fn main() {
    let mut seed = 7;
    for bits in [256, 384, 521, 1024, 2048, 3072, 4096] {
        let m = random(&mut seed, bits);
        let p = Modulus::new(&m).unwrap();
        let mut x = random(&mut seed, bits);
        x = p.reduce(&x);
        while p.invert_vartime(&x).is_err() {
            x = p.reduce(&random(&mut seed, bits));
        }
        let a: BoxedUint = p.invert(&x).unwrap();
        assert_eq!(a, p.invert_vartime(&x).unwrap());
        assert_eq!(a, x.invert_odd_mod(p.value()).unwrap());
        assert_eq!(p.mul(&a, &x), BoxedUint::one());
        let mut t: [Vec<u128>; 6] = Default::default();
        let (y, z) = (p.element(&x), p.element(&a));
        for _ in 0..400000 / bits.max(1) {
            let mut run = |k: usize, f: &dyn Fn()| {
                let s = Instant::now();
                f();
                t[k].push(s.elapsed().as_nanos());
            };
            run(0, &|| {
                std::hint::black_box(p.invert(&x).unwrap());
            });
            run(1, &|| {
                std::hint::black_box(p.invert_vartime(&x).unwrap());
            });
            run(2, &|| {
                std::hint::black_box(x.invert_odd_mod(p.value()).unwrap());
            });
            run(3, &|| {
                std::hint::black_box(x.invert_odd_mod_vartime(p.value()).unwrap());
            });
            run(4, &|| {
                std::hint::black_box(p.reduce(&x));
            });
            run(5, &|| {
                std::hint::black_box(y.mul(&z).unwrap());
            });
        }
        let m = t.map(|mut v| {
            v.sort();
            (v[v.len() / 2], v[0])
        });
        println!(
            "{bits}: ours {:?} var {:?} lib {:?} libvar {:?} reduce {:?} mul {:?}",
            m[0], m[1], m[2], m[3], m[4], m[5]
        );
    }
}
