//! What is proved of each kernel, and at which lengths.

use moduli_kernel::{KernelChoice, proofs::IFMA52_POWERS};
use std::ops::Range;

use super::{
    inversion::LIMBS_OF_JUMPS,
    proof::Job,
    specification::{ENTRIES, Operation, TWICE_SIXTEEN},
};

/// The numbers of words at which everything about the kernels on whole words is proved: every length up to
/// where `adx` takes products in halves, and the lengths of 3072 and 4096 bits.
const LENGTHS: &[Range<usize>] = &[1..40, 48..49, 64..65];

/// Those of these lengths at which products by prepared operands are proved.
const PREPARED: &[Range<usize>] = &[1..13, 16..17, 24..25, 32..33];

/// The lengths of the long run: every length up to 64 words, and 7680, 8192, 15360 and 16384 bits. It also
/// proves products by prepared operands at all lengths above.
const LONG: &[Range<usize>] = &[40..48, 49..64, 65..66, 120..121, 128..129, 240..241, 256..257];

/// The lengths for `aarch64`: every number of words up to 64, and 7680, 8192, 15360 and 16384 bits.
const OF_ARM: &[Range<usize>] = &[1..65, 120..121, 128..129, 240..241, 256..257];

/// The digits of a residue for each kind of strips.
pub const STRIPS: [usize; 15] = [4, 8, 12, 16, 20, 24, 30, 32, 40, 48, 56, 60, 64, 72, 80];

/// The most digits of a residue with four strips (longer ones have eight); with which two moduli are taken at
/// a time; and with strips at all.
const FOUR: usize = 20;
const TWO: usize = 40;
const IN_STRIPS: usize = 80;

/// Rows of residues of at most this many digits are processed digit by digit, or as one block of ten digits.
/// Longer ones are processed by blocks of ten digits, and five may remain.
const DIGIT_BY_DIGIT: usize = 24;

/// Words of a modulus and entries of a row, for look-ups in longer rows: as many entries as 4096 words hold,
/// and some more, which form another group. A look-up reads entries in groups, by blocks of 16, 8 and 4
/// words, and by words. These pairs have each kind alone, and all kinds together in rows with a third group.
const IN_GROUPS: [(usize, usize); 6] = [(3, 1367), (4, 1026), (8, 514), (16, 258), (64, 66), (463, 17)];

/// The digits for squares of rows with a look-up of fewer entries than one square looks at, and of more than
/// two squares look at: residues of half a vector, short rows, and rows processed by ten digits. And look-ups
/// of residues among all numbers of candidates up to twice sixteen, which are read together, with a third
/// sixteen, and with a fourth.
const OF_ROWS: [usize; 3] = [4, 8, 30];
const FEWER: usize = 3;
const MORE: usize = 15;
const THREE_TIMES: usize = 33;
const FOUR_TIMES: usize = 49;

/// Lengths above 4152 bits, at which the residues of `ifma52` have their digits in order.
const IN_ORDER: [usize; 4] = [7680, 8192, 15360, 16384];

/// Lengths above 4152 bits at which products of `ifma52` are proved in less than a minute. At the last one, a
/// product is computed from halves, and only one digit of the highest vector can be other than 0.
const PRODUCTS_IN_ORDER: [usize; 3] = [7680, 8192, 9980];

/// Lengths at which a reduction is proved besides whole words: all of three words, as each of them uses bits
/// at another place of a number's words, and some others.
const OF_REDUCTIONS: [Range<usize>; 7] = [129..192, 2..3, 33..34, 65..66, 521..522, 1023..1024, 2465..2466];

/// The kernels of which something is proved.
pub const KERNELS: [KernelChoice; 5] =
    [KernelChoice::ADX, KernelChoice::PORTABLE, KernelChoice::FMA50, KernelChoice::IFMA52, IFMA52_POWERS];

/// The request: one length of a kernel or all, one operation or all, and what is proved in a minute or what
/// takes longer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// Bits of the modulus.
    pub bits: Option<usize>,
    /// The name of the operation.
    pub operation: Option<&'a str>,
    /// Whether to prove what takes longer.
    pub is_long: bool,
}

