//! GMP: integers (mpz) as users call them, and products with Montgomery reduction from its internal layer
//! (mpn), on which its own `mpz_powm` is built.

use std::{
    ffi::{CStr, c_char, c_int, c_long, c_ulong},
    mem::MaybeUninit,
};

use crate::{
    clock::processor_time,
    numbers::{Limbs, trim},
};

#[repr(C)]
struct Mpz {
    allocated: c_int,
    size: c_int,
    limbs: *mut u64,
}

// The names of GMP 6's binary interface. The functions from `__gmpn_redc_1` on are internal, but have been
// the same since GMP 5.
unsafe extern "C" {
    static __gmp_version: *const c_char;
    fn __gmpz_init(x: *mut Mpz);
    fn __gmpz_clear(x: *mut Mpz);
    fn __gmpz_limbs_write(x: *mut Mpz, limbs: c_long) -> *mut u64;
    fn __gmpz_limbs_finish(x: *mut Mpz, limbs: c_long);
    fn __gmpz_set(x: *mut Mpz, a: *const Mpz);
    fn __gmpz_mul(x: *mut Mpz, a: *const Mpz, b: *const Mpz);
    fn __gmpz_mul_2exp(x: *mut Mpz, a: *const Mpz, bits: c_ulong);
    fn __gmpz_tdiv_r(x: *mut Mpz, a: *const Mpz, n: *const Mpz);
    fn __gmpz_powm(x: *mut Mpz, a: *const Mpz, e: *const Mpz, n: *const Mpz);
    fn __gmpz_powm_sec(x: *mut Mpz, a: *const Mpz, e: *const Mpz, n: *const Mpz);
    fn __gmpz_nextprime(x: *mut Mpz, a: *const Mpz);
    fn __gmpz_invert(x: *mut Mpz, a: *const Mpz, n: *const Mpz) -> c_int;
    fn __gmpn_mul_n(x: *mut u64, a: *const u64, b: *const u64, limbs: c_long);
    fn __gmpn_sqr(x: *mut u64, a: *const u64, limbs: c_long);
    fn __gmpn_sub_n(x: *mut u64, a: *const u64, b: *const u64, limbs: c_long) -> u64;
    fn __gmpn_redc_1(x: *mut u64, t: *mut u64, n: *const u64, limbs: c_long, inverse: u64) -> u64;
    fn __gmpn_redc_2(x: *mut u64, t: *mut u64, n: *const u64, limbs: c_long, inverse: *const u64) -> u64;
    fn __gmpn_redc_n(x: *mut u64, t: *mut u64, n: *const u64, limbs: c_long, inverse: *const u64);
    fn __gmpn_binvert(x: *mut u64, a: *const u64, limbs: c_long, scratch: *mut u64);
}

/// The version that is linked.
pub fn version() -> String {
    // SAFETY: GMP sets the pointer to a string that ends in zero and is never freed.
    unsafe { CStr::from_ptr(__gmp_version) }.to_string_lossy().into_owned()
}

/// A non-negative integer.
pub struct Integer(Mpz);

impl Default for Integer {
    fn default() -> Self {
        let mut x = MaybeUninit::uninit();
        // SAFETY: mpz_init fills the struct.
        unsafe {
            __gmpz_init(x.as_mut_ptr());
            Self(x.assume_init())
        }
    }
}

impl Drop for Integer {
    fn drop(&mut self) {
        // SAFETY: it was initialised and is cleared once.
        unsafe { __gmpz_clear(&mut self.0) }
    }
}

impl Integer {
    /// The integer of some limbs.
    pub fn new(limbs: &[u64]) -> Self {
        let mut x = Self::default();
        x.assign(limbs);
        x
    }

    /// Sets the value to that of some limbs.
    pub fn assign(&mut self, limbs: &[u64]) {
        let count = limbs.len().max(1) as c_long;
        // SAFETY: limbs_write returns room for `count` limbs, all of which are written.
        unsafe {
            let room = __gmpz_limbs_write(&mut self.0, count);
            *room = 0;
            room.copy_from_nonoverlapping(limbs.as_ptr(), limbs.len());
            __gmpz_limbs_finish(&mut self.0, count);
        }
    }

    /// Its limbs.
    pub fn limbs(&self) -> Limbs {
        let size = self.0.size.unsigned_abs() as usize;
        // SAFETY: an integer of that size has this many limbs.
        (0..size).map(|index| unsafe { *self.0.limbs.add(index) }).collect()
    }

