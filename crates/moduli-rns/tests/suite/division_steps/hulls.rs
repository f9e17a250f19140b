//! The number of division steps, proved anew for one length after the other.
//!
//! For each δ the convex hull of all (f, g) that can be reached is kept, from the triangle 0 ≤ g ≤ f ≤ 2^b
//! with δ = 1/2. A step sends a hull to the hulls of its images, whatever the parity of g; the parity is not
//! known of points in a plane, so more is kept than can be reached, never less. Where |g| < 1 throughout, g
//! is 0; where |f| < 1 throughout, there is no odd f. When no hull is left, g was 0 for every operand.
//! Doubles are exact to 2^(−52) a step, and 10^(−6) is left for that.

use std::collections::BTreeMap;

use moduli_rns::inverse::division_steps::steps_for;

type Point = [f64; 2];

/// Points in order around their convex hull.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turns_left =
        |[a, b, c]: [Point; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0;
    let chain = |points: &mut dyn Iterator<Item = &Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for &point in points {
            while let [.., a, b] = chain[..] {
                if turns_left([a, b, point]) {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut around = chain(&mut points.iter());
    around.extend(chain(&mut points.iter().rev()));
    around
}

/// Steps after which no hull is left, for f below 2^bits.
fn steps_by_hulls(bits: i32) -> u64 {
    let top = 2f64.powi(bits);
    let mut hulls = BTreeMap::from([(1, vec![[0.0, 0.0], [top, 0.0], [top, top]])]);
    for steps in 0.. {
        let beyond = |points: &[Point], i: usize| points.iter().any(|point| point[i].abs() > 1.0 - 1e-6);
        hulls.retain(|_, points| beyond(points, 0) && beyond(points, 1));
        if hulls.is_empty() {
            return steps;
        }
        let mut images: BTreeMap<i32, Vec<Point>> = BTreeMap::new();
        for (twice_delta, points) in hulls {
            let up = images.entry(twice_delta + 2).or_default();
            up.extend(points.iter().map(|[f, g]| [*f, g / 2.0]));
            if twice_delta > 0 {
                let changed = images.entry(2 - twice_delta).or_default();
                changed.extend(points.iter().map(|[f, g]| [*g, (g - f) / 2.0]));
            } else {
                up.extend(points.iter().map(|[f, g]| [*f, (g + f) / 2.0]));
            }
        }
        hulls = images.into_iter().map(|(delta, points)| (delta, hull(points))).collect();
    }
    unreachable!("a loop without end")
}

fn check(lengths: impl Iterator<Item = i32>) {
    for bits in lengths {
        let (proved, promised) = (steps_by_hulls(bits), steps_for(bits as u32));
        assert!(proved <= promised && promised <= proved + 1, "{bits} bits: {proved}, {promised}");
    }
}

#[test]
fn the_number_of_steps_is_proved() {
    check((2..=64).chain([128]));
    assert_eq!((steps_by_hulls(256), steps_for(256)), (590, 591));
}

#[test]
#[ignore = "minutes"]
fn the_number_of_steps_is_proved_for_every_field() {
    check([192, 224, 255, 320, 384, 512, 521].into_iter());
}

/// Grid points a unit, that is a P.
const GRID: f64 = 65_536.0;

/// The classes of δ end at ±20: what lies beyond is one class on each side.
const LAST: i32 = 41;

/// Where a jump can stand: 2·δ, whether f and g changed places in it, and its steps so far.
type Place = (i32, bool, u32);

/// The corners of the grid around a point that a halving put between them. All numbers are integers below
/// 2^20: exact.
fn around([d, e]: Point) -> [Point; 2] {
    [[d, e.floor()], [d, e.ceil()]]
}

/// All that one step, or the end of a jump, makes of a polygon of (d, e).
fn images(
    (twice_delta, swapped, steps): Place,
    points: &[Point],
    k: u32,
    or_more: bool,
) -> Vec<(Place, Vec<Point>)> {
    let mut images = Vec::new();
    if steps == k {
        // c·P/2^k: up to 1/2 in size; none for d if the first row is (2^k, 0).
        let error = if swapped { GRID / 2.0 } else { 0.0 };
        let corners = |[d, e]: &Point| {
            [
                [d - error, e - GRID / 2.0],
                [d - error, e + GRID / 2.0],
                [d + error, e - GRID / 2.0],
                [d + error, e + GRID / 2.0],
            ]
        };
        images.push(((twice_delta, false, 0), points.iter().flat_map(corners).collect()));
        if !or_more {
            return images;
        }
    }
    let steps = (steps + 1).min(k);
    let mapped = |map: &dyn Fn(&Point) -> Point| {
        points.iter().flat_map(|point| around(map(point))).collect::<Vec<_>>()
    };
    // The outermost classes may be left, or not.
    let next = |value: i32| {
        let inward = value.clamp(-LAST, LAST);
        let outermost = (twice_delta.abs() == LAST).then_some(if value < 0 { -LAST } else { inward });
        [Some(inward), outermost].into_iter().flatten()
    };
    for next in next(twice_delta + 2) {
        images.push(((next, swapped, steps), mapped(&|[d, e]| [*d, e / 2.0])));
        if twice_delta < 0 {
            images.push(((next, swapped, steps), mapped(&|[d, e]| [*d, (e + d) / 2.0])));
        }
    }
    if twice_delta > 0 {
        for next in next(2 - twice_delta) {
            images.push(((next, true, steps), mapped(&|[d, e]| [*e, (e - d) / 2.0])));
        }
    }
    images
}

/// The largest |d| and |e| after a jump, in P, for jumps of k steps (or more) in any number: of polygons that
/// no step leaves.
fn cofactors_by_hulls(k: u32, or_more: bool) -> [f64; 2] {
    // e = 2^k mod P is below P.
    let mut hulls = BTreeMap::from([((1, false, 0), vec![[0.0, 0.0], [0.0, GRID]])]);
    for _ in 0..5000 {
        let mut next: BTreeMap<Place, Vec<Point>> = hulls.clone();
        for (&place, points) in &hulls {
            for (place, image) in images(place, points, k, or_more) {
                next.entry(place).or_default().extend(image);
            }
        }
        let next = next.into_iter().map(|(place, points)| (place, hull(points))).collect();
        if next == hulls {
            let after_jumps =
                hulls.iter().filter(|((_, _, steps), _)| *steps == 0).flat_map(|(_, points)| points);
            return after_jumps.fold([0.0f64; 2], |[d, e], point| {
                [d.max(point[0].abs() / GRID), e.max(point[1].abs() / GRID)]
            });
        }
        hulls = next;
    }
    panic!("the polygons grow on")
}

/// |d|, |e| < 4·P, with room to spare, for every number of steps a jump, every number of jumps and every P.
#[test]
fn cofactors_stay_below_four_times_the_modulus() {
    for (k, or_more, most_d) in [(1, false, 3.01), (2, false, 2.35), (3, false, 2.16), (4, true, 2.08)] {
        let [d, e] = cofactors_by_hulls(k, or_more);
        println!("k = {k}: {d}, {e}");
        assert!(2.0 <= d && d < most_d && e < most_d - 0.49, "k = {k}: {d}, {e}");
    }
}
