//! Strips with spare bits: the highest digit of each strip has fewer bits than the others, so it can hold
//! what is carried into it.

use super::digits::DIGIT;

/// The word of digit v of strip l.
#[inline(always)]
fn at([blocks, _]: [usize; 2], l: usize, v: usize) -> usize {
    blocks * v + l
}

/// From digits of 52 bits, in strips of `digits` each, to digits where the highest ones of the strips have
/// `spare` bits less. The number stays the same.
#[inline(never)]
pub(super) fn loosen(x: &mut [u64], [blocks, digits]: [usize; 2], spare: usize) {
    let sizes = [blocks, digits];
    // Strip l begins spare·l bits lower than before.
    for l in (0..blocks).rev() {
        for v in (0..digits).rev() {
            let below = match (l, v) {
                (0, 0) => 0,
                (_, 0) => x[at(sizes, l - 1, digits - 1)],
                _ => x[at(sizes, l, v - 1)],
            };
            let digit = x[at(sizes, l, v)] << (spare * l) | below >> (52 - spare * l);
            x[at(sizes, l, v)] = digit & if v + 1 < digits { DIGIT } else { DIGIT >> spare };
        }
    }
}

/// The reverse, also where the highest digits of the strips contain carries into the next strip.
#[inline(never)]
pub(super) fn tighten(x: &mut [u64], [blocks, digits]: [usize; 2], spare: usize) {
    let sizes = [blocks, digits];
    let (mut carry, mut last) = (0, None::<(usize, u64, usize)>);
    for l in 0..blocks {
        for v in 0..digits {
            let place = at(sizes, l, v);
            let bits = if v + 1 < digits { 52 } else { 52 - spare };
            let sum = x[place] + carry;
            let digit = sum & (DIGIT >> (52 - bits));
            carry = sum >> bits;
            // The bits of the digit before that it keeps, and bits of this one above them.
            if let Some((place, kept, bits)) = last {
                x[place] = kept | digit << bits & DIGIT;
            }
            last = Some((place, digit >> (spare * l), bits - spare * l));
        }
    }
    if let Some((place, kept, _)) = last {
        x[place] = kept;
    }
}
