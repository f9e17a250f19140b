//! Common divisors, quadratic residues, and primes.

use crypto_bigint::Gcd;
use moduli::{crypto_bigint::JacobiSymbol, primality::is_probable_prime_vartime, subgroup};

use crate::{
    call::call,
    failure::{Failure, given},
    input::number,
    modulus::ModulusHandle,
    output::{Buffer, Slot},
    status::Status,
};

/// symbol = the Jacobi symbol (x/p): for a prime p, 1 for squares, -1 for others and 0 for multiples of p.
///
/// symbol: -1, 0 or 1; 0 if the call fails. x: any length, reduced modulo p first.
///
/// VARIABLE-TIME in x. Cost: about 0.7 shifts and subtractions for each bit of p.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_jacobi_vartime(
    modulus: Option<&ModulusHandle>,
    symbol: *mut i32,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let symbol = unsafe { Slot::new("symbol", symbol, 0) };
    call([&symbol], || {
        let modulus = given("modulus", modulus)?;
        symbol.check()?;
        // SAFETY: the header asks for so many bytes.
        let x = unsafe { number("x", x, x_len) }?;
        symbol.write(match subgroup::jacobi_vartime(&modulus.modulus, x.value()) {
            JacobiSymbol::MinusOne => -1,
            JacobiSymbol::Zero => 0,
            JacobiSymbol::One => 1,
        });
        Ok(())
    })
}

/// out = the greatest common divisor of x and y, odd or even; that of 0 and y is y.
///
/// out, out_len: at least as many bytes as the divisor has without leading zeros; the length of the longer of
/// x and y is always enough.
///
/// VARIABLE-TIME in x and y. Cost: grows with the square of the longer length; that of moduli_invert and more
/// at the same length.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_gcd_vartime(
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    y: *const u8,
    y_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes.
    let out = unsafe { Buffer::new("out", out, out_len) };
    call([&out], || {
        out.check(0)?;
        // SAFETY: the header asks for so many bytes.
        let (x, y) = unsafe { (number("x", x, x_len)?, number("y", y, y_len)?) };
        let divisor = x.value().gcd_vartime(y.value());
        out.check(divisor.bits_vartime().div_ceil(8) as usize)?;
        out.write_number(&divisor)
    })
}

/// prime = whether x is prime, by trial division and rounds of the Miller-Rabin test, whose bases are hashed
/// from x.
///
/// prime: 1 or 0; 0 if the call fails. x: any length; more than 65536 bits count as not prime. rounds: at
/// least 1. For a prime, the result is always 1. For a composite number, it is 1 with a probability of at
/// most 4^(-rounds), even if an adversary chose the number; 64 rounds are enough for every purpose. Below
/// 2^32 the answer is exact.
///
/// VARIABLE-TIME in x. Cost: a power of the length of x for each round; one round for most composite numbers.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_PARAMETER for rounds of 0.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_is_probable_prime_vartime(
    prime: *mut i32,
    x: *const u8,
    x_len: usize,
    rounds: u32,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let prime = unsafe { Slot::new("prime", prime, 0) };
    call([&prime], || {
        prime.check()?;
        // SAFETY: the header asks for so many bytes.
        let x = unsafe { number("x", x, x_len) }?;
        if rounds == 0 {
            return Err(Failure::parameter("rounds", "is 0; it must be at least 1"));
        }
        prime.write(is_probable_prime_vartime(x.value(), rounds).into());
        Ok(())
    })
}
