//! Products and powers modulo odd numbers and powers of two.

use super::{
    divisor::Divisor,
    words::{MORE_WORDS, difference, inverse_of_odd_word, multiply, resized, unit},
};

/// A ring in which powers are computed.
pub(super) trait Ring<const N: usize> {
    fn product(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N];

    #[inline(always)]
    fn square(&self, a: &[u64; N]) -> [u64; N] {
        self.product(a, a)
    }
}

/// base^y by sliding windows, for a y without leading zeros that is not 0.
pub(super) fn window_power<const N: usize>(ring: &impl Ring<N>, base: &[u64; N], y: &[u64]) -> [u64; N] {
    let bits = 64 * y.len() as u32 - y.last().map_or(0, |word| word.leading_zeros());
    let bit = |at: u32| y[at as usize / 64] >> (at % 64) & 1;
    let width = match bits {
        0..8 => 1,
        8..24 => 2,
        24..80 => 3,
        _ => 4,
    };
    let mut odd_powers = [*base; 8];
    if width > 1 {
        let square = ring.square(base);
        for i in 1..1 << (width - 1) {
            odd_powers[i] = ring.product(&odd_powers[i - 1], &square);
        }
    }
    let (mut power, mut begun, mut left) = (*base, false, bits);
    while left > 0 {
        if bit(left - 1) == 0 {
            power = ring.square(&power);
            left -= 1;
            continue;
        }
        // The window ends with a one.
        let mut end = left.saturating_sub(width);
        while bit(end) == 0 {
            end += 1;
        }
        let window = (end..left).rev().fold(0, |window, at| window << 1 | bit(at));
        let entry = &odd_powers[window as usize / 2];
        if begun {
            for _ in end..left {
                power = ring.square(&power);
            }
            power = ring.product(&power, entry);
        } else {
            (power, begun) = (*entry, true);
        }
        left = end;
    }
    power
}

/// The ring modulo an odd number above 1, with residues times R = 2^(64·N).
pub(super) struct Montgomery<const N: usize> {
    modulus: [u64; N],
    /// −modulus^(−1) modulo 2^64.
    quotient: u64,
}

impl<const N: usize> Montgomery<N> {
    pub(super) fn new(modulus: [u64; N]) -> Self {
        Self { modulus, quotient: inverse_of_odd_word(modulus[0]).wrapping_neg() }
    }

    /// base^y for a base below the modulus.
    pub(super) fn power(&self, base: &[u64; N], y: &[u64]) -> [u64; N] {
        if y.is_empty() {
            return unit();
        }
        let power = window_power(self, &self.enter(base), y);
        self.product(&power, &unit())
    }

    /// R·base modulo the modulus.
    fn enter(&self, base: &[u64; N]) -> [u64; N] {
        if N == 1 {
            return resized(&[((u128::from(base[0]) << 64) % u128::from(self.modulus[0])) as u64]);
        }
        Divisor::new(&self.modulus).entered(base)
    }

    /// A number below twice the modulus, with a word on top, modulo the modulus.
    #[inline(always)]
    fn less_the_modulus(&self, a: &[u64; N], top: u64) -> [u64; N] {
        let (less, borrow) = difference(a, &self.modulus);
        let keep = (u64::from(borrow) & !top & 1).wrapping_neg();
        std::array::from_fn(|i| less[i] ^ (keep & (less[i] ^ a[i])))
    }
}

impl<const N: usize> Ring<N> for Montgomery<N> {
    /// a·b/R, word by word (Koç, Acar and Kaliski 1996).
    #[inline(always)]
    fn product(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        if N == 1 {
            // This is a·b less the multiple of the modulus that has the same low word.
            let (m, all) = (self.modulus[0], u128::from(a[0]) * u128::from(b[0]));
            let multiple =
                u128::from((all as u64).wrapping_mul(self.quotient.wrapping_neg())) * u128::from(m);
            let (less, borrow) = ((all >> 64) as u64).overflowing_sub((multiple >> 64) as u64);
            return resized(&[less.wrapping_add(if borrow { m } else { 0 })]);
        }
        let mut t = [0; N];
        let mut top = 0;
        for &word in a {
            let mut carry = 0;
            for j in 0..N {
                (t[j], carry) = multiply(word, b[j], t[j], carry);
            }
            let (high, over) = carry.overflowing_add(top);
            let q = t[0].wrapping_mul(self.quotient);
            let (_, mut carry) = multiply(q, self.modulus[0], t[0], 0);
            for j in 1..N {
                (t[j - 1], carry) = multiply(q, self.modulus[j], t[j], carry);
            }
            let over_again;
            (t[N - 1], over_again) = high.overflowing_add(carry);
            top = u64::from(over | over_again);
        }
        self.less_the_modulus(&t, top)
    }

    /// a²/R. From five words on, the two equal halves of a² are computed once.
    #[inline(always)]
    fn square(&self, a: &[u64; N]) -> [u64; N] {
        if N < 5 {
            return self.product(a, a);
        }
        let mut t = [0; 2 * MORE_WORDS];
        for i in 0..N {
            let mut carry = 0;
            for j in i + 1..N {
                (t[i + j], carry) = multiply(a[i], a[j], t[i + j], carry);
            }
            t[i + N] = carry;
        }
        let (mut shifted, mut carry) = (0, 0);
        for (i, pair) in t.chunks_exact_mut(2).take(N).enumerate() {
            let (low, high) = (pair[0] << 1 | shifted, pair[1] << 1 | pair[0] >> 63);
            shifted = pair[1] >> 63;
            let (word, above) = multiply(a[i], a[i], low, carry);
            let over;
            (pair[0], (pair[1], over)) = (word, high.overflowing_add(above));
            carry = u64::from(over);
        }
        let mut top = 0;
        for i in 0..N {
            let q = t[i].wrapping_mul(self.quotient);
            let mut carry = 0;
            for j in 0..N {
                (t[i + j], carry) = multiply(q, self.modulus[j], t[i + j], carry);
            }
            let (partial, first) = t[i + N].overflowing_add(carry);
            let (word, second) = partial.overflowing_add(top);
            t[i + N] = word;
            top = u64::from(first | second);
        }
        self.less_the_modulus(&std::array::from_fn(|i| t[N + i]), top)
    }
}

/// The ring modulo 2^(64·N).
pub(super) struct Binary<const N: usize>;

impl<const N: usize> Ring<N> for Binary<N> {
    fn product(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut t = [0; N];
        for i in 0..N {
            let mut carry = 0;
            for j in 0..N - i {
                (t[i + j], carry) = multiply(a[i], b[j], t[i + j], carry);
            }
        }
        t
    }
}

/// The inverse of an odd number modulo 2^(64·N).
pub(super) fn inverse_modulo_binary<const N: usize>(odd: &[u64; N]) -> [u64; N] {
    let (binary, two) = (Binary::<N>, std::array::from_fn(|i| if i == 0 { 2 } else { 0 }));
    let mut inverse = resized(&[inverse_of_odd_word(odd[0])]);
    for _ in 0..N.ilog2() + u32::from(!N.is_power_of_two()) {
        inverse = binary.product(&inverse, &difference(&two, &binary.product(odd, &inverse)).0);
    }
    inverse
}
