//! What tests alone need: the record of the operations and addresses of all that is computed with a modulus or a key.

#[cfg(feature = "rsa")]
use crate::scheme::rsa::PrivateKey;
use crate::{CrtModulus, Modulus};
use alloc::sync::Arc;
use moduli_kernel::{Observer, Trace};

impl Modulus {
    /// The same modulus, whose operations this observer hears of.
    pub fn observed_by(&self, observer: Arc<dyn Observer>) -> Self {
        self.observed(observer)
    }

    /// The same modulus, and the record of what is computed with it.
    pub fn traced(&self) -> (Self, Trace) {
        let trace = Trace::default();
        (self.observed_by(trace.observer()), trace)
    }
}

impl CrtModulus {
    /// The same factors, and the record of what is computed with them.
    pub fn traced(&self) -> (Self, Trace) {
        let (mut all, trace) = (self.clone(), Trace::default());
        all.observe([(); 3].map(|()| trace.observer()));
        (all, trace)
    }
}

#[cfg(feature = "rsa")]
impl PrivateKey {
    /// The same key, and the record of what is computed with it.
    pub fn traced(mut self) -> (Self, Trace) {
        let trace = Trace::default();
        self.observe([(); 3].map(|()| trace.observer()));
        (self, trace)
    }
}
