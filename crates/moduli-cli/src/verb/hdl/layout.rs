//! The parameters and memories of a core, as `hdl/doc/constants.md` specifies them.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_rns::{
    base::Base,
    channels::Residues,
    cox::{Alpha, Cox},
    inverse::constants::Combination,
    montgomery::RnsMontgomery,
    program::{Assembled, Timing},
};

use super::{
    affine::Affine,
    bits::Bits,
    chunks::{Chunks, complements},
    core::{Core, Inversion, Inverter},
    division,
    groups::{self, Group},
    redundant,
    resident::{self, Resident, Widths},
    rom::{Contents, Read, Rom},
};

/// A vector of constants: elements of equal width, the first one lowest.
pub struct Vector {
    pub name: &'static str,
    pub elements: Vec<Bits>,
}

/// The complete description of a core.
pub struct Layout {
    pub scalars: Vec<(String, u64)>,
    pub vectors: Vec<Vector>,
    pub roms: Vec<Rom>,
    /// The cycles of every program, without those in which it waits.
    pub cycles: Vec<u64>,
}

/// Options beyond the core itself.
pub struct Extras {
    pub inversion: Inversion,
    pub contexts: u32,
    pub check: bool,
    pub blind: bool,
    pub guard: bool,
}

/// T: the number of top bits that suffices for every quotient of a core, with digits below 2^(w+1).
pub fn top_bits(core: &Core, affine: &Affine<'_>) -> Option<u32> {
    let wide = core.prime.clone().resize(core.prime.bits_vartime() + 8);
    let offset = affine.offset.clone().resize(wide.bits_precision());
    // Without an offset, the first one is not used.
    let (low, high) = (offset.wrapping_sub(&wide), offset.wrapping_add(&wide));
    let own = match &core.inverter {
        Inverter::DivisionSteps(inverter) => division::top_bits(inverter)?,
        _ => Cox::least_bits_unreduced(affine.base, Alpha::HALF, &low, &high)?,
    };
    let Some(products) = &core.products else { return Some(own) };
    let [first, second] = products.bases();
    let three = wide.wrapping_add(wide.shl(1));
    let exact = Cox::least_bits_unreduced(second, Alpha::HALF, &BoxedUint::zero(), &three)?;
    Some(own.max(Cox::least_bits_short_unreduced(first)?).max(exact))
}

impl Layout {
    /// A layout with the programs of the core.
    pub fn new(
        core: &Core,
        affine: &Affine<'_>,
        extras: &Extras,
        programs: &[Assembled],
    ) -> Result<Self, Error> {
        let chunks = Chunks::new(core, affine.base)?;
        let top_bits = top_bits(core, affine).ok_or_else(|| {
            let reason = format!(
                "{} moduli of {} bits leave too little room above P; wider ones leave more",
                core.shape.channels, core.shape.width
            );
            Error::parameter("channels", reason)
        })?;
        let cycles = step_cycles(&chunks, extras.inversion);
        // Two issues each; for an odd number of contexts, a step may take a cycle more.
        let most = cycles.div_ceil(2);
        if !(1..=most).contains(&extras.contexts) {
            let reason = format!("{}; a step of {cycles} cycles has room for 1 to {most}", extras.contexts);
            return Err(Error::parameter("contexts", reason));
        }
        if extras.inversion == Inversion::Fermat && extras.contexts > 1 {
            let reason = format!("{}; fermat takes all issues for one inversion at a time", extras.contexts);
            return Err(Error::parameter("contexts", reason));
        }
        if extras.inversion == Inversion::DivisionSteps && extras.contexts > 1 {
            let reason = format!("{}; division steps invert one operand at a time", extras.contexts);
            return Err(Error::parameter("contexts", reason));
        }
        if extras.check && core.products.is_none() {
            let reason = "results are checked by a product, which takes two bases".to_owned();
            return Err(Error::parameter("check", reason));
        }
        if extras.blind && core.products.is_none() {
            let reason = "operands are blinded by products, which take two bases".to_owned();
            return Err(Error::parameter("blind", reason));
        }
        if extras.blind && extras.inversion == Inversion::Fermat {
            let reason = "fermat does the same for all operands, which need no blinding".to_owned();
            return Err(Error::parameter("blind", reason));
        }
        let groups = groups::groups(affine);
        let timing = Timing {
            channels: core.shape.channels,
            chunks: chunks.count as usize,
            read: 8 + chunks.extra_folds as usize,
        };
        let resident = Resident::new(programs, timing, extras.guard);
        let roms = roms(core, affine, &chunks, &groups, resident.as_ref());
        let mut scalars = scalars(core, affine, extras, &chunks, top_bits, &groups, &roms);
        let none = || Resident::none(core.prime.bits_vartime(), core.shape.width);
        scalars.extend(resident.as_ref().map_or_else(none, Resident::scalars));
        let vectors = vectors(core, affine, &groups, &roms, resident.as_ref());
        Ok(Self {
            scalars,
            vectors,
            roms,
            cycles: resident.map_or_else(Vec::new, |resident| resident.cycles()),
        })
    }
}