/// The longest modulus whose residues have this many digits.
pub fn longest(digits: usize) -> usize {
    52 * digits - 8
}

fn bits_of(lengths: &[Range<usize>]) -> Vec<usize> {
    lengths.iter().cloned().flatten().map(|words| 64 * words).collect()
}

/// What to prove of a kernel on whole words, in the order of the table.
fn of_words(wanted: &Wanted<'_>, is_arm: bool) -> Vec<(Operation, usize)> {
    let (lengths, prepared) = match (wanted.bits, wanted.is_long) {
        (Some(bits), _) => (vec![bits], vec![bits]),
        (None, false) => (bits_of(if is_arm { OF_ARM } else { LENGTHS }), bits_of(PREPARED)),
        (None, true) => {
            let others = |words: &usize| !bits_of(PREPARED).contains(words);
            (
                if is_arm { Vec::new() } else { bits_of(LONG) },
                bits_of(LENGTHS).into_iter().filter(others).collect(),
            )
        }
    };
    let simple = Operation::ALL
        .into_iter()
        .chain([Operation::MulPair])
        .flat_map(|operation| lengths.iter().map(move |&bits| (operation, bits)));
    // No entries, and more than a group of them.
    let in_groups =
        IN_GROUPS.into_iter().flat_map(|(words, entries)| [(0, 64 * words), (entries, 64 * words)]);
    let in_groups = in_groups
        .filter(|(_, bits)| wanted.bits.map_or(!wanted.is_long, |wanted| wanted == *bits))
        .map(|(entries, bits)| (Operation::Select(entries), bits));
    let of_pieces =
        |&bits: &usize| Operation::prepared(bits.div_ceil(64)).map(move |operation| (operation, bits));
    // Proofs of pairs of the longest products take minutes, and gigabytes of memory.
    let is_short = |&(operation, bits): &(Operation, usize)| {
        wanted.bits.is_some() || !is_arm || operation != Operation::MulPair || bits <= IN_ORDER[1]
    };
    simple.filter(is_short).chain(in_groups).chain(prepared.iter().flat_map(of_pieces)).collect()
}

/// Residues of at most so many digits have a product for two moduli at a time in the form for powers.
const TWO_WITH_SPARE_BITS: usize = 24;

/// Whether `ifma52` has an operation at a length: there must not be more pieces than strips.
fn is_of_digits(operation: Operation, bits: usize) -> bool {
    use Operation::{LookUpRows, MulPrepared, MulTwo, Prepare, Select, SquareAndSelect, SquareTwo};
    let digits = (bits + 8).div_ceil(52);
    match operation {
        MulPrepared(pieces) | Prepare(pieces) => pieces <= if digits <= FOUR { 4 } else { 8 },
        MulTwo | SquareTwo => digits <= TWO,
        Select(entries) => entries == ENTRIES || in_vectors(bits).any(|more| more == entries),
        LookUpRows(ENTRIES | TWICE_SIXTEEN) => true,
        SquareAndSelect(FEWER | MORE) | LookUpRows(_) => OF_ROWS.map(longest).contains(&bits),
        _ => true,
    }
}

/// The entries of longer rows of `ifma52`: none; and two whole groups, each of as many as a vector has lanes,
/// with each possible rest.
fn in_vectors(bits: usize) -> impl Iterator<Item = usize> {
    let group = if bits <= longest(FOUR) { 4 } else { 8 };
    core::iter::once(0).chain(2 * group..3 * group)
}

