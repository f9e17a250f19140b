//! Every operation of every kernel is constant-time. An interpreter follows secrets through the compiled
//! code, and reports every branch and address that depends on one. Under valgrind, the tests do the same
//! without AVX-512.
//!
//! They run in release builds, as part of `make check-constant-time`. In other builds, where overflow checks
//! branch on secrets, they check only the results.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use checkmem::{assert_constant_time, classify, declassify};
use moduli_kernel::{
    Arithmetic, DualSession, KernelChoice, Words,
    internals::{self, IFMA52_POWERS},
};

/// Runs a test in an environment that follows secrets, with all kernels.
fn watch(test: fn()) {
    internals::ask_whether_emulated(checkmem::is_interpreted);
    checkmem::watch(test);
}

/// Secret operands, and a kernel for them.
struct Subject {
    bits: u32,
    arithmetic: Arithmetic,
    x: Words,
    y: Words,
    z: Words,
}

impl Subject {
    /// The modulus 2^(64·limbs) − 1; x = y = z = 2.
    fn new(choice: KernelChoice, limbs: u32) -> Self {
        Self::of_bits(choice, 64 * limbs)
    }

    /// The modulus 2^bits − 1.
    fn of_bits(choice: KernelChoice, bits: u32) -> Self {
        let mut modulus = vec![u64::MAX; bits.div_ceil(64) as usize];
        if let (Some(top), false) = (modulus.last_mut(), bits.is_multiple_of(64)) {
            *top >>= 64 - bits % 64;
        }
        let arithmetic = Arithmetic::new(&modulus, choice).unwrap();
        let mut session = arithmetic.session(None);
        let [x, y, z] = [(); 3].map(|()| {
            let mut two = Words::copy_of(arithmetic.one());
            session.add(&mut two, arithmetic.one());
            classify(&mut two);
            two
        });
        drop(session);
        Self { bits, arithmetic, x, y, z }
    }

    fn name(&self) -> String {
        format!("{:?} at {} bits", self.arithmetic.choice(), self.bits)
    }

    #[track_caller]
    fn assert_value(&self, residue: &[u64], expected: u64) {
        let mut session = self.arithmetic.session(None);
        let mut value = session.value();
        session.from_montgomery(&mut value, residue);
        declassify(&value);
        assert!(
            value[0] == expected && value[1..].iter().all(|&word| word == 0),
            "{}: {expected}",
            self.name()
        );
    }
}

/// The kernels that run here, natively or interpreted, and the form of residues for powers.
fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().chain([IFMA52_POWERS]).filter(|choice| choice.is_supported())
}

/// Kernels use different methods for different lengths, and a mistake can affect a single length. So the
/// tests use every length up to 4160 bits and some more, with full limbs and with some bits less.
fn subjects() -> impl Iterator<Item = Subject> {
    let lengths =
        (2..=65).chain([80, 97, 128]).flat_map(|limbs| [64 * limbs, 64 * limbs - 1 - 7 * limbs % 63]);
    kernels().flat_map(move |choice| {
        let there = lengths.clone().filter(move |&bits| choice.foreseen(bits).is_ok());
        there.map(move |bits| Subject::of_bits(choice, bits))
    })
}

#[test]
fn operations_of_every_kernel() {
    watch(|| {
        for mut subject in subjects() {
            let what = subject.name();
            let Subject { arithmetic, x, y, z, .. } = &mut subject;
            let mut session = arithmetic.session(None);
            let (size, max_split) = (session.residue_words(), session.dimensions().max_split);
            let [mut value, mut stored] = [session.value(), session.residue()];
            let mut index = [1u64, 2, u64::MAX];
            classify(&mut index);
            assert_constant_time(&what, || {
                for split in [1, 2, max_split].map(|split| split.min(max_split)) {
                    let mut prepared = Words::zero(session.prepared_words(split));
                    session.prepare(&mut prepared, z, split);
                    session.mul_prepared(x, &prepared, split);
                }
                session.mul(x, y);
                session.square(x);
                session.mul_pair(x, y, z);
                session.add(x, y);
                session.sub(x, y);
                session.sub(x, y);
                session.from_montgomery(&mut value, x);
                session.to_montgomery(x, &value);
                session.load(&mut stored, &value);
                session.store(&mut value, &stored);
                // Entries 0, 1, 2 and one past the end.
                let mut row = Words::zero(2 * size);
                session.replace(&mut row, x, index[0]);
                session.replace(&mut row, y, index[0].wrapping_sub(1));
                for index in index {
                    session.select(&mut stored, z, &row, index);
                }
                session.select(&mut stored, z, &row, index[1]);
                session.swap(x, &mut stored, index[2]);
                session.swap(x, &mut stored, index[2].wrapping_add(1));
            });
            declassify(&value);
            // 2 is doubled four times, squared and doubled; then 2·2 is subtracted.
            assert!(value[0] == 2044 && value[1..].iter().all(|&word| word == 0), "{what}");
            let [x, stored] = [Words::copy_of(&subject.x), stored];
            subject.assert_value(&x, 2044);
            subject.assert_value(&stored, 2044);
        }
    });
}

