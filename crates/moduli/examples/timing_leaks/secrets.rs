//! The secrets of every class, drawn before the measurement.

use crypto_bigint::BoxedUint;
use testing::Random;

use super::statistics::{CLASSES, RANDOM};

/// The number of secrets per class. Those of the random class differ; in the other classes all are
/// copies of one.
const POOL: usize = 64;

/// The seed of the fixed secrets.
const FIXED: u64 = 7;

/// The range of a secret number.
#[derive(Clone, Copy)]
pub struct Slot {
    /// The number is below 2^bits.
    pub bits: u32,
    /// The lowest value: 0, or 1 if the number must have an inverse.
    pub lowest: u64,
}

/// The input of a call. All classes use the same buffers, and the call does not know the class.
pub struct Secret {
    pub numbers: Vec<BoxedUint>,
    pub negative: bool,
    /// Random for every call, in every class: a message, for instance.
    pub public: [u8; 32],
}

/// The words of a number in a class.
fn number(class: usize, slot: Slot, random: &mut Random) -> Vec<u64> {
    let mut words = vec![0; slot.bits.div_ceil(64) as usize];
    match CLASSES[class] {
        "low" => words[0] = slot.lowest,
        "top" => (slot.bits / 2..slot.bits).for_each(|bit| words[bit as usize / 64] |= 1 << (bit % 64)),
        _ => {
            words.fill_with(|| random.word());
            if let Some(top) = words.last_mut() {
                *top >>= slot.bits.wrapping_neg() % 64;
            }
        }
    }
    words
}

/// The secrets of all classes.
pub struct Pool {
    /// By index and class: the sign, then the words of all numbers.
    entries: Vec<[Vec<u64>; CLASSES.len()]>,
    secret: Secret,
}

impl Pool {
    /// `seed` is that of the run. The fixed secrets are the same in all runs.
    pub fn new(slots: &[Slot], seed: u64) -> Self {
        let mut random = Random(seed);
        let mut entry = |class: usize| {
            let mut fixed = Random(FIXED);
            let random = if class == RANDOM { &mut random } else { &mut fixed };
            let negative = if class == RANDOM { random.word() & 1 == 1 } else { CLASSES[class] != "low" };
            let mut words = vec![u64::from(negative)];
            words.extend(slots.iter().flat_map(|&slot| number(class, slot, random)));
            words
        };
        let entries = (0..POOL).map(|_| core::array::from_fn(&mut entry)).collect();
        let numbers = slots.iter().map(|slot| BoxedUint::zero_with_precision(slot.bits)).collect();
        Self { entries, secret: Secret { numbers, negative: false, public: [0; 32] } }
    }

    /// Copies a secret of a random class into the buffers, and returns the class.
    ///
    /// Reads the secrets of the other classes as well, under masks. Otherwise the cache would
    /// reveal the class, by the addresses.
    pub fn draw(&mut self, random: &mut Random) -> (usize, &Secret) {
        let word = random.word();
        let (class, index) = (word as usize % CLASSES.len(), (word >> 32) as usize % POOL);
        let masks: [u64; CLASSES.len()] =
            core::array::from_fn(|c| std::hint::black_box(u64::from(c == class).wrapping_neg()));
        let entries = &self.entries[index];
        let mut words =
            (0..).map(|i| entries.iter().zip(masks).fold(0, |all, (entry, mask)| all | entry[i] & mask));
        self.secret.negative = words.next() == Some(1);
        for buffer in self.secret.numbers.iter_mut().flat_map(|number| number.as_mut_words()) {
            *buffer = words.next().unwrap_or_default();
        }
        for bytes in self.secret.public.chunks_exact_mut(8) {
            bytes.copy_from_slice(&random.word().to_le_bytes());
        }
        (class, &self.secret)
    }
}
