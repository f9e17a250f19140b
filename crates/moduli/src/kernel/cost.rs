//! What the operations of a kernel cost, in nanoseconds.

use super::Kernel;

/// Nanoseconds of each operation of one kernel at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    limbs: f64,
}

impl Costs {
    /// Costs that depend on the kernel's sizes alone.
    pub fn built_in(kernel: &dyn Kernel) -> Self {
        Self { limbs: kernel.residue_words() as f64 }
    }
    /// Measured.
    #[cfg(feature = "std")]
    pub fn measured(kernel: &dyn Kernel) -> Self {
        Self::built_in(kernel)
    }
    /// A product.
    pub fn product(&self) -> f64 {
        self.limbs * self.limbs * 1.6 + 10.0
    }
    /// A squaring.
    pub fn squaring(&self) -> f64 {
        self.limbs * self.limbs * 1.3 + 10.0
    }
    /// A product by a prepared operand.
    pub fn prepared(&self, split: usize) -> f64 {
        let c = (self.limbs / split as f64) as u64 as f64 + 1.0;
        self.limbs * (self.limbs + c) * 0.8 + 10.0
    }
    /// Preparing.
    pub fn preparation(&self, _split: usize) -> f64 {
        3.0 * self.product()
    }
    /// Reading a row under masks.
    pub fn scan(&self, bytes: usize, table: usize) -> f64 {
        10.0 + bytes as f64 * if table > 1 << 21 { 0.08 } else { 0.04 }
    }
    /// Writing a row under masks.
    pub fn update(&self, bytes: usize) -> f64 {
        bytes as f64 * 0.08
    }
    /// Reading an entry.
    pub fn fetch(&self, entry: usize, table: usize) -> f64 {
        entry as f64 * 0.01 + if table > 1 << 21 { 80.0 } else { 5.0 }
    }
}