    /// `self ← a`.
    pub fn set(&mut self, a: &Self) {
        // SAFETY: both are initialised.
        unsafe { __gmpz_set(&mut self.0, &a.0) }
    }

    /// `self ← self·b mod n`, as libraries built on GMP compute it: `mpz_mul`, then `mpz_mod`.
    pub fn multiply(&mut self, b: &Self, n: &Self, scratch: &mut Self) {
        // SAFETY: all are initialised; for these values tdiv_r is mpz_mod without the check of signs.
        unsafe {
            __gmpz_mul(&mut scratch.0, &self.0, &b.0);
            __gmpz_tdiv_r(&mut self.0, &scratch.0, &n.0);
        }
    }

    /// `self ← self² mod n`.
    pub fn square(&mut self, n: &Self, scratch: &mut Self) {
        // SAFETY: all are initialised.
        unsafe {
            __gmpz_mul(&mut scratch.0, &self.0, &self.0);
            __gmpz_tdiv_r(&mut self.0, &scratch.0, &n.0);
        }
    }

    /// `self·2^bits mod n`.
    fn shifted(&self, bits: u64, n: &Self) -> Self {
        let mut x = Self::default();
        // SAFETY: all are initialised.
        unsafe {
            __gmpz_mul_2exp(&mut x.0, &self.0, bits);
            __gmpz_tdiv_r(&mut x.0, &x.0, &n.0);
        }
        x
    }

    /// `self ← a^e mod n`: `mpz_powm`.
    pub fn powm(&mut self, a: &Self, e: &Self, n: &Self) {
        // SAFETY: all are initialised, n is not zero.
        unsafe { __gmpz_powm(&mut self.0, &a.0, &e.0, &n.0) }
    }

    /// `self ← a^e mod n`: `mpz_powm_sec`, for odd n and e > 0.
    pub fn powm_sec(&mut self, a: &Self, e: &Self, n: &Self) {
        // SAFETY: all are initialised; the callers' moduli are odd and their exponents positive.
        unsafe { __gmpz_powm_sec(&mut self.0, &a.0, &e.0, &n.0) }
    }

    /// `self ← a^(−1) mod n`: `mpz_invert`. Returns whether there is an inverse.
    pub fn invert(&mut self, a: &Self, n: &Self) -> bool {
        // SAFETY: all are initialised.
        unsafe { __gmpz_invert(&mut self.0, &a.0, &n.0) != 0 }
    }
}

impl Integer {
    /// The next number that GMP considers a prime.
    pub fn next_prime(&self) -> Self {
        let mut x = Self::default();
        // SAFETY: both are initialised.
        unsafe { __gmpz_nextprime(&mut x.0, &self.0) }
        x
    }

    /// `self·b`.
    pub fn times(&self, b: &Self) -> Self {
        let mut x = Self::default();
        // SAFETY: all are initialised.
        unsafe { __gmpz_mul(&mut x.0, &self.0, &b.0) }
        x
    }
}

/// The three Montgomery reductions of GMP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reduction {
    One,
    Two,
    Many,
}

/// A modulus with the constants that GMP's Montgomery reductions need.
#[derive(Clone)]
pub struct Montgomery {
    modulus: Limbs,
    /// 1/n modulo 2^(64·limbs), and −1/n modulo 2^128.
    inverse: Limbs,
    negative: [u64; 2],
    reduction: Reduction,
    scratch: Limbs,
}

impl Montgomery {
    /// Prepares an odd modulus whose top limb is not zero, for the fastest of GMP's reductions at this size.
    pub fn new(modulus: &[u64]) -> Self {
        let limbs = modulus.len();
        let (mut inverse, mut scratch) = (vec![0; limbs], vec![0; 8 * limbs + 256]);
        // SAFETY: the scratch space is larger than mpn_binvert_itch requires.
        unsafe {
            __gmpn_binvert(inverse.as_mut_ptr(), modulus.as_ptr(), limbs as c_long, scratch.as_mut_ptr())
        };
        let low = u128::from(inverse[0]) | u128::from(inverse.get(1).copied().unwrap_or(0)) << 64;
        let negative = [low.wrapping_neg() as u64, (low.wrapping_neg() >> 64) as u64];
        let modulus = modulus.to_vec();
        let mut context = Self { modulus, inverse, negative, reduction: Reduction::One, scratch };
        let mut best = f64::INFINITY;
        let mut fastest = Reduction::One;
        for reduction in [Reduction::One, Reduction::Two, Reduction::Many] {
            if reduction == Reduction::Many && limbs < 8 {
                continue;
            }
            context.reduction = reduction;
            let mut x: Limbs = context.modulus.iter().map(|limb| limb >> 1).collect();
            let b = x.clone();
            for _ in 0..5 {
                let start = processor_time();
                (0..20).for_each(|_| context.multiply(&mut x, &b));
                let time = processor_time() - start;
                if time < best {
                    (best, fastest) = (time, reduction);
                }
            }
        }
        context.reduction = fastest;
        context
    }