/// The cycles from an issue for V3 to the next.
fn step_cycles(chunks: &Chunks, inversion: Inversion) -> u32 {
    let cox = if inversion == Inversion::Wide { 3 } else { 2 };
    6 + chunks.extra_folds + cox
}

fn scalars(
    core: &Core,
    affine: &Affine<'_>,
    extras: &Extras,
    chunks: &Chunks,
    top_bits: u32,
    groups: &[Group],
    roms: &[Rom],
) -> Vec<(String, u64)> {
    let variant = match extras.inversion {
        Inversion::Fermat => 0,
        Inversion::Binary => 1,
        Inversion::BinaryTernary => 2,
        Inversion::Wide => 3,
        Inversion::DivisionSteps => 4,
    };
    let q = affine.q();
    let powers = [1 << affine.twos, 3u64.pow(affine.threes)];
    let of_small = |value: u64| powers.map(|power| value % power);
    let bits = |value: u64| u64::from(64 - value.leading_zeros());
    let counter = u64::from(affine.limit + 2 * (q * q).ilog2());
    let schedule = match &core.inverter {
        Inverter::Fermat(fermat) => Some(fermat.schedule()),
        Inverter::PlusMinus(_) | Inverter::DivisionSteps(_) => None,
    };
    let mut scalars: Vec<(String, u64)> = Vec::new();
    let mut add = |name: &str, value: u64| scalars.push((name.to_owned(), value));
    add("N", core.shape.channels as u64);
    add("W", core.shape.width.into());
    add("L", core.prime.bits_vartime().into());
    add("VARIANT", variant);
    add("MULTIPLY", core.products.is_some().into());
    add("CONTEXTS", extras.contexts.into());
    add("CHECK", extras.check.into());
    add("BLIND", extras.blind.into());
    add("REDUNDANT", core.redundant.is_some().into());
    add("GUARD", extras.guard.into());
    add("CHUNKS", chunks.count.into());
    add("CHUNK_W", chunks.width.into());
    add("RBITS", bits(complements(core, affine.base).max().unwrap_or(0)));
    add("EXTRA_FOLDS", chunks.extra_folds.into());
    add("T", top_bits.into());
    add("A2", affine.twos.into());
    add("A3", affine.threes.into());
    add("LIMIT", affine.limit.into());
    add("COUNTER_W", bits(counter));
    add("GROUPS", groups.len() as u64);
    add("GROUP_W", group_width(groups).into());
    for rom in roms {
        add(&format!("{}_DEPTH", rom.prefix), rom.depth() as u64);
        add(&format!("{}_AW", rom.prefix), rom.address_width().into());
    }
    add("FIRST_POWER", schedule.and_then(|schedule| schedule.first()).unwrap_or(0) as u64);
    add("ODD_POWERS", schedule.map_or(0, |schedule| schedule.odd_powers()) as u64);
    add("TURNS", schedule.map_or(0, |schedule| schedule.turns().len()) as u64);
    for (name, value) in
        [("PRIME", affine.prime_small), ("NEG_M", affine.small.product()), ("NEG_C", affine.small.offset())]
    {
        let [two, three] = of_small(value);
        add(&format!("{name}2"), two);
        add(&format!("{name}3"), three);
    }
    add("STEPS_W", 16);
    let [steps, jumps, delta] = division::scalars(core);
    add("JUMP_STEPS", steps);
    add("JUMPS", jumps);
    add("DELTA_W", delta);
    if let Some(words) = roms.iter().find(|rom| rom.prefix == "WORDS") {
        add("WORD_W", words.width.into());
    }
    scalars
}

