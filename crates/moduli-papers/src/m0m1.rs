//! Algorithms 4 and 5: the m0m1 recoding and the exponentiation that uses it.

use alloc::{vec, vec::Vec};

use crypto_bigint::BoxedUint;

use super::{
    classical,
    power::{Power, Run},
};
use moduli::{
    Error, Exponent,
    fixed::{Method, Shape},
};

/// The m0m1 method with its two moduli, for exponents below 2^t.
#[derive(Clone, Debug)]
pub struct M0m1 {
    m0: u64,
    m1: u64,
    t: u32,
}

/// An exponent as Algorithm 4 represents it: k = Σ d_i·R^i + C·R^ℓ, where κ_i represents d_i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoding {
    /// The digits k_i in radix R = m0·m1, low digit first.
    pub digits: Vec<u64>,
    /// κ_i = (κ_i^(0), κ_i^(1)). It represents κ^(1)·B_{κ^(0)} minus a multiple of R that became a
    /// carry, or B_{κ^(0)} − 1 if κ^(1) = 0.
    pub kappa: Vec<(u64, u64)>,
    /// The returned carry C, −(m1 − 2) ≤ C ≤ 0.
    pub carry: i64,
}

impl M0m1 {
    /// The method for the moduli m0 and m1 and exponents below 2^t.
    ///
    /// # Errors
    /// [`Error::Parameter`] for parameters that [`Method::M0m1`] does not allow: above all, every u
    /// ≤ m1 must be invertible modulo m0. The paper requires a prime m0 above m1, which suffices.
    pub fn new(m0: u32, m1: u32, t: u32) -> Result<Self, Error> {
        Shape::new(Method::M0m1 { m0, m1 }, 1, t)?;
        Ok(Self { m0: m0.into(), m1: m1.into(), t })
    }

    /// R = m0·m1.
    pub fn radix(&self) -> u64 {
        self.m0 * self.m1
    }

    /// ℓ, the least number of digits with R^ℓ ≥ 2^t.
    pub fn digits(&self) -> usize {
        classical::digit_count(self.radix(), self.t)
    }

    /// m0' = m1·|m1^(−1)|_m0: 1 modulo m0 and 0 modulo m1.
    pub fn m0_prime(&self) -> u64 {
        self.m1 * inverse(self.m1, self.m0)
    }

    /// m1' = m0·|m0^(−1)|_m1: 0 modulo m0 and 1 modulo m1.
    pub fn m1_prime(&self) -> u64 {
        self.m0 * inverse(self.m0, self.m1)
    }

    /// B_j = |j·m0' + m1'|_R: row i of the table contains G_{i,j} = g^(R^i·B_j). The B_j are the
    /// numbers below R that are 1 modulo m1, and B_1 = 1.
    pub fn table_exponent(&self, j: u64) -> u64 {
        (j * self.m0_prime() + self.m1_prime()) % self.radix()
    }

    /// The number of values to store: ℓ rows of m0 entries, and the inverses G_{i,−1} for 0 ≤ i ≤
    /// ℓ. G_{ℓ,1} is never used.
    pub fn storage(&self) -> u64 {
        (self.m0 + 1) * self.digits() as u64 + 1
    }

    /// Algorithm 4.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] for exponents of 2^t or more.
    pub fn recode(&self, k: &BoxedUint) -> Result<Recoding, Error> {
        Exponent::from(k).with_bits(self.t)?;
        let radix = self.radix();
        let digits = classical::digits(k, radix, self.t);
        let mut kappa = Vec::new();
        let mut carry = 0; // line 1
        for &digit in &digits {
            let mut k = i128::from(digit) - i128::from(carry); // line 3
            carry = 0;
            if k < 0 {
                (k, carry) = (k + i128::from(radix), 1); // line 5
            }
            let k = k as u64;
            let (k0, k1) = (k % self.m0, k % self.m1); // line 7
            if k1 == 0 {
                kappa.push(((k0 + 1) % self.m0, 0)); // line 9
            } else {
                let k_prime = k0 * inverse(k1, self.m0) % self.m0; // line 11
                carry += k1 * self.table_exponent(k_prime) / radix; // line 12
                kappa.push((k_prime, k1));
            }
        }
        Ok(Recoding { digits, kappa, carry: -(carry as i64) }) // line 16
    }

    /// Algorithm 5: g^k.
    ///
    /// A digit that is exactly 0 has κ = (1, 0), the product of G_{i,1} and its inverse, so it is
    /// skipped.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] for exponents of 2^t or more.
    pub fn exponentiate(&self, k: &BoxedUint) -> Result<Run, Error> {
        let Recoding { kappa, carry, .. } = self.recode(k)?;
        let mut run = Run::new(self.t);
        let mut buckets = vec![None; self.m1 as usize];
        let mut generator = Power::generator(self.t); // g^(R^i)
        for (i, &(j, bucket)) in kappa.iter().enumerate() {
            let entry = generator.to_the(self.table_exponent(j));
            let (index, inverse) = ((i, j as i64), generator.inverse());
            if bucket != 0 {
                run.multiply_entry(&mut buckets[bucket as usize], index, &entry); // line 7
            } else if j != 1 {
                run.multiply_entry(&mut buckets[0], index, &entry); // line 5
                run.multiply_entry(&mut buckets[0], (i, -1), &inverse);
            }
            generator = generator.to_the(self.radix());
        }
        if carry != 0 {
            let index = (kappa.len(), -1);
            run.multiply_entry(&mut buckets[carry.unsigned_abs() as usize], index, &generator.inverse()); // line 10
        }
        run.buckets = buckets.clone();

        let mut a = None;
        for bit in (0..=(self.m1 - 1).ilog2()).rev() {
            run.square(&mut a); // line 13
            for j in (1..self.m1).rev().filter(|j| j >> bit & 1 == 1) {
                if let Some(bucket) = &buckets[j as usize] {
                    run.multiply(&mut a, bucket); // line 16
                }
            }
        }
        if let Some(bucket) = &buckets[0] {
            run.multiply(&mut a, bucket); // line 20
        }
        Ok(run.finish(a))
    }
}

/// |x^(−1)|_m, by Euclid.
fn inverse(x: u64, m: u64) -> u64 {
    let m = m as i64;
    let (mut r, mut s) = ((m, x as i64 % m), (0, 1));
    while r.1 != 0 {
        let q = r.0 / r.1;
        (r, s) = ((r.1, r.0 - q * r.1), (s.1, s.0 - q * s.1));
    }
    s.0.rem_euclid(m) as u64
}
