//! Finds the best shape of each method for a budget, and compares the methods.

use std::{error::Error, hint::black_box};

use curve25519_dalek::{
    EdwardsPoint, Scalar,
    constants::ED25519_BASEPOINT_POINT,
    edwards::{
        EdwardsBasepointTable, EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64,
        EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256,
    },
    traits::BasepointTable,
};
use moduli_papers::curve::{
    Comb, Counting, Edwards, FixedBase, Group, M0m1, Method, ResidueDigits, SignedComb, SignedRadix,
    SignedResidueDigits,
};

use crate::measure::{Ratios, Timing, interleave};

/// The size of an entry in extended coordinates, in bytes.
pub const POINT: usize = size_of::<EdwardsPoint>();
/// The budgets for tables, in bytes.
pub const BUDGETS: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
const SCALARS: usize = 16;
const ROUNDS: usize = 101;

/// Variable-time or constant-time.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Public,
    Secret,
}

/// The predicted cost of a shape in additions.
pub fn price(method: &impl Method, form: Form, ratios: Ratios) -> f64 {
    if form == Form::Public {
        let (additions, doublings) = method.public_operations();
        return additions + doublings * ratios.doubling;
    }
    let operations = method.secret_operations();
    operations.additions as f64
        + operations.doublings as f64 * ratios.doubling
        + operations.negations as f64 * ratios.negation
        + operations.selections as f64 * ratios.selection
}

/// The cheapest shape that stores at most `most` points.
pub fn best<M: Method>(most: usize, form: Form, ratios: Ratios) -> Result<Option<M>, moduli::Error> {
    let price = |method: &M| price(method, form, ratios);
    Ok(M::shapes(Edwards.order(), most)?.into_iter().min_by(|a, b| price(a).total_cmp(&price(b))))
}

/// A line of a table.
pub struct Line {
    pub name: String,
    pub entries: usize,
    pub bytes: usize,
    /// The counted averages of additions, doublings and selections.
    pub counts: Option<[f64; 3]>,
    /// The cost by the model, in additions.
    pub price: Option<f64>,
    pub timing: Timing,
}

/// A contest: its lines. All are compared with the first.
pub struct Contest {
    pub title: String,
    pub lines: Vec<Line>,
}

/// k·P, for k as limbs and as dalek's type.
type Multiply = dyn Fn(&[u64; 4], &Scalar) -> EdwardsPoint;

struct Candidate {
    name: String,
    entries: usize,
    bytes: usize,
    counts: Option<[f64; 3]>,
    price: Option<f64>,
    mul: Box<Multiply>,
}

impl Candidate {
    fn new<M: Method + 'static>(method: M, form: Form, ratios: Ratios) -> Result<Self, Box<dyn Error>> {
        let counting = FixedBase::new(Counting::new(Edwards.order())?, method.clone(), &[1, 0, 0, 0])?;
        counting.group().take();
        let scalars = scalars();
        for (k, _) in &scalars {
            _ = if form == Form::Public { counting.mul_vartime(*k) } else { counting.mul(*k) };
        }
        let counted = counting.group().take();
        let mean = |sum: u64| sum as f64 / scalars.len() as f64;
        let fixed = FixedBase::new(Edwards, method.clone(), &ED25519_BASEPOINT_POINT)?;
        Ok(Self {
            name: method.to_string(),
            entries: method.entries(),
            bytes: method.entries() * POINT,
            counts: Some([mean(counted.additions), mean(counted.doublings), mean(counted.selections)]),
            price: Some(price(&method, form, ratios)),
            mul: Box::new(
                move |k, _| if form == Form::Public { fixed.mul_vartime(*k) } else { fixed.mul(*k) },
            ),
        })
    }

    /// 32 rows with half the radix as entries.
    fn dalek<T: BasepointTable<Point = EdwardsPoint> + 'static>(radix: usize) -> Self {
        let table = Box::new(T::create(&ED25519_BASEPOINT_POINT));
        let name = format!("dalek, radix {radix}");
        let mul = Box::new(move |_: &[u64; 4], k: &Scalar| table.mul_base(k));
        Self { name, entries: 32 * radix / 2, bytes: size_of::<T>(), counts: None, price: None, mul }
    }
}