fn group_width(groups: &[Group]) -> u32 {
    groups.len().next_power_of_two().ilog2()
}

fn vectors(
    core: &Core,
    affine: &Affine<'_>,
    groups: &[Group],
    roms: &[Rom],
    resident: Option<&Resident>,
) -> Vec<Vector> {
    let width = core.shape.width;
    let complement_width = 64 - complements(core, affine.base).max().unwrap_or(0).leading_zeros();
    let second = core.products.as_ref().map(|products| products.bases()[1]);
    let of = |values: &[u64], width: u32| values.iter().map(|&value| Bits::of(value, width)).collect();
    let none = vec![0; core.shape.channels];
    let address =
        |prefix: &str| roms.iter().find(|rom| rom.prefix == prefix).map_or(1, super::rom::Rom::address_width);
    let weights = |power: u64, width: u32| of(&affine.base.weights(Some(power)), width);
    let each = |width: u32, value: &dyn Fn(&Group) -> u64| {
        groups.iter().map(|group| Bits::of(value(group), width)).collect()
    };
    let index = |combination| of(&groups::index(groups, combination), group_width(groups));
    let precision = affine.base.product().bits_precision() + 64;
    let [prime, offset] = [&core.prime, &affine.offset].map(|value| value.resize(precision));
    let out_offset = affine.base.digits(&prime.wrapping_sub(&offset), core.shape.channels);
    let vector = |name, elements| Vector { name, elements };
    let no_order = || Bits::of(0, core.prime.bits_vartime().next_multiple_of(width));
    vec![
        vector("PRIME", vec![Bits::long(&core.prime, core.prime.bits_vartime())]),
        vector("MODULI1", of(affine.base.moduli(), width)),
        vector("MODULI2", of(second.map_or(&none, |base| base.moduli()), width)),
        vector("COMPLEMENTS1", of(affine.base.channels().complements(), complement_width)),
        vector(
            "COMPLEMENTS2",
            of(second.map_or(&none, |base| base.channels().complements()), complement_width),
        ),
        vector("INNER_ONE", of(&affine.one, width)),
        vector("INNER_MINUS_ONE", of(&affine.minus_one, width)),
        vector("WEIGHTS2", weights(1 << affine.twos, affine.twos)),
        vector("WEIGHTS3", weights(3u64.pow(affine.threes), 4)),
        vector("GROUP_BASE", each(address("ADD"), &|group| group.base as u64)),
        vector("GROUP_MUL", each(address("MUL"), &|group| group.multiplier as u64)),
        vector("GROUP_TWOS", each(3, &|group| group.twos.into())),
        vector("GROUP_THREES", each(2, &|group| group.threes.into())),
        vector("ALONE_GROUP", index(Combination::Alone)),
        vector("PLUS_GROUP", index(Combination::Plus)),
        vector("MINUS_GROUP", index(Combination::Minus)),
        vector("OUT_OFFSET", of(&out_offset, width)),
        vector("WORD_M", division::words_of_product(core)),
        vector("ORDER", vec![resident.map_or_else(no_order, Resident::order)]),
        vector(
            "PROGRAM_STARTS",
            resident.map_or_else(|| vec![Bits::of(0, 1)], |resident| resident.starts(address("WORDS"))),
        ),
        vector(
            "PROGRAM_CHECKS",
            resident.map_or_else(|| vec![Bits::of(0, resident::CHECKS_BITS)], Resident::checks),
        ),
        vector(
            "PROGRAM_RESULTS",
            resident.map_or_else(|| vec![Bits::of(0, resident::CHECKS_BITS)], Resident::results),
        ),
        vector(
            "PROGRAM_PATIENCE",
            resident.map_or_else(|| vec![Bits::of(0, resident::CYCLES_BITS)], Resident::patience),
        ),
    ]
}

