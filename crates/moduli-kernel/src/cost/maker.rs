//! The makers of processors, by whose measurements costs are built in.

use core::fmt;

/// The maker of a processor. The ratio of the times of products, squares and look-ups depends on it, so plans
/// do too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// AMD.
    Amd,
    /// Intel. Also stands for every other maker.
    Intel,
}

impl Maker {
    /// All makers.
    pub const ALL: [Self; 2] = [Self::Amd, Self::Intel];

    /// The maker of this machine's processor. The first call takes about a hundred nanoseconds, or some
    /// microseconds on virtual machines.
    pub fn of_this_machine() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
            // 0: not known yet. Threads that find this out at the same time find the same.
            static KNOWN: AtomicU8 = AtomicU8::new(0);
            match KNOWN.load(Relaxed) {
                0 => {
                    let found = Self::by_vendor();
                    KNOWN.store(1 + found as u8, Relaxed);
                    found
                }
                known => Self::ALL[usize::from(known - 1)],
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::Intel
    }

    #[cfg(target_arch = "x86_64")]
    fn by_vendor() -> Self {
        // Processors of Hygon are AMD's Zen.
        // SAFETY: every 64-bit processor has the instruction.
        #[allow(unsafe_code, unused_unsafe)]
        let leaf = unsafe { core::arch::x86_64::__cpuid(0) };
        let vendor = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
        match vendor.as_flattened() {
            b"AuthenticAMD" | b"HygonGenuine" => Self::Amd,
            _ => Self::Intel,
        }
    }

    /// The name: `amd` or `intel`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amd => "amd",
            Self::Intel => "intel",
        }
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
