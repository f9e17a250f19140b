//! OpenSSL 3, built from source.

use std::ffi::CStr;

use super::bignum::bignum_library;

#[allow(non_camel_case_types, non_snake_case, clippy::upper_case_acronyms)]
mod functions {
    use std::ffi::{c_char, c_int};

    pub enum BIGNUM {}
    pub enum BN_CTX {}
    pub enum BN_MONT_CTX {}

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
        pub fn OpenSSL_version(kind: c_int) -> *const c_char;
    }

    /// # Safety
    /// `length` bytes can be read; the number is null or one.
    pub unsafe fn from_le(bytes: *const u8, length: usize, number: *mut BIGNUM) -> *mut BIGNUM {
        // SAFETY: the caller's promise.
        unsafe { BN_lebin2bn(bytes, length as c_int, number) }
    }

    /// # Safety
    /// `number` is one.
    pub unsafe fn to_le(number: *const BIGNUM, bytes: &mut [u8]) {
        // SAFETY: the caller's promise, and the length of the buffer.
        let length = unsafe { BN_bn2lebinpad(number, bytes.as_mut_ptr(), bytes.len() as c_int) };
        assert!(length >= 0, "the number is longer than its modulus");
    }
}

bignum_library!(functions);

/// The version that is linked, and the instructions it found.
pub fn version() -> String {
    let text = |kind| {
        // SAFETY: OpenSSL gives a string that ends in zero, for good.
        unsafe { CStr::from_ptr(functions::OpenSSL_version(kind)) }.to_string_lossy().into_owned()
    };
    const VERSION: i32 = 0;
    const CPU_INFO: i32 = 9;
    format!("{} ({})", text(VERSION), text(CPU_INFO))
}