fn roms(
    core: &Core,
    affine: &Affine<'_>,
    chunks: &Chunks,
    groups: &[Group],
    resident: Option<&Resident>,
) -> Vec<Rom> {
    let width = core.shape.width;
    let expanded = chunks.count * width;
    let base = affine.base;
    let mut multipliers = vec![base.channels().complements().to_vec(), base.cofactor_inverses().to_vec()];
    if let Some(constants) = &affine.constants {
        let inverses = constants.divisors().filter_map(|divisor| constants.inverse(divisor));
        multipliers.extend(inverses.map(<[u64]>::to_vec));
    }
    let multipliers = multipliers.iter().map(|multiplier| chunks.expansions(base, multiplier)).collect();
    let products = core.products.as_ref();
    let mut extension = products.map_or_else(Vec::new, |products| extension(products, chunks));
    let mut multipliers = Contents::Channels(by_channel(multipliers));
    // Division steps have all their multipliers in this memory.
    if let Inverter::DivisionSteps(inverter) = &core.inverter {
        extension.extend(division::multipliers(inverter, chunks));
        multipliers = Contents::Absent;
    }
    let mut addends = groups::contents(groups, base);
    let (first_extension, first_addend) = (extension.len(), addends.first().map_or(0, Vec::len));
    if let (Some(resident), Some(products)) = (resident, products) {
        let expanded = |(second, word): &(bool, Residues)| {
            chunks.expansions(products.bases()[usize::from(*second)], word)
        };
        extension.extend(resident.extensions.iter().map(expanded));
        for word in resident.addend_words(products) {
            addends
                .iter_mut()
                .zip(word.iter())
                .for_each(|(channel, &word)| channel.push(Bits::of(word, width)));
        }
    }
    let mut extension = by_channel(extension);
    extension.extend(core.redundant.as_ref().map(|channel| redundant::words(channel, chunks)));
    let extension = if extension.is_empty() { Contents::Absent } else { Contents::Channels(extension) };
    let program = match &core.inverter {
        Inverter::Fermat(fermat) => Contents::Core(program(fermat.schedule().turns())),
        Inverter::PlusMinus(_) | Inverter::DivisionSteps(_) => Contents::Absent,
    };
    // Invert-only division steps add computed values only.
    let addends = match (&core.inverter, products) {
        (Inverter::DivisionSteps(_), None) => Contents::Absent,
        _ => Contents::Channels(addends),
    };
    let rom = |name, prefix, read, width, contents| Rom { name, prefix, read, width, contents };
    let mut roms = vec![
        rom("mul", "MUL", Read::Asynchronous, expanded, multipliers),
        rom("add", "ADD", Read::Synchronous, width, addends),
        rom("ext", "EXT", Read::Synchronous, expanded, extension),
        rom("out", "OUT", Read::Synchronous, width, Contents::Core(columns(base))),
        rom("program", "PROGRAM", Read::Synchronous, 32, program),
    ];
    let address = |at: usize| roms.get(at).map_or(1, Rom::address_width);
    let widths = Widths {
        addend: address(1),
        extension: address(2),
        first_extension,
        first_addend,
        groups: groups.iter().map(|group| group.base).collect(),
        chunks: chunks.count,
        channels: core.shape.channels,
    };
    let words = resident.map_or(Contents::Absent, |resident| Contents::Core(resident.memory(&widths)));
    let width = resident.map_or(1, |resident| resident::word_width(resident, &widths));
    roms.push(rom("words", "WORDS", Read::Synchronous, width, words));
    roms
}

