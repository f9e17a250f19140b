//! The addends of a core: groups of words, and their addresses.

use moduli_rns::{
    base::Base,
    channels::Residues,
    inverse::constants::{Combination, UpdateConstants},
};

use super::{affine::Affine, bits::Bits};

/// Words that an operation can add, selected by the value modulo a divisor.
pub struct Group {
    kind: Kind,
    /// D = 2^`twos`·3^`threes`.
    pub twos: u32,
    pub threes: u32,
    /// The address of its multiplier in the ROM of multipliers.
    pub multiplier: usize,
    /// Its first address.
    pub base: usize,
    /// A residue vector and its address in the group.
    words: Vec<(usize, Residues)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fixed,
    Divide(Combination),
}

/// The multipliers before those of divisors: 2^w, T^(−1).
pub const FIXED_MULTIPLIERS: usize = 2;

/// Powers of 3 up to 9, and the number of addresses for a residue modulo each.
const THREES: [(u64, usize); 3] = [(1, 1), (3, 4), (9, 16)];

/// The exponents of 2 and 3 in a divisor of 144.
pub fn exponents(divisor: u64) -> (u32, u32) {
    let twos = divisor.trailing_zeros();
    (twos, THREES.iter().position(|&(power, _)| power == divisor >> twos).unwrap_or(0) as u32)
}

impl Group {
    fn fixed(multiplier: usize, word: Residues) -> Self {
        let words = vec![(0, word)];
        Self { kind: Kind::Fixed, twos: 0, threes: 0, multiplier, base: 0, words }
    }

    fn divide(
        base: &Base,
        constants: &UpdateConstants,
        combination: Combination,
        divisor: u64,
        multiplier: usize,
    ) -> Self {
        let (twos, threes) = exponents(divisor);
        let channels = base.channels();
        // A difference contains an excess of 2^w.
        let mut surplus = Residues::new(channels.complements().to_vec());
        channels.multiply(&mut surplus, constants.inverse(divisor).unwrap_or_default(), &mut ());
        let word = |x: u64| {
            let mut word =
                Residues::new(constants.addend(combination, divisor, x).unwrap_or_default().to_vec());
            if combination == Combination::Minus {
                channels.subtract(&mut word, &surplus, &mut ());
            }
            word
        };
        let place = |x: u64| (((x % THREES[threes as usize].0) << twos) | (x % (1 << twos))) as usize;
        let words = (0..divisor).map(|x| (place(x), word(x))).collect();
        Self { kind: Kind::Divide(combination), twos, threes, multiplier, base: 0, words }
    }

    fn size(&self) -> usize {
        THREES[self.threes as usize].1 << self.twos
    }
}

/// All groups in order, with their addresses.
pub fn groups(core: &Affine<'_>) -> Vec<Group> {
    let channels = core.base.channels();
    let mut leave = core.shift.clone();
    channels.subtract(&mut leave, &core.scaled_prime, &mut ());
    let mut prime = core.shift.clone();
    channels.add(&mut prime, &core.scaled_prime, &mut ());
    let mut groups = vec![
        Group::fixed(0, channels.zeros()),
        Group::fixed(1, core.shift.clone()),
        Group::fixed(1, leave),
        Group::fixed(0, core.one.clone()),
        Group::fixed(0, prime),
    ];
    if let Some(constants) = &core.constants {
        let divisors: Vec<u64> = constants.divisors().collect();
        for combination in [Combination::Alone, Combination::Plus, Combination::Minus] {
            for (k, &divisor) in divisors.iter().enumerate() {
                if combination == Combination::Alone || core.combined.contains(&divisor) {
                    let multiplier = FIXED_MULTIPLIERS + k;
                    groups.push(Group::divide(core.base, constants, combination, divisor, multiplier));
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&g| std::cmp::Reverse(groups[g].size()));
    let mut next = 0;
    for g in order {
        groups[g].base = next;
        next += groups[g].size();
    }
    groups
}

/// The index of the group of each 2^i·3^j for a combination, at i + 5·j; 0 if there is none.
pub fn index(groups: &[Group], combination: Combination) -> [u64; 15] {
    let mut index = [0; 15];
    for (g, group) in groups.iter().enumerate().filter(|(_, group)| group.kind == Kind::Divide(combination)) {
        index[(group.twos + 5 * group.threes) as usize] = g as u64;
    }
    index
}

/// The addend ROM of every channel.
pub fn contents(groups: &[Group], base: &Base) -> Vec<Vec<Bits>> {
    let length = groups.iter().map(|group| group.base + group.size()).max().unwrap_or(0);
    let empty = vec![Bits::of(0, base.width()); length];
    let mut channels = vec![empty; base.count()];
    for group in groups {
        for (place, residues) in &group.words {
            for (words, &residue) in channels.iter_mut().zip(residues.iter()) {
                words[group.base + place] = Bits::of(residue, base.width());
            }
        }
    }
    channels
}