/// The lengths at which an operation of `ifma52` is proved: whole words, and the longest modulus of each kind
/// of strips. Products by pieces and for two moduli are proved for the latter only. Some of the longest take
/// a minute.
fn lengths_of_digits(operation: Operation, is_long: bool) -> Vec<usize> {
    use Operation::{FromMontgomery, Mul, MulPair, MulPrepared, Prepare, Select, Square, ToMontgomery};
    let strips = STRIPS.map(longest);
    let ([usual, long], lengths): ([&[usize]; 2], Vec<usize>) = match operation {
        operation if operation.multiplies_rows() || operation.moves_rows() => ([&[], &[]], of_rows()),
        Select(entries) if entries != ENTRIES => ([&IN_ORDER, &[]], strips.to_vec()),
        Prepare(_) => ([&[], &IN_ORDER[..1]], strips.to_vec()),
        MulPair => ([&[], &IN_ORDER[..2]], strips.to_vec()),
        MulPrepared(_) => ([&IN_ORDER[..2], &IN_ORDER[2..]], strips.to_vec()),
        operation if Operation::ALL.contains(&operation) => {
            let is_product = matches!(operation, Mul | Square | ToMontgomery | FromMontgomery);
            let mut all: Vec<usize> = (1..=64).map(|words| 64 * words).chain(strips).collect();
            all.sort_unstable();
            (if is_product { [&PRODUCTS_IN_ORDER, &IN_ORDER[2..]] } else { [&IN_ORDER, &[]] }, all)
        }
        _ => ([&[], &[]], strips.to_vec()),
    };
    if is_long { long.to_vec() } else { [&lengths, usual].concat() }
}

/// What to prove of `ifma52`.
fn of_digits(wanted: &Wanted<'_>) -> Vec<(Operation, usize)> {
    let pieces = (2..=8).map(Operation::MulPrepared).chain((2..=8).map(Operation::Prepare));
    let mut found = Vec::new();
    let more = [FEWER, MORE].map(Operation::SquareAndSelect).into_iter();
    let rows = Operation::ROWS.into_iter().chain(Operation::LANES).chain(more);
    let look_ups = (0..TWICE_SIXTEEN).chain([THREE_TIMES, FOUR_TIMES]);
    let rows = rows.chain(look_ups.map(Operation::LookUpRows));
    let longer = (0..24).filter(|&entries| entries != ENTRIES).map(Operation::Select);
    let simple = Operation::ALL.into_iter().chain(longer).chain([Operation::MulPair]);
    for operation in simple.chain(pieces).chain(Operation::TWO).chain(rows) {
        let lengths = match wanted.bits {
            Some(bits) => vec![bits],
            None => lengths_of_digits(operation, wanted.is_long),
        };
        let is_there = |&bits: &usize| {
            // An operation that is requested by its full name, with the number of pieces, is tried whether it
            // exists or not.
            let is_asked = wanted.operation.is_some_and(|name| name == operation.to_string());
            wanted.bits.is_some() && is_asked || is_of_digits(operation, bits)
        };
        found.extend(lengths.into_iter().filter(is_there).map(|bits| (operation, bits)));
    }
    found
}

/// The longest modulus for each program of rows (there is one for each kind of strips and each multiple of
/// five digits), and two lengths above.
pub fn of_rows() -> Vec<usize> {
    let program = |digits: usize| {
        let kind = STRIPS.iter().find(|&&most| digits <= most);
        (kind, if digits <= DIGIT_BY_DIGIT { 0 } else { digits.div_ceil(5) })
    };
    let is_longest = |&digits: &usize| digits == IN_STRIPS || program(digits) != program(digits + 1);
    (1..=IN_STRIPS).filter(is_longest).map(longest).chain(IN_ORDER[..2].iter().copied()).collect()
}