/// Converts a list of words for all channels to one list per channel.
fn by_channel(words: Vec<Vec<Bits>>) -> Vec<Vec<Bits>> {
    let channels = words.first().map_or(0, Vec::len);
    (0..channels).map(|i| words.iter().map(|word| word[i].clone()).collect()).collect()
}

/// The constants of products and extensions, each for all channels.
fn extension(products: &RnsMontgomery, chunks: &Chunks) -> Vec<Vec<Bits>> {
    let [first, second] = products.bases();
    let n = first.count();
    let product = |base: &Base, x: &[u64], y: &[u64]| {
        let mut product = Residues::new(x.to_vec());
        base.channels().multiply(&mut product, y, &mut ());
        product
    };
    let (reduce_first, reduce_second) = (products.reduce_first(), products.reduce_second());
    let (square, cube) = (products.square_of_product(), products.cube_of_product());
    let in_first = |multiplier: &[u64]| chunks.expansions(first, multiplier);
    let in_second = |multiplier: &[u64]| chunks.expansions(second, multiplier);
    // Digits rotate: in step k, Rower j receives digit (j + k) mod n.
    let rotated =
        |rows: &[Residues], k: usize| -> Vec<u64> { (0..n).map(|j| rows[(j + k) % n][j]).collect() };
    let mut words = vec![
        in_first(first.channels().complements()),
        in_first(&first.word_to_residues(1)),
        in_second(second.channels().complements()),
        in_second(second.cofactor_inverses()),
        in_first(&product(first, square.first(), reduce_first)),
        in_second(&product(second, square.second(), reduce_second)),
        in_first(reduce_first),
        in_second(&product(second, second.cofactor_inverses(), reduce_second)),
        in_first(products.one().first()),
        in_second(products.one().second()),
    ];
    words.extend((0..chunks.count).map(|k| in_first(&chunks.shifted(first, reduce_first, k))));
    words.extend((0..chunks.count).map(|k| in_second(&chunks.shifted(second, reduce_second, k))));
    words.extend((0..n).map(|k| in_second(&rotated(products.forth(), k))));
    words.push(in_second(products.forth_excess()));
    words.extend((0..n).map(|k| in_first(&rotated(products.back(), k))));
    words.push(in_first(products.back_excess()));
    words.push(in_first(&product(first, cube.first(), reduce_first)));
    words.push(in_second(&product(second, cube.second(), reduce_second)));
    words
}

/// Digit j of every M_i and of −M, for every j.
fn columns(base: &Base) -> Vec<Bits> {
    let n = base.count();
    let precision = base.product().bits_precision() + 64;
    let negative = BoxedUint::zero().resize(precision).wrapping_sub(base.product().resize(precision));
    let numbers: Vec<Vec<u64>> =
        base.quotients().chain([negative]).map(|number| base.digits(&number, n)).collect();
    (0..n).flat_map(|j| numbers.iter().map(move |digits| Bits::of(digits[j], base.width()))).collect()
}

/// The steps of an exponentiation: the number of squarings, whether a product follows, and by which
/// power.
fn program(turns: &[(u32, Option<usize>)]) -> Vec<Bits> {
    let word = |&(squares, index): &(u32, Option<usize>)| {
        let (index, follows) = (index.unwrap_or(0) as u64, u64::from(index.is_some()));
        Bits::of(squares.into(), 16).and(index, 8).and(follows, 1).and(0, 7)
    };
    turns.iter().map(word).collect()
}
