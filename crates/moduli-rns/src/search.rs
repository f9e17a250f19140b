//! The search for the moduli of a base, and the errors that suggest another shape. Variable-time; all numbers
//! are public.

use alloc::{format, string::String, vec::Vec};
use crypto_bigint::BoxedUint;

use super::word;
use moduli::Error;
use moduli_kernel::limbs;

/// The maximum number of channels of a base, 1024.
pub const MAX_CHANNELS: usize = 1024;

/// The shape of a base: the number of its moduli and their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseShape {
    /// The number of channels n, 1 to [`MAX_CHANNELS`].
    pub channels: usize,
    /// The width w of a modulus in bits, 8 to 64.
    pub width: u32,
}

impl BaseShape {
    /// Makes the shape with n channels of w bits, which the literature writes as (n, w).
    pub fn new(channels: usize, width: u32) -> Self {
        Self { channels, width }
    }

    pub(super) fn check(self) -> Result<(), Error> {
        if !(8..=64).contains(&self.width) {
            return Err(Error::out_of_range("width", self.width, [8u32, 64]));
        }
        if !(1..=MAX_CHANNELS).contains(&self.channels) {
            return Err(Error::out_of_range("channels", self.channels as u64, [1u64, 1024]));
        }
        Ok(())
    }
}

/// The conditions on the moduli of a base. By default, they only have to be odd and pairwise coprime.
#[derive(Clone, Copy, Debug)]
pub struct Family<'a> {
    /// A number q for which moduli ≡ 1 modulo q are preferred, or 1 for no preference. If there are enough
    /// such moduli, all weights modulo q are 1.
    pub one_modulo: u64,
    /// A number to which all moduli are coprime.
    pub coprime_to: u64,
    /// A further, larger number to which all moduli are coprime.
    pub value: Option<&'a BoxedUint>,
}

impl Default for Family<'_> {
    fn default() -> Self {
        Self { one_modulo: 1, coprime_to: 1, value: None }
    }
}

impl<'a> Family<'a> {
    /// Makes the family of moduli that are coprime to q, and ≡ 1 modulo q if there are enough.
    pub fn for_residues_modulo(q: u64) -> Self {
        Self { one_modulo: q, coprime_to: q, ..Self::default() }
    }

    /// Makes the family of moduli that are coprime to a value, so that the value is invertible modulo each.
    pub fn coprime_to(value: &'a BoxedUint) -> Self {
        Self { value: Some(value), ..Self::default() }
    }
}

/// The moduli of a shape, with the smallest r first. `None` if there are too few moduli of this width in the
/// family.
pub(super) fn find(shape: BaseShape, family: &Family<'_>) -> Option<Vec<u64>> {
    let enough = |moduli: &Vec<u64>| moduli.len() == shape.channels;
    let preferred = (family.one_modulo > 1).then(|| collect(shape, family, family.one_modulo));
    preferred.filter(enough).or_else(|| Some(collect(shape, family, 1)).filter(enough))
}

/// Up to n moduli that are ≡ 1 modulo `one_modulo`.
fn collect(shape: BaseShape, family: &Family<'_>, one_modulo: u64) -> Vec<u64> {
    let moduli = greedy(candidates(shape.width, family, one_modulo), shape.channels);
    // Selecting the smallest r first wastes a few moduli. If that leaves too few, selects those with the
    // fewest conflicts first. Up to 20 bits, there are at most 512 candidates.
    if moduli.len() == shape.channels || shape.width > 20 {
        return moduli;
    }
    let all: Vec<u64> = candidates(shape.width, family, one_modulo).collect();
    let conflicts = |m: u64| all.iter().filter(|&&other| word::gcd(other, m) != 1).count();
    let mut order: Vec<(usize, u64)> = all.iter().map(|&m| (conflicts(m), m)).collect();
    order.sort_by_key(|&(conflicts, m)| (conflicts, u64::MAX - m));
    let other = greedy(order.into_iter().map(|(_, m)| m), shape.channels);
    if other.len() > moduli.len() { other } else { moduli }
}

/// Selects each modulus that is coprime to those selected before.
fn greedy(candidates: impl Iterator<Item = u64>, count: usize) -> Vec<u64> {
    let mut moduli: Vec<u64> = Vec::new();
    for m in candidates {
        if moduli.len() == count {
            break;
        }
        if moduli.iter().all(|&other| word::gcd(other, m) == 1) {
            moduli.push(m);
        }
    }
    moduli
}

