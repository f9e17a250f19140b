//! The clock for measurements: that of the system. WebAssembly has none, so its host imports one into the
//! module.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;

/// A time of the imported clock.
#[cfg(target_arch = "wasm32")]
pub(crate) struct Instant(f64);

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "clock")]
unsafe extern "C" {
    /// Nanoseconds since an arbitrary time.
    safe fn nanoseconds() -> f64;
}

#[cfg(target_arch = "wasm32")]
impl Instant {
    pub(crate) fn now() -> Self {
        Self(nanoseconds())
    }

    pub(crate) fn elapsed(&self) -> core::time::Duration {
        core::time::Duration::from_nanos((nanoseconds() - self.0) as u64)
    }
}
