//! Probable primes: trial division by small primes, then Miller–Rabin. Variable-time. Intermediate values are
//! wiped, because numbers may be the factors of a modulus.

use alloc::{vec, vec::Vec};
use crypto_bigint::BoxedUint;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use crate::{error::Error, modulus::Modulus};
use moduli_kernel::{KernelChoice, limbs};

/// The bound of trial division. Below its square, trial division alone decides.
const TRIAL_BOUND: u32 = 1 << 16;

/// Rounds of Miller–Rabin for a number of `bits` bits, p or q: those of FIPS 186-4, table C.1, without a
/// Lucas test; lengths that it does not list get the 64 rounds of its longest. The error stays below 2^−80
/// (40 rounds), 2^−112 (56) or 2^−128 (64), even if an adversary chose the number.
pub fn recommended_rounds(bits: u32) -> u32 {
    match bits {
        0..=160 => 40,
        161..=224 => 56,
        225..=1023 => 64,
        1024..=2047 => 40,
        2048..=3071 => 56,
        _ => 64,
    }
}

/// Whether `n` is prime, by `rounds` rounds of Miller–Rabin. A composite passes with a probability of at most
/// 4^−rounds if an adversary chose it, and far less if it is random. Exact below 2^32.
///
/// The first round has base 2; the bases of the others are hashed from `n` and the number of the round, so
/// that the answer is the same everywhere. FIPS 186-4, C.3.1. Variable-time. Cost: trial division by the
/// primes below 2^16, then one exponentiation of the length of `n` for each round (one round for most
/// composites). Numbers above [`MAX_MODULUS_BITS`](crate::MAX_MODULUS_BITS) count as composite.
pub fn is_probable_prime_vartime(n: &BoxedUint, rounds: u32) -> bool {
    SmallPrimes::new().is_probable_prime(n, rounds)
}

/// Whether odd `n > 2` passes one round of Miller–Rabin with `base`. Variable-time; cost: one exponentiation.
/// `false` for numbers that cannot be a modulus, and for bases that `n` divides.
pub fn is_strong_probable_prime_vartime(n: &BoxedUint, base: &BoxedUint) -> bool {
    modulus_of(n).is_some_and(|modulus| passes_round(&modulus, base))
}

/// The modulus `n`, if it can be one. The callers return a `bool` and cannot report an error, so if
/// the kernel that `MODULI_KERNEL` names is not available, the portable one computes.
fn modulus_of(n: &BoxedUint) -> Option<Modulus> {
    match Modulus::new(n) {
        Err(Error::Kernel(_)) => Modulus::with_kernel(n, KernelChoice::PORTABLE).ok(),
        modulus => modulus.ok(),
    }
}

fn passes_round(modulus: &Modulus, base: &BoxedUint) -> bool {
    let less_one = Zeroizing::new(modulus.value().wrapping_sub(BoxedUint::one()));
    let twos = less_one.trailing_zeros_vartime();
    let odd_part = Zeroizing::new(less_one.unbounded_shr_vartime(twos));
    let Ok(power) = modulus.pow_vartime(base, &*odd_part).map(Zeroizing::new) else { return false };
    if *power == BoxedUint::one() || *power == *less_one {
        return true;
    }
    let mut power = modulus.element(&power);
    (1..twos).any(|_| {
        power = power.square();
        *Zeroizing::new(power.to_uint()) == *less_one
    })
}

/// The primes below [`TRIAL_BOUND`], multiplied together to form words.
pub(crate) struct SmallPrimes {
    products: Vec<Product>,
}

/// A product of odd primes that fits in a word.
struct Product {
    value: u64,
    /// The inverse of `value` modulo 2^64.
    inverse: u64,
    primes: Vec<u32>,
}

impl Product {
    fn new(primes: Vec<u32>) -> Self {
        let value = primes.iter().map(|&prime| u64::from(prime)).product::<u64>();
        Self { value, inverse: limbs::inverse_of_word(value), primes }
    }

    /// The first prime of this product that divides the number, if any.
    ///
    /// Exact division from the low limb (Hensel) gives c with n ≡ −c·2^(64k) modulo the product.
    /// This c shows divisibility as well as a remainder does, and costs two multiplications per
    /// limb instead of a division.
    fn divisor(&self, limbs: &[u64]) -> Option<u32> {
        let carry = limbs.iter().fold(0u64, |carry, &limb| {
            let (digit, borrow) = limb.overflowing_sub(carry);
            let quotient = digit.wrapping_mul(self.inverse);
            let high = (u128::from(quotient) * u128::from(self.value)) >> 64;
            high as u64 + u64::from(borrow)
        });
        self.primes.iter().copied().find(|&prime| carry % u64::from(prime) == 0)
    }
}

impl SmallPrimes {
    pub(crate) fn new() -> Self {
        let mut composite = vec![false; TRIAL_BOUND as usize];
        let mut products = Vec::new();
        let mut primes: Vec<u32> = Vec::new();
        let mut product = 1u64;
        for candidate in (3..TRIAL_BOUND).step_by(2) {
            if composite[candidate as usize] {
                continue;
            }
            for multiple in (candidate as usize..composite.len()).step_by(candidate as usize) {
                composite[multiple] = true;
            }
            match product.checked_mul(u64::from(candidate)) {
                Some(larger) => product = larger,
                None => {
                    products.push(Product::new(core::mem::take(&mut primes)));
                    product = u64::from(candidate);
                }
            }
            primes.push(candidate);
        }
        products.push(Product::new(primes));
        Self { products }
    }

    /// See [`is_probable_prime_vartime`].
    pub(crate) fn is_probable_prime(&self, n: &BoxedUint, rounds: u32) -> bool {
        let words = limbs::to_limbs(n, 1);
        let bits = limbs::bit_length_vartime(&words);
        if words[0] & 1 == 0 || bits < 2 {
            return words[0] == 2 && bits == 2;
        }
        if let Some(divisor) = self.products.iter().find_map(|product| product.divisor(&words)) {
            return words[0] == u64::from(divisor) && bits <= 16;
        }
        if bits <= 32 {
            return true;
        }
        let Some(modulus) = modulus_of(n) else { return false };
        passes_round(&modulus, &BoxedUint::from(2u64))
            && (1..rounds).all(|round| passes_round(&modulus, &hashed_base(&modulus, round)))
    }
}

/// A base for one round: SHA-512 in counter mode over the number and the round, to 64 bits more
/// than the number has, then reduced.
fn hashed_base(modulus: &Modulus, round: u32) -> BoxedUint {
    let number = Zeroizing::new(modulus.value().to_be_bytes());
    let mut bytes = Vec::new();
    for block in 0u32.. {
        if bytes.len() >= number.len() + 8 {
            break;
        }
        let hash = Sha512::new()
            .chain_update(b"strong probable prime base")
            .chain_update(round.to_be_bytes())
            .chain_update(block.to_be_bytes())
            .chain_update(&*number);
        bytes.extend_from_slice(&hash.finalize());
    }
    modulus.reduce(&BoxedUint::from_be_slice_vartime(&bytes))
}