    /// The name of the reduction in use.
    pub fn reduction(&self) -> &'static str {
        match self.reduction {
            Reduction::One => "redc_1",
            Reduction::Two => "redc_2",
            Reduction::Many => "redc_n",
        }
    }

    /// The Montgomery form of a number below the modulus.
    pub fn to_montgomery(&self, x: &[u64]) -> Limbs {
        let n = Integer::new(&self.modulus);
        let mut limbs = Integer::new(x).shifted(64 * self.modulus.len() as u64, &n).limbs();
        limbs.resize(self.modulus.len(), 0);
        limbs
    }

    /// The number of a Montgomery form.
    pub fn from_montgomery(&mut self, x: &[u64]) -> Limbs {
        let mut out = x.to_vec();
        let mut one = vec![0; self.modulus.len()];
        one[0] = 1;
        self.multiply(&mut out, &one);
        let n = Integer::new(&self.modulus);
        let reduced = Integer::new(&out).shifted(0, &n);
        trim(reduced.limbs())
    }

    /// `x ← x·b` in Montgomery form.
    pub fn multiply(&mut self, x: &mut [u64], b: &[u64]) {
        let limbs = self.modulus.len();
        assert!(x.len() == limbs && b.len() == limbs);
        // SAFETY: the scratch takes twice the limbs, and overlaps with no operand.
        unsafe { __gmpn_mul_n(self.scratch.as_mut_ptr(), x.as_ptr(), b.as_ptr(), limbs as c_long) };
        self.reduce(x);
    }

    /// `x ← x²` in Montgomery form.
    pub fn square(&mut self, x: &mut [u64]) {
        let limbs = self.modulus.len();
        assert!(x.len() == limbs);
        // SAFETY: as for `multiply`.
        unsafe { __gmpn_sqr(self.scratch.as_mut_ptr(), x.as_ptr(), limbs as c_long) };
        self.reduce(x);
    }

    fn reduce(&mut self, x: &mut [u64]) {
        let limbs = self.modulus.len() as c_long;
        let (out, t, n) = (x.as_mut_ptr(), self.scratch.as_mut_ptr(), self.modulus.as_ptr());
        // SAFETY: t has twice the limbs of x and n; the inverses are those that each reduction asks for.
        unsafe {
            let carry = match self.reduction {
                Reduction::One => __gmpn_redc_1(out, t, n, limbs, self.negative[0]),
                Reduction::Two => __gmpn_redc_2(out, t, n, limbs, self.negative.as_ptr()),
                Reduction::Many => {
                    __gmpn_redc_n(out, t, n, limbs, self.inverse.as_ptr());
                    0
                }
            };
            if carry != 0 {
                __gmpn_sub_n(out, out, n, limbs);
            }
        }
    }
}

/// Cycles of the time-stamp counter for each word product of a 32-limb multiplication: about 1.3 to 1.7 with
/// mulx and adcx, well above 2 for a generic build.
pub fn word_product_cycles() -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    {
        let (a, mut x) = ([0x1234_5678_9abc_def1u64; 32], [0u64; 64]);
        let mut best = u64::MAX;
        for _ in 0..2000 {
            // SAFETY: the instruction is on every x86-64; the result has twice the limbs of the operands.
            best = best.min(unsafe {
                let start = core::arch::x86_64::_rdtsc();
                __gmpn_mul_n(x.as_mut_ptr(), a.as_ptr(), a.as_ptr(), 32);
                core::arch::x86_64::_rdtsc() - start
            });
        }
        Some(best as f64 / 1024.0)
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}
