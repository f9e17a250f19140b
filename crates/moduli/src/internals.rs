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
    /// The same factors; these observers hear of what is computed modulo N^k, p^k·r and q^k·r. Of the powers, which are computed side by
    /// side, the second hears.
    pub fn observed_by(&self, observers: [Arc<dyn Observer>; 3]) -> Self {
        let mut all = self.clone();
        all.observe(observers);
        all
    }

    /// The same factors, and the record of what is computed with them.
    pub fn traced(&self) -> (Self, Trace) {
        let trace = Trace::default();
        (self.observed_by([(); 3].map(|()| trace.observer())), trace)
    }

    /// p^k·r and q^k·r, modulo which the halves are computed.
    pub fn of_halves(&self) -> [Modulus; 2] {
        self.factors().map(|factor| factor.modulus.clone())
    }
}

#[cfg(feature = "rsa")]
impl PrivateKey {
    /// The same key; these observers hear of what is computed modulo n, p and q. Of powers side by side the second hears.
    pub fn observed_by(mut self, observers: [Arc<dyn Observer>; 3]) -> Self {
        self.observe(observers);
        self
    }

    /// The same key, and the record of what is computed with it.
    pub fn traced(self) -> (Self, Trace) {
        let trace = Trace::default();
        let all = [(); 3].map(|()| trace.observer());
        (self.observed_by(all), trace)
    }
}
