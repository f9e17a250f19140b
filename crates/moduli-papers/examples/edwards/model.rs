//! Finds where residue digits win, from the operation counts of all shapes.

use moduli::Error;
use moduli_papers::curve::{
    Comb, Edwards, Group, M0m1, Method, Operations, ResidueDigits, SignedComb, SignedRadix,
    SignedResidueDigits,
};

use crate::{
    candidates::{BUDGETS, Form, POINT},
    measure::Ratios,
};

/// A shape with its counts.
struct Shape {
    name: String,
    public: (f64, f64),
    secret: Operations,
}

impl Shape {
    fn new(method: impl Method) -> Self {
        Self {
            name: method.to_string(),
            public: method.public_operations(),
            secret: method.secret_operations(),
        }
    }

    fn price(&self, form: Form, ratios: Ratios) -> f64 {
        match form {
            Form::Public => self.public.0 + self.public.1 * ratios.doubling,
            Form::Secret => {
                self.secret.additions as f64
                    + self.secret.doublings as f64 * ratios.doubling
                    + self.secret.negations as f64 * ratios.negation
                    + self.secret.selections as f64 * ratios.selection
            }
        }
    }
}

fn shapes<M: Method>(most: usize) -> Result<Vec<Shape>, Error> {
    Ok(M::shapes(Edwards.order(), most)?.into_iter().map(Shape::new).collect())
}

fn others(most: usize) -> Result<Vec<Shape>, Error> {
    Ok([shapes::<SignedComb>(most)?, shapes::<Comb>(most)?, shapes::<SignedRadix>(most)?]
        .into_iter()
        .flatten()
        .collect())
}

fn best(shapes: &[Shape], form: Form, ratios: Ratios) -> Option<(&Shape, f64)> {
    let priced = shapes.iter().map(|shape| (shape, shape.price(form, ratios)));
    priced.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The ranges in which `holds` is true, among the ratios from 0 to 3 in steps of a hundredth.
fn ranges(holds: impl Fn(f64) -> bool) -> Vec<(f64, f64)> {
    let mut ranges: Vec<(f64, f64)> = Vec::new();
    let mut inside = false;
    for step in 0..=300 {
        let ratio = f64::from(step) / 100.0;
        let now = holds(ratio);
        match ranges.last_mut().filter(|_| inside) {
            Some(last) if now => last.1 = ratio,
            _ if now => ranges.push((ratio, ratio)),
            _ => (),
        }
        inside = now;
    }
    ranges
}

/// The result for one residue method within a budget.
pub struct BreakEven {
    pub budget: usize,
    pub form: Form,
    pub method: &'static str,
    /// The ranges of the cost of a doubling in additions, up to 3, in which it beats radix and
    /// combs.
    pub wins: Vec<(f64, f64)>,
    /// The same against the comb of one table, the only one in the paper's comparison.
    pub wins_over_one_table: Vec<(f64, f64)>,
    /// Its relative advantage (negative: disadvantage) at the measured cost of a doubling, at 1,
    /// and at 1.5 additions.
    pub gains: [Option<f64>; 3],
}

/// The results for both forms, all budgets and all residue methods.
pub fn break_even(ratios: Ratios) -> Result<Vec<BreakEven>, Error> {
    let mut found = Vec::new();
    for budget in BUDGETS {
        let most = budget / POINT;
        let others = others(most)?;
        let one_table = (1..=16).filter_map(|teeth| Comb::new(teeth, 1, Edwards.order()).ok());
        let one_table: Vec<Shape> = one_table.filter(|comb| comb.entries() <= most).map(Shape::new).collect();
        let residues = [
            ("m0m1", shapes::<M0m1>(most)?),
            ("residue digits", shapes::<ResidueDigits>(most)?),
            ("signed residue digits", shapes::<SignedResidueDigits>(most)?),
        ];
        for form in [Form::Public, Form::Secret] {
            for (method, shapes) in &residues {
                let gain_over = |others: &[Shape], doubling| {
                    let ratios = Ratios { doubling, ..ratios };
                    let (own, other) = (best(shapes, form, ratios)?, best(others, form, ratios)?);
                    Some(1.0 - own.1 / other.1)
                };
                let wins = ranges(|ratio| gain_over(&others, ratio).is_some_and(|gain| gain > 0.0));
                let wins_over_one_table =
                    ranges(|ratio| gain_over(&one_table, ratio).is_some_and(|gain| gain > 0.0));
                let gains = [ratios.doubling, 1.0, 1.5].map(|ratio| gain_over(&others, ratio));
                found.push(BreakEven { budget, form, method, wins, wins_over_one_table, gains });
            }
        }
    }
    Ok(found)
}

/// The best constant-time shapes for a given cost of reading an entry.
pub struct BySelection {
    pub budget: usize,
    pub selection: f64,
    pub other: String,
    /// The repaired and the signed residue digits, each with its relative advantage.
    pub residues: [(String, f64); 2],
}

/// The constant-time forms for several costs of a masked read. The last is the measured one.
pub fn by_selection(ratios: Ratios) -> Result<Vec<BySelection>, Error> {
    let mut found = Vec::new();
    for budget in [64 << 10, 256 << 10, 4 << 20] {
        let most = budget / POINT;
        let (others, residues) =
            (others(most)?, [shapes::<ResidueDigits>(most)?, shapes::<SignedResidueDigits>(most)?]);
        for selection in [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, ratios.selection] {
            let ratios = Ratios { selection, ..ratios };
            let winner = |shapes| best(shapes, Form::Secret, ratios);
            let Some(other) = winner(&others) else { continue };
            let describe = |(shape, price): (&Shape, f64)| format!("{}, {price:.1}", shape.name);
            let residues = residues.each_ref().map(|shapes| {
                winner(shapes)
                    .map_or(("does not fit".into(), f64::NAN), |own| (describe(own), 1.0 - own.1 / other.1))
            });
            found.push(BySelection { budget, selection, other: describe(other), residues });
        }
    }
    Ok(found)
}
