//! The clock of measurements: the system's, or on WebAssembly, which has none, the one that whoever loads the module hands in.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;

/// A moment of the clock that is imported.
#[cfg(target_arch = "wasm32")]
pub(crate) struct Instant(f64);

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "clock")]
unsafe extern "C" {
    /// Nanoseconds since some moment.
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
