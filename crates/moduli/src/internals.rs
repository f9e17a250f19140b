//! For tests: records the operations and addresses of everything that is computed with a modulus or
//! a key.

#[cfg(feature = "rsa")]
use crate::scheme::rsa::PrivateKey;
use crate::{CrtModulus, Modulus};
use alloc::sync::Arc;
use moduli_kernel::{Observer, Trace};

impl Modulus {
    /// The same modulus, which reports its operations to this observer.
    pub fn observed_by(&self, observer: Arc<dyn Observer>) -> Self {
        self.observed(observer)
    }

    /// The same modulus, and a record of the operations with it.
    pub fn traced(&self) -> (Self, Trace) {
        let trace = Trace::default();
        (self.observed_by(trace.observer()), trace)
    }
}

impl CrtModulus {
    /// The same factors, which report the operations modulo N^k, p^k·r and q^k·r to these
    /// observers. The two powers are computed side by side, and the second observer receives their
    /// operations.
    pub fn observed_by(&self, observers: [Arc<dyn Observer>; 3]) -> Self {
        let mut all = self.clone();
        all.observe(observers);
        all
    }

    /// The same factors, and a record of the operations with them.
    pub fn traced(&self) -> (Self, Trace) {
        let trace = Trace::default();
        (self.observed_by([(); 3].map(|()| trace.observer())), trace)
    }

    /// p^k·r and q^k·r, the moduli of the two halves.
    pub fn of_halves(&self) -> [Modulus; 2] {
        self.factors().map(|factor| factor.modulus.clone())
    }
}

#[cfg(feature = "rsa")]
impl PrivateKey {
    /// The same key, which reports the operations modulo n, p and q to these observers. The second
    /// receives those of powers computed side by side.
    pub fn observed_by(mut self, observers: [Arc<dyn Observer>; 3]) -> Self {
        self.observe(observers);
        self
    }

    /// The same key, and a record of the operations with it.
    pub fn traced(self) -> (Self, Trace) {
        let trace = Trace::default();
        let all = [(); 3].map(|()| trace.observer());
        (self.observed_by(all), trace)
    }
}