/// The operations that RSA uses for its two primes at a time.
#[test]
fn operations_of_two_moduli() {
    watch(|| {
        for choice in kernels() {
            let has_room = |limbs: &u32| choice.foreseen(64 * limbs).is_ok();
            for limbs in (2..=33).chain([64]).filter(has_room) {
                let [mut first, mut second] = [Subject::new(choice, limbs), Subject::new(choice, limbs)];
                let what = first.name();
                let mut session = first.arithmetic.session(None);
                let other = second.arithmetic.session(None);
                let size = session.residue_words();
                // 1, 2, 4 and 8: the digits 1, 3, 2 give 2, then 2^4·8, then (2^7)^4·4.
                let mut table = Words::zero(4 * size);
                for (i, entry) in table.chunks_exact_mut(size).enumerate() {
                    entry.copy_from_slice(session.one());
                    for _ in 0..i {
                        session.mul(entry, &first.z);
                    }
                }
                let mut place = Words::zero(size);
                let mut digits = [1, 3, 2];
                classify(&mut digits);
                assert_constant_time(&what, || {
                    let mut both = DualSession::new(&session, &other);
                    both.begin([&mut first.x, &mut second.x]);
                    both.mul([&mut first.x, &mut second.x], [&first.z, &second.z]);
                    both.square([&mut first.x, &mut second.x], 3);
                    both.end([&mut first.x, &mut second.x]);
                    // ((entry 1)^4·entry 3)^4·entry 2, with every entry looked up for both.
                    for (i, index) in digits.into_iter().enumerate() {
                        both.select(0, [&mut first.z, &mut place], &table, [index; 2]);
                        both.select(1, [&mut second.z, &mut place], &table, [index; 2]);
                        if i == 0 {
                            first.y.copy_from_slice(&first.z);
                            second.y.copy_from_slice(&second.z);
                            both.begin([&mut first.y, &mut second.y]);
                        } else {
                            both.square([&mut first.y, &mut second.y], 2);
                            both.mul([&mut first.y, &mut second.y], [&first.z, &second.z]);
                        }
                    }
                    both.end([&mut first.y, &mut second.y]);
                });
                for subject in [first, second] {
                    let [x, y] = [Words::copy_of(&subject.x), Words::copy_of(&subject.y)];
                    subject.assert_value(&x, 1 << 16);
                    subject.assert_value(&y, 1 << 30);
                }
            }
        }
    });
}

/// Operations on rows of residues.
#[test]
fn operations_of_lanes() {
    watch(|| {
        for mut subject in subjects().filter(|subject| subject.bits % 512 == 0 || subject.bits < 1024) {
            let what = subject.name();
            let Some(mut lanes) = subject.arithmetic.lane_session(None) else { continue };
            let [mut row, mut other] = [(); 2].map(|()| lanes.row());
            let mut found = Words::zero(8 * lanes.row_words());
            let entries: Vec<u64> = subject.x.iter().chain(&*subject.y).copied().collect();
            let mut indices: Vec<u64> = (0..lanes.lanes() as u64).map(|lane| lane % 4).collect();
            classify(&mut indices);
            assert_constant_time(&what, || {
                for lane in 0..lanes.lanes() {
                    lanes.put(&mut row, lane, &subject.x);
                }
                lanes.look_up(&mut other, &subject.z, &entries, &indices);
                lanes.mul(&mut row, &other);
                lanes.square(&mut row);
                found[..row.len()].copy_from_slice(&row);
                lanes.select(&mut other, &found, &indices);
                lanes.square_and_select((&mut row, 2), (&mut other, &found, &indices));
                lanes.take(&mut subject.z, &row, 1);
            });
            // (2·2)^8.
            drop(lanes);
            subject.assert_value(&subject.z, 65_536);
        }
    });
}
