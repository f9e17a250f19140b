//! The code for OpenSSL and AWS-LC, which share the interface BIGNUM.

/// Defines `Library`, a modulus with its Montgomery context, with the functions of `super::functions`.
macro_rules! bignum_library {
    ($functions:ident) => {
        use $crate::numbers::{Limbs, from_bytes, to_bytes};

        struct Number(*mut $functions::BIGNUM);

        impl Number {
            fn new(limbs: &[u64]) -> Self {
                let bytes = to_bytes(limbs);
                let (start, length) = (bytes.as_ptr(), bytes.len());
                // SAFETY: only `length` bytes are read, and null requests a new number.
                let number = unsafe { $functions::from_le(start, length, std::ptr::null_mut()) };
                assert!(!number.is_null(), "out of memory");
                Self(number)
            }

            fn limbs(&self, count: usize) -> Limbs {
                let mut bytes = vec![0; 8 * count];
                // SAFETY: the buffer has that length.
                unsafe { $functions::to_le(self.0, &mut bytes) };
                from_bytes(&bytes)
            }
        }

        impl Drop for Number {
            fn drop(&mut self) {
                // SAFETY: it is freed once.
                unsafe { $functions::BN_free(self.0) }
            }
        }

        /// An odd modulus with its Montgomery context, and a running value.
        pub struct Library {
            modulus: Number,
            limbs: usize,
            montgomery: *mut $functions::BN_MONT_CTX,
            context: *mut $functions::BN_CTX,
            x: Number,
            b: Number,
            exponents: Vec<Number>,
        }

        impl Drop for Library {
            fn drop(&mut self) {
                // SAFETY: both were made by the constructor and are freed once.
                unsafe {
                    $functions::BN_MONT_CTX_free(self.montgomery);
                    $functions::BN_CTX_free(self.context);
                }
            }
        }

        impl Library {
            /// A modulus that is odd, with a running value x and a second operand b, both below it.
            pub fn new(modulus: &[u64], x: &[u64], b: &[u64]) -> Self {
                let n = Number::new(modulus);
                // SAFETY: n is a number, and the results of the calls are checked.
                let (context, montgomery) = unsafe {
                    let context = $functions::BN_CTX_new();
                    let montgomery = $functions::BN_MONT_CTX_new();
                    assert!(!context.is_null() && !montgomery.is_null(), "out of memory");
                    assert_eq!($functions::BN_MONT_CTX_set(montgomery, n.0, context), 1);
                    (context, montgomery)
                };
                let limbs = modulus.len();
                let (x, b, exponents) = (Number::new(x), Number::new(b), Vec::new());
                Self { modulus: n, limbs, montgomery, context, x, b, exponents }
            }

            /// Sets the exponents for [`Library::power`].
            pub fn with_exponents(mut self, exponents: &[Limbs]) -> Self {
                self.exponents = exponents.iter().map(|limbs| Number::new(limbs)).collect();
                self
            }

            /// Converts x and b to Montgomery form, for products.
            pub fn to_montgomery(self) -> Self {
                for number in [&self.x, &self.b] {
                    // SAFETY: all were made by the constructor.
                    let done = unsafe {
                        $functions::BN_to_montgomery(number.0, number.0, self.montgomery, self.context)
                    };
                    assert_eq!(done, 1);
                }
                self
            }

            /// x, converted from its Montgomery form.
            pub fn from_montgomery(&mut self) -> Limbs {
                let out = Number::new(&[0]);
                let Self { x, montgomery, context, .. } = self;
                // SAFETY: all were made by the constructor.
                let done = unsafe { $functions::BN_from_montgomery(out.0, x.0, *montgomery, *context) };
                assert_eq!(done, 1);
                out.limbs(self.limbs)
            }

            /// x as it is.
            pub fn value(&mut self) -> Limbs {
                self.x.limbs(self.limbs)
            }

            /// `x ← x·b` in Montgomery form.
            pub fn multiply(&mut self) {
                let Self { x, b, montgomery, context, .. } = self;
                // SAFETY: all were made by the constructor.
                unsafe { $functions::BN_mod_mul_montgomery(x.0, x.0, b.0, *montgomery, *context) };
            }

            /// `x ← x²` in Montgomery form.
            pub fn square(&mut self) {
                let Self { x, montgomery, context, .. } = self;
                // SAFETY: all were made by the constructor.
                unsafe { $functions::BN_mod_mul_montgomery(x.0, x.0, x.0, *montgomery, *context) };
            }

            /// `x ← e^(−1)` for the i-th of the exponents.
            pub fn invert(&mut self, i: usize) {
                let value = &self.exponents[i % self.exponents.len()];
                let Self { x, modulus, context, .. } = self;
                // SAFETY: all were made by the constructor.
                let out = unsafe { $functions::BN_mod_inverse(x.0, value.0, modulus.0, *context) };
                assert!(!out.is_null(), "no inverse");
            }

            /// `x ← b^e`, constant-time, for the i-th exponent.
            pub fn power(&mut self, i: usize) {
                let e = &self.exponents[i % self.exponents.len()];
                let Self { x, b, modulus, montgomery, context, .. } = self;
                // SAFETY: all were made by the constructor; the modulus is odd.
                let done = unsafe {
                    $functions::BN_mod_exp_mont_consttime(x.0, b.0, e.0, modulus.0, *context, *montgomery)
                };
                assert_eq!(done, 1);
            }
        }
    };
}

pub(super) use bignum_library;
