//! OpenSSL 3, built from source.

use std::{ffi::CStr, mem::ManuallyDrop};

use super::bignum::bignum_library;
use crate::rsa_key::Key as Numbers;

#[allow(non_camel_case_types, non_snake_case, clippy::upper_case_acronyms)]
mod functions {
    use std::ffi::{c_char, c_int};

    pub enum BIGNUM {}
    pub enum BN_CTX {}
    pub enum BN_MONT_CTX {}
    pub enum RSA {}

    unsafe extern "C" {
        fn BN_lebin2bn(bytes: *const u8, length: c_int, number: *mut BIGNUM) -> *mut BIGNUM;
        fn BN_bn2lebinpad(number: *const BIGNUM, bytes: *mut u8, length: c_int) -> c_int;
        pub fn BN_free(number: *mut BIGNUM);
        pub fn BN_CTX_new() -> *mut BN_CTX;
        pub fn BN_CTX_free(context: *mut BN_CTX);
        pub fn BN_MONT_CTX_new() -> *mut BN_MONT_CTX;
        pub fn BN_MONT_CTX_free(montgomery: *mut BN_MONT_CTX);
        pub fn BN_MONT_CTX_set(montgomery: *mut BN_MONT_CTX, n: *const BIGNUM, context: *mut BN_CTX)
        -> c_int;
        pub fn BN_to_montgomery(
            out: *mut BIGNUM,
            a: *const BIGNUM,
            montgomery: *mut BN_MONT_CTX,
            context: *mut BN_CTX,
        ) -> c_int;
        pub fn BN_from_montgomery(
            out: *mut BIGNUM,
            a: *const BIGNUM,
            montgomery: *mut BN_MONT_CTX,
            context: *mut BN_CTX,
        ) -> c_int;
        pub fn BN_mod_mul_montgomery(
            out: *mut BIGNUM,
            a: *const BIGNUM,
            b: *const BIGNUM,
            montgomery: *mut BN_MONT_CTX,
            context: *mut BN_CTX,
        ) -> c_int;
        pub fn BN_mod_exp_mont_consttime(
            out: *mut BIGNUM,
            a: *const BIGNUM,
            e: *const BIGNUM,
            n: *const BIGNUM,
            context: *mut BN_CTX,
            montgomery: *mut BN_MONT_CTX,
        ) -> c_int;
        pub fn BN_mod_inverse(
            out: *mut BIGNUM,
            a: *const BIGNUM,
            n: *const BIGNUM,
            context: *mut BN_CTX,
        ) -> *mut BIGNUM;
        pub fn RSA_new() -> *mut RSA;
        pub fn RSA_free(key: *mut RSA);
        pub fn RSA_set0_key(key: *mut RSA, n: *mut BIGNUM, e: *mut BIGNUM, d: *mut BIGNUM) -> c_int;
        pub fn RSA_set0_factors(key: *mut RSA, p: *mut BIGNUM, q: *mut BIGNUM) -> c_int;
        pub fn RSA_set0_crt_params(
            key: *mut RSA,
            dp: *mut BIGNUM,
            dq: *mut BIGNUM,
            q_inverse: *mut BIGNUM,
        ) -> c_int;
        pub fn RSA_private_decrypt(
            length: c_int,
            from: *const u8,
            to: *mut u8,
            key: *mut RSA,
            padding: c_int,
        ) -> c_int;
        pub fn OpenSSL_version(kind: c_int) -> *const c_char;
    }

    /// # Safety
    /// `length` bytes must be readable; the number must be null or valid.
    pub unsafe fn from_le(bytes: *const u8, length: usize, number: *mut BIGNUM) -> *mut BIGNUM {
        // SAFETY: the caller guarantees this.
        unsafe { BN_lebin2bn(bytes, length as c_int, number) }
    }

    /// # Safety
    /// `number` must be a valid number.
    pub unsafe fn to_le(number: *const BIGNUM, bytes: &mut [u8]) {
        // SAFETY: the caller guarantees that the number is valid, and the buffer has this length.
        let length = unsafe { BN_bn2lebinpad(number, bytes.as_mut_ptr(), bytes.len() as c_int) };
        assert!(length >= 0, "the number is longer than its modulus");
    }
}

bignum_library!(functions);

/// The version that is linked, and the processor features that it detected.
pub fn version() -> String {
    let text = |kind| {
        // SAFETY: OpenSSL returns a string that ends in zero and is never freed.
        unsafe { CStr::from_ptr(functions::OpenSSL_version(kind)) }.to_string_lossy().into_owned()
    };
    const VERSION: i32 = 0;
    const CPU_INFO: i32 = 9;
    format!("{} ({})", text(VERSION), text(CPU_INFO))
}

/// An RSA private key, with inputs to decrypt.
pub struct Key {
    key: *mut functions::RSA,
    inputs: Vec<Vec<u8>>,
    out: Vec<u8>,
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: it was made by the constructor and is freed once.
        unsafe { functions::RSA_free(self.key) }
    }
}

impl Key {
    /// The key with these numbers, and inputs below n.
    pub fn new(numbers: &Numbers, inputs: &[Limbs]) -> Self {
        let Numbers { n, e, d, p, q, dp, dq, q_inverse } = numbers;
        // The key takes ownership of the numbers.
        let number = |limbs: &Limbs| ManuallyDrop::new(Number::new(limbs)).0;
        // SAFETY: all are numbers whose ownership is passed on once, and the results of the calls are
        // checked.
        let key = unsafe {
            let key = functions::RSA_new();
            assert!(!key.is_null(), "out of memory");
            assert_eq!(functions::RSA_set0_key(key, number(n), number(e), number(d)), 1);
            assert_eq!(functions::RSA_set0_factors(key, number(p), number(q)), 1);
            assert_eq!(functions::RSA_set0_crt_params(key, number(dp), number(dq), number(q_inverse)), 1);
            key
        };
        let size = 8 * n.len();
        let bytes = |limbs: &Limbs| {
            let mut bytes = to_bytes(limbs);
            bytes.resize(size, 0);
            bytes.reverse();
            bytes
        };
        Self { key, inputs: inputs.iter().map(bytes).collect(), out: vec![0; size] }
    }

    /// Decrypts the i-th input without padding.
    pub fn decrypt(&mut self, i: usize) {
        const NO_PADDING: i32 = 3;
        let Self { key, inputs, out } = self;
        let input = &inputs[i % inputs.len()];
        let (length, from, to) = (input.len() as i32, input.as_ptr(), out.as_mut_ptr());
        // SAFETY: input and output have the length of the modulus.
        let written = unsafe { functions::RSA_private_decrypt(length, from, to, *key, NO_PADDING) };
        assert_eq!(written, length, "OpenSSL refuses the key");
    }

    /// The number decrypted last.
    pub fn value(&mut self) -> Limbs {
        let mut bytes = self.out.clone();
        bytes.reverse();
        from_bytes(&bytes)
    }
}