/// What to prove of `ifma52` with spare bits in each strip: at whole words, and at the longest modulus of
/// each kind of strips; for two moduli at a time, at the latter only.
fn of_powers(wanted: &Wanted<'_>) -> Vec<(Operation, usize)> {
    use Operation::{FromMontgomery, Load, Mul, Select, Square, ToMontgomery};
    let kind = |bits: usize| Some(IFMA52_POWERS.foreseen(bits as u32).ok()?.radix_bits);
    let longest_of_kinds = (2..longest(IN_STRIPS)).filter(|&bits| kind(bits) != kind(bits + 1));
    let (whole, longest_of_kinds) = match (wanted.bits, wanted.is_long) {
        (Some(bits), _) => (vec![bits], vec![bits]),
        (None, true) => (Vec::new(), Vec::new()),
        (None, false) => ((1..=64).map(|words| 64 * words).collect(), longest_of_kinds.collect()),
    };
    let mut all = [whole, longest_of_kinds.clone()].concat();
    all.sort_unstable();
    all.dedup();
    let lengths = |operation| if Operation::TWO.contains(&operation) { &longest_of_kinds } else { &all };
    let is_there = |&(operation, bits): &(Operation, usize)| {
        kind(bits).is_some() && (!Operation::TWO.contains(&operation) || bits <= longest(TWO_WITH_SPARE_BITS))
    };
    let operations = [Mul, Square, ToMontgomery, FromMontgomery, Load, Select(ENTRIES)].into_iter();
    let found = operations.chain(Operation::TWO).flat_map(|operation| {
        lengths(operation).iter().map(move |&bits| (operation, bits)).collect::<Vec<_>>()
    });
    found.filter(is_there).collect()
}

/// The digits of a residue of `fma50`, for a modulus of `bits` bits.
pub fn digits_in_doubles(bits: usize) -> usize {
    let mut digits = 2;
    while longest_in_doubles(digits) < bits {
        digits += 2;
    }
    digits
}

/// The longest modulus whose residues have this many digits in doubles.
pub fn longest_in_doubles(digits: usize) -> usize {
    50 * digits - 55 - digits.ilog2() as usize
}

/// The most pieces of an operand of `fma50`, except for a matrix.
const MOST_PIECES: usize = 8;

/// The vectors of a residue: groups of four digits.
fn vectors(bits: usize) -> usize {
    digits_in_doubles(bits).div_ceil(4)
}

/// Whether an operation of `fma50` is proved at a length: there are at most as many pieces as vectors, or one
/// more, which makes a matrix.
fn is_of_doubles(operation: Operation, bits: usize) -> bool {
    let pieces = operation.pieces();
    pieces <= vectors(bits).min(MOST_PIECES) || pieces == vectors(bits) + 1
}

/// The lengths at which an operation of `fma50` is proved. Operations on residues alone: the longest modulus
/// for each number of digits, as all shorter ones run the same program. Operations with values: whole words.
/// Some of the long ones are left out, as they take long and add nothing new.
fn lengths_of_doubles(operation: Operation, is_long: bool) -> Vec<usize> {
    use Operation::{
        Add, FromMontgomery, Mul, MulPair, MulPrepared, MulRows, Prepare, Square, SquareRows, Store, Sub,
        ToMontgomery,
    };
    let longest_of = |digits: Range<usize>| digits.step_by(2).map(longest_in_doubles).collect::<Vec<usize>>();
    let residues = longest_of(2..85);
    let some = [longest_of(2..45), longest_of(84..85)].concat();
    let between = longest_of(46..83);
    let words: Vec<_> = (1..=64).map(|words| 64 * words).collect();
    let (usual, long) = match operation {
        MulPrepared(pieces) | Prepare(pieces) => {
            (some, between.into_iter().filter(|&bits| pieces > vectors(bits)).collect())
        }
        MulRows | SquareRows => (some, between),
        MulPair => (some, [&between, &IN_ORDER[..2]].concat()),
        Mul | Square => ([&residues, &IN_ORDER[..2]].concat(), Vec::new()),
        Add | Sub => ([&residues, &IN_ORDER[..]].concat(), Vec::new()),
        ToMontgomery | FromMontgomery | Store => ([&words, &IN_ORDER[..2]].concat(), Vec::new()),
        operation if operation.moves_rows() => ([&residues, &IN_ORDER[..2]].concat(), Vec::new()),
        _ => ([&words, &IN_ORDER[..]].concat(), Vec::new()),
    };
    if is_long { long } else { usual }
}