/// The odd m = 2^w − r of the family with m ≡ 1 modulo `one_modulo`, in ascending order of r.
fn candidates(width: u32, family: &Family<'_>, one_modulo: u64) -> impl Iterator<Item = u64> {
    let top = u64::MAX >> (64 - width);
    // r is ≡ 2^w − 1 modulo `one_modulo`, and odd.
    let first = top % one_modulo;
    let first = if first % 2 == 1 { first } else { first.saturating_add(one_modulo) };
    let step = if one_modulo.is_multiple_of(2) { one_modulo } else { one_modulo.saturating_mul(2) };
    let value = family.value.map(|value| limbs::to_limbs(value, 1));
    let coprime_to = family.coprime_to;
    core::iter::successors(Some(first), move |&r| r.checked_add(step))
        .take_while(move |&r| r < 1 << (width / 2))
        .filter(|&r| r % 2 == 1)
        .map(move |r| top - (r - 1))
        .filter(move |&m| word::gcd(m, coprime_to) == 1)
        .filter(move |&m| value.as_ref().is_none_or(|value| word::gcd(m, word::remainder(value, m)) == 1))
}

/// The product of the moduli, with as many limbs as it needs.
pub(super) fn product(moduli: &[u64]) -> Vec<u64> {
    moduli.iter().fold(alloc::vec![1], |mut product, &m| {
        limbs::multiply_vartime(&mut product, m);
        product
    })
}

/// Whether the product of the moduli is larger than `room`.
pub(super) fn exceeds(moduli: &[u64], room: &BoxedUint) -> bool {
    limbs::from_limbs(&product(moduli)) > *room
}

/// The error for an unsuitable shape. It names the smallest n for this width and the smallest w for this n
/// that are suitable.
pub(super) fn shortage(shape: BaseShape, family: &Family<'_>, room: &BoxedUint) -> Error {
    let found = find(shape, family);
    let least_width = (shape.width + 1..=64).find(|&width| {
        find(BaseShape { width, ..shape }, family).is_some_and(|moduli| exceeds(&moduli, room))
    });
    let least_channels = least_channels(shape.width, family, room);
    let bits = room.bits_vartime();
    let mut reason = match &found {
        None => {
            let available = collect(shape, family, 1).len();
            format!("{}, but only {available} suitable moduli of {} bits exist", shape.channels, shape.width)
        }
        Some(_) => format!(
            "{} of {} bits are too few: their product must exceed a number of {bits} bits",
            shape.channels, shape.width
        ),
    };
    let mut advice: Vec<String> = Vec::new();
    if found.is_some() {
        match least_channels {
            Some(channels) => advice.push(format!("at this width at least {channels} channels are needed")),
            None => advice.push(String::from("at this width no number of channels is enough")),
        }
    }
    match least_width {
        Some(width) => {
            advice.push(format!("with this number of channels at least {width} bits are needed"));
        }
        None => advice.push(String::from("with this number of channels no width up to 64 bits is enough")),
    }
    reason.push_str("; ");
    reason.push_str(&advice.join("; "));
    Error::parameter("channels", reason)
}

/// The same for two bases of one shape: there must be 2n moduli, and the product of the last n must exceed
/// `room`.
pub(super) fn shortage_of_pair(shape: BaseShape, family: &Family<'_>, room: &BoxedUint) -> Error {
    let fits = |shape: BaseShape| {
        let both = BaseShape { channels: 2 * shape.channels, ..shape };
        find(both, family).is_some_and(|moduli| exceeds(&moduli[shape.channels..], room))
    };
    let least_channels = (shape.channels + 1..=MAX_CHANNELS / 2)
        .map(|channels| BaseShape { channels, ..shape })
        .find(|&shape| {
            // Above this number, there are not enough moduli either.
            fits(shape) || find(BaseShape { channels: 2 * shape.channels, ..shape }, family).is_none()
        });
    let least_width = (shape.width + 1..=64).find(|&width| fits(BaseShape { width, ..shape }));
    let mut reason = format!(
        "two bases of {} moduli of {} bits, coprime throughout, each with a product above a number of {} bits, do not \
         exist",
        shape.channels,
        shape.width,
        room.bits_vartime()
    );
    if let Some(shape) = least_channels.filter(|&shape| fits(shape)) {
        reason.push_str(&format!("; at this width at least {} channels are needed", shape.channels));
    }
    match least_width {
        Some(width) => {
            reason.push_str(&format!("; with this number of channels at least {width} bits are needed"))
        }
        None => reason.push_str("; with this number of channels no width up to 64 bits is enough"),
    }
    Error::parameter("channels", reason)
}

/// The smallest n for which n moduli of this width and family have a product above `room`; `None` if there is
/// none.
pub(super) fn least_channels(width: u32, family: &Family<'_>, room: &BoxedUint) -> Option<usize> {
    // A product of k moduli has at most k·w bits, so the search can start at this number. More moduli may be
    // needed if there are not enough ≡ 1, so that others replace them.
    let start = (room.bits_vartime().div_ceil(width) as usize).max(1);
    for channels in start..=MAX_CHANNELS {
        match find(BaseShape { channels, width }, family) {
            Some(moduli) if exceeds(&moduli, room) => return Some(channels),
            Some(_) => {}
            None => return None,
        }
    }
    None
}