/// Random scalars, the same in every run, as limbs and as dalek's type.
fn scalars() -> Vec<([u64; 4], Scalar)> {
    let mut random = testing::Random(0xed);
    let one = |_| {
        let limbs: [u64; 4] = core::array::from_fn(|_| random.word());
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).zip(limbs).for_each(|(bytes, limb)| bytes.copy_from_slice(&limb.to_le_bytes()));
        (limbs, Scalar::from_bytes_mod_order(bytes))
    };
    (0..SCALARS).map(one).collect()
}

fn run(title: String, candidates: Vec<Candidate>) -> Result<Contest, Box<dyn Error>> {
    let scalars = scalars();
    // First compares the results.
    for (k, scalar) in &scalars {
        let expected = EdwardsPoint::mul_base(scalar);
        if let Some(wrong) = candidates.iter().find(|candidate| (candidate.mul)(k, scalar) != expected) {
            return Err(format!("{} differs from dalek", wrong.name).into());
        }
    }
    let runners: Vec<Box<dyn Fn() + '_>> = candidates
        .iter()
        .map(|candidate| {
            let scalars = &scalars;
            let all = move || {
                scalars.iter().for_each(|(k, scalar)| _ = black_box((candidate.mul)(black_box(k), scalar)))
            };
            Box::new(all) as Box<dyn Fn() + '_>
        })
        .collect();
    let timings = interleave(&runners, SCALARS, ROUNDS);
    drop(runners);
    let line = |(candidate, timing): (Candidate, Timing)| Line {
        name: candidate.name,
        entries: candidate.entries,
        bytes: candidate.bytes,
        counts: candidate.counts,
        price: candidate.price,
        timing,
    };
    Ok(Contest { title, lines: candidates.into_iter().zip(timings).map(line).collect() })
}

fn enter<M: Method + 'static>(
    candidates: &mut Vec<Candidate>,
    most: usize,
    form: Form,
    ratios: Ratios,
) -> Result<(), Box<dyn Error>> {
    if let Some(method) = best::<M>(most, form, ratios)? {
        candidates.push(Candidate::new(method, form, ratios)?);
    }
    Ok(())
}

/// All methods within a budget, the signed comb first.
pub fn contest(budget: usize, form: Form, ratios: Ratios) -> Result<Contest, Box<dyn Error>> {
    let (mut candidates, most) = (Vec::new(), budget / POINT);
    enter::<SignedComb>(&mut candidates, most, form, ratios)?;
    enter::<Comb>(&mut candidates, most, form, ratios)?;
    enter::<SignedRadix>(&mut candidates, most, form, ratios)?;
    enter::<M0m1>(&mut candidates, most, form, ratios)?;
    enter::<ResidueDigits>(&mut candidates, most, form, ratios)?;
    enter::<SignedResidueDigits>(&mut candidates, most, form, ratios)?;
    run(format!("{} KiB", budget >> 10), candidates)
}

/// Each of dalek's tables, compared with the best constant-time shapes of as many bytes, and then
/// of as many entries.
pub fn beside_dalek(ratios: Ratios) -> Result<Vec<Contest>, Box<dyn Error>> {
    let makers = [
        || Candidate::dalek::<EdwardsBasepointTable>(16),
        || Candidate::dalek::<EdwardsBasepointTableRadix32>(32),
        || Candidate::dalek::<EdwardsBasepointTableRadix64>(64),
        || Candidate::dalek::<EdwardsBasepointTableRadix128>(128),
        || Candidate::dalek::<EdwardsBasepointTableRadix256>(256),
    ];
    let mut contests = Vec::new();
    for (equal_bytes, make) in [true, false].into_iter().flat_map(|bytes| makers.map(|make| (bytes, make))) {
        let table = make();
        let (title, most) = if equal_bytes {
            (format!("{} KiB", table.bytes >> 10), table.bytes / POINT)
        } else {
            (format!("{} entries", table.entries), table.entries)
        };
        let mut candidates = vec![table];
        enter::<SignedComb>(&mut candidates, most, Form::Secret, ratios)?;
        enter::<SignedRadix>(&mut candidates, most, Form::Secret, ratios)?;
        enter::<SignedResidueDigits>(&mut candidates, most, Form::Secret, ratios)?;
        contests.push(run(title, candidates)?);
    }
    Ok(contests)
}