/// What to prove of `fma50`.
fn of_doubles(wanted: &Wanted<'_>) -> Vec<(Operation, usize)> {
    let most = vectors(wanted.bits.unwrap_or(longest_in_doubles(84))) + 1;
    let pieces = (2..=most).map(Operation::MulPrepared).chain((2..=most).map(Operation::Prepare));
    // Entries are read one by one, so one number of them is enough.
    let moves = Operation::LANES.map(|operation| match operation {
        Operation::LookUpRows(_) => Operation::LookUpRows(ENTRIES),
        operation => operation,
    });
    let rows = [Operation::MulRows, Operation::SquareRows].into_iter().chain(moves);
    let mut found = Vec::new();
    for operation in Operation::ALL.into_iter().chain([Operation::MulPair]).chain(pieces).chain(rows) {
        let lengths = match wanted.bits {
            Some(bits) => vec![bits],
            None => lengths_of_doubles(operation, wanted.is_long),
        };
        // An operation that is requested by name is tried, whether it exists or not.
        let is_there = |&bits: &usize| {
            wanted.bits.is_some() && wanted.operation.is_some() || is_of_doubles(operation, bits)
        };
        found.extend(lengths.into_iter().filter(is_there).map(|bits| (operation, bits)));
    }
    found
}

/// What to prove of the reduction of longer numbers, whose code is the same for all kernels.
fn of_reduction(wanted: &Wanted<'_>) -> Vec<(Operation, usize)> {
    let lengths = match (wanted.bits, wanted.is_long) {
        (Some(bits), _) => vec![bits],
        (None, false) => {
            let whole = (1..=64).map(|words| 64 * words).chain(IN_ORDER);
            whole.chain(OF_REDUCTIONS.into_iter().flatten()).collect()
        }
        (None, true) => Vec::new(),
    };
    lengths.into_iter().map(|bits| (Operation::Reduce, bits)).collect()
}

/// What to prove of an inversion and its parts, whose code is the same for all kernels: a jump once, all
/// others for each number of limbs.
fn of_inversion(wanted: &Wanted<'_>) -> Vec<(Operation, usize)> {
    let (jumps, updates) = match (wanted.bits, wanted.is_long) {
        // With one limb, the second jump already has zeros, which do not distinguish registers.
        (Some(bits), _) => (if bits > 64 { vec![bits] } else { Vec::new() }, vec![bits]),
        (None, false) => (vec![64 * LIMBS_OF_JUMPS], (1..=64).map(|limbs| 64 * limbs).collect()),
        (None, true) => (Vec::new(), bits_of(&[65..66, 120..121, 128..129, 240..241, 256..257])),
    };
    let of = |operation| match operation {
        Operation::Jump => jumps.clone(),
        // A whole inversion of more limbs than above takes gigabytes of memory.
        Operation::Invert if wanted.is_long && wanted.bits.is_none() => Vec::new(),
        _ => updates.clone(),
    };
    let all = Operation::INVERSION.into_iter().map(|operation| (operation, of(operation)));
    all.flat_map(|(operation, lengths)| lengths.into_iter().map(move |bits| (operation, bits))).collect()
}

/// What is to be proved of a kernel, in the order of the table.
pub fn jobs(kernel: KernelChoice, wanted: &Wanted<'_>) -> Vec<Job> {
    let mut all = if kernel == KernelChoice::IFMA52 {
        of_digits(wanted)
    } else if kernel == IFMA52_POWERS {
        of_powers(wanted)
    } else if kernel == KernelChoice::FMA50 {
        of_doubles(wanted)
    } else {
        of_words(wanted, kernel == KernelChoice::AARCH64)
    };
    if kernel == KernelChoice::PORTABLE {
        all.extend(of_reduction(wanted));
        all.extend(of_inversion(wanted));
    }
    // The name may have the number of pieces, or not.
    let is_named = |operation: &Operation| {
        wanted.operation.is_none_or(|name| name == operation.name() || name == operation.to_string())
    };
    let named = all.into_iter().filter(|(operation, _)| is_named(operation));
    named.map(|(operation, bits)| Job { kernel, operation, bits }).collect()
}
