//! The table of kernels. To add a kernel, add a folder, an entry here and its costs.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::{
    contract::Kernel,
    cost::{
        Costs,
        built_in::{self, BuiltIn},
        maker::Maker,
    },
    dimensions::{self, Dimensions},
    error::Error,
};

/// One kernel.
pub(crate) struct Entry {
    /// The name, as in `MODULI_KERNEL`.
    name: &'static str,
    /// The layout of residues in memory. Tables move between kernels of equal layout without conversion.
    layout: [u8; 8],
    /// What the kernel needs, as a phrase that follows "needs".
    needs: &'static str,
    /// The least number of limbs for detection, in two passes. Detection selects the first kernel in the
    /// table that this machine can run and whose first number is at most the limbs of the modulus. If there
    /// is none, it uses the second number.
    from_limbs: [usize; 2],
    /// Whether this machine has the instructions.
    is_supported: fn() -> bool,
    /// The sizes for a modulus of this many bits; None if it is too long.
    dimensions: fn(&'static str, usize) -> Option<Dimensions>,
    /// Costs at some sizes.
    costs: &'static BuiltIn,
    /// Creates the arithmetic modulo an odd number > 1, given as little-endian limbs without leading zeros.
    /// Returns None if the machine lacks the instructions. Variable-time in the modulus.
    new: Constructor,
}

/// Creates a kernel from a modulus and its sizes.
type Constructor = fn(&[u64], Dimensions) -> Option<Box<dyn Kernel>>;

/// The choice of a kernel.
#[derive(Clone, Copy, Default)]
pub struct KernelChoice(Option<&'static Entry>);

/// Defines a constant of [`KernelChoice`] for each entry.
macro_rules! kernels {
    ($($(#[$comment:meta])* $name:ident = $entry:expr;)*) => {
        impl KernelChoice {
            $($(#[$comment])* pub const $name: Self = {
                static ENTRY: Entry = $entry;
                Self(Some(&ENTRY))
            };)*

            /// The kernels, fastest first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

const OF_52_BITS: Entry = Entry {
    name: "ifma52",
    layout: *b"lanes52 ",
    needs: "AVX-512 IFMA and a modulus of at most 51,000 bits",
    // For shorter moduli, `mulx` is faster.
    from_limbs: [6, 6],
    dimensions: dimensions::of_52_bits,
    costs: &built_in::IFMA52,
    #[cfg(target_arch = "x86_64")]
    is_supported: super::ifma52::Ifma52::is_supported,
    #[cfg(target_arch = "x86_64")]
    new: |modulus, dimensions| boxed(super::ifma52::Ifma52::new(modulus, dimensions)),
    #[cfg(not(target_arch = "x86_64"))]
    is_supported: || false,
    #[cfg(not(target_arch = "x86_64"))]
    new: |_, _| None,
};

// Fastest first.
kernels! {
    /// 52-bit digits with AVX-512 IFMA instructions, for moduli of up to 51,000 bits.
    IFMA52 = OF_52_BITS;

    /// 50-bit digits in doubles with AVX2 and FMA instructions.
    FMA50 = Entry {
        name: "fma50",
        layout: *b"digits50",
        needs: "AVX2 and FMA",
        // For shorter moduli, `mulx` is faster. On machines without it, vectors do not help below the second
        // limit.
        from_limbs: [8, 4],
        dimensions: dimensions::of_doubles,
        costs: &built_in::FMA50,
        #[cfg(target_arch = "x86_64")]
        is_supported: super::fma50::Fma50::is_supported,
        #[cfg(target_arch = "x86_64")]
        new: |modulus, dimensions| boxed(super::fma50::Fma50::new(modulus, dimensions)),
        #[cfg(not(target_arch = "x86_64"))]
        is_supported: || false,
        #[cfg(not(target_arch = "x86_64"))]
        new: |_, _| None,
    };

    /// 50-bit digits in doubles with the relaxed SIMD of WebAssembly, where it is fused. The residues are
    /// those of `fma50`.
    WASM = Entry {
        name: "wasm",
        layout: *b"digits50",
        needs: "WebAssembly with relaxed SIMD that is fused",
        from_limbs: [1, 1],
        dimensions: |name, bits| {
            let mut sizes = dimensions::of_doubles(name, bits)?;
            // Rows of four residues would not be faster with vectors of two digits.
            sizes.lanes = None;
            Some(sizes)
        },
        costs: &built_in::WASM,
        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
        is_supported: super::fma50::Fma50::is_supported,
        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
        new: |modulus, dimensions| boxed(super::fma50::Fma50::new(modulus, dimensions)),
        #[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
        is_supported: || false,
        #[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
        new: |_, _| None,
    };

    /// 64-bit limbs with `mulx`, `adcx` and `adox` (BMI2 and ADX), and look-ups with AVX2.
    ADX = Entry {
        name: "adx",
        layout: *b"limbs64 ",
        needs: "BMI2, ADX and AVX2",
        from_limbs: [1, 1],
        dimensions: |name, bits| Some(dimensions::of_words(name, bits, 64, &dimensions::ADX)),
        costs: &built_in::ADX,
        #[cfg(target_arch = "x86_64")]
        is_supported: super::adx::Adx::is_supported,
        #[cfg(target_arch = "x86_64")]
        new: |modulus, dimensions| boxed(super::adx::Adx::new(modulus, dimensions)),
        #[cfg(not(target_arch = "x86_64"))]
        is_supported: || false,
        #[cfg(not(target_arch = "x86_64"))]
        new: |_, _| None,
    };

    /// 64-bit limbs with `mul` and `umulh`, in assembly for 64-bit ARM processors.
    AARCH64 = Entry {
        name: "aarch64",
        layout: *b"limbs64 ",
        needs: "a 64-bit ARM processor",
        from_limbs: [1, 1],
        dimensions: |name, bits| Some(dimensions::of_words(name, bits, 64, &dimensions::AARCH64)),
        // This kernel has not been measured on an ARM processor. Until then, the times of `adx` serve as an
        // estimate. A plan compares products with squares and look-ups. By the number of instructions, the
        // ratio of a square to a product is 0.85 on both.
        costs: &built_in::ADX,
        is_supported: || cfg!(target_arch = "aarch64"),
        #[cfg(target_arch = "aarch64")]
        new: |modulus, dimensions| boxed(Some(super::aarch64::Aarch64::new(modulus, dimensions))),
        #[cfg(not(target_arch = "aarch64"))]
        new: |_, _| None,
    };

    /// 64-bit limbs in plain Rust, on every platform.
    PORTABLE = Entry {
        name: "portable",
        layout: *b"limbs64 ",
        needs: "nothing",
        from_limbs: [usize::MAX, 1],
        dimensions: |name, bits| Some(dimensions::of_words(name, bits, 64, &dimensions::PORTABLE)),
        costs: &built_in::PORTABLE,
        is_supported: || true,
        new: |modulus, dimensions| boxed(Some(super::portable::Portable::<64>::new(modulus, dimensions))),
    };
}

/// Residues of `ifma52` in another form, in which chains of products and squares are faster. There are no
/// rows and no prepared operands in this form, so it is not among the kernels to choose from.
pub const IFMA52_POWERS: KernelChoice = {
    static ENTRY: Entry = Entry {
        name: "ifma52-powers",
        layout: *b"spaced52",
        needs: "AVX-512 IFMA and a modulus with room for spare bits",
        from_limbs: [usize::MAX; 2],
        dimensions: dimensions::of_52_bits_with_spare,
        ..OF_52_BITS
    };
    KernelChoice(Some(&ENTRY))
};

/// The portable kernel on tiny words, so that moduli of a few bits have several words and tests can be
/// exhaustive.
#[cfg(feature = "internals")]
pub mod tiny {
    use super::{super::portable::Portable, *};

    const fn of_words<const W: u32>(name: &'static str, layout: [u8; 8]) -> Entry {
        Entry {
            name,
            layout,
            needs: "nothing",
            from_limbs: [usize::MAX; 2],
            dimensions: |name, bits| Some(dimensions::of_words(name, bits, W as usize, &dimensions::TINY)),
            costs: &built_in::PORTABLE,
            is_supported: || true,
            new: |modulus, dimensions| boxed(Some(Portable::<W>::new(modulus, dimensions))),
        }
    }

    static OF_4_BITS: Entry = of_words::<4>("portable4", *b"limbs4  ");
    static OF_8_BITS: Entry = of_words::<8>("portable8", *b"limbs8  ");

    /// The portable kernel on words of 4 bits.
    pub const PORTABLE4: KernelChoice = KernelChoice(Some(&OF_4_BITS));
    /// The portable kernel on words of 8 bits.
    pub const PORTABLE8: KernelChoice = KernelChoice(Some(&OF_8_BITS));
}

fn boxed<K: Kernel + 'static>(kernel: Option<K>) -> Option<Box<dyn Kernel>> {
    Some(Box::new(kernel?))
}

impl KernelChoice {
    /// The kernel that the environment variable `MODULI_KERNEL` names, if it is set and not empty; otherwise
    /// the fastest kernel on this machine for the modulus.
    pub const DETECT: Self = Self(None);

    /// The name of the kernel, as in `MODULI_KERNEL`.
    pub fn name(self) -> &'static str {
        self.0.map_or("detect", |entry| entry.name)
    }

    /// The layout of residues in memory: eight characters, all blank for [`DETECT`](Self::DETECT).
    pub fn layout(self) -> [u8; 8] {
        self.0.map_or([b' '; 8], |entry| entry.layout)
    }

    /// Whether this machine has the instructions that the kernel needs.
    pub fn is_supported(self) -> bool {
        self.0.is_none_or(|entry| (entry.is_supported)())
    }

    /// The kernel with this name. An unknown name is an error; there is no fallback.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] with the name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.iter().chain(&[Self::DETECT]);
        #[cfg(feature = "internals")]
        let known = known.chain(&[tiny::PORTABLE4, tiny::PORTABLE8]);
        known.copied().find(|choice| choice.name() == name).ok_or_else(|| Error::UnknownKernel {
            name: name.into(),
            known: Self::names(),
            from_environment: false,
        })
    }

    /// The fastest kernel on this machine whose residues have this layout, to read a table that was written
    /// elsewhere.
    pub fn for_layout(layout: [u8; 8]) -> Option<Self> {
        let known = Self::ALL.iter();
        #[cfg(feature = "internals")]
        let known = known.chain(&[tiny::PORTABLE4, tiny::PORTABLE8]);
        known.copied().find(|choice| choice.layout() == layout && choice.is_supported())
    }

    /// The sizes of this kernel for a modulus of `bits` bits, even if this machine cannot run the kernel.
    ///
    /// # Errors
    /// [`Error::NoKernelToPlanFor`] for [`DETECT`](Self::DETECT); [`Error::Unsupported`] for moduli too long
    /// for it.
    pub fn foreseen(self, bits: u32) -> Result<Dimensions, Error> {
        let entry =
            self.0.ok_or_else(|| Error::NoKernelToPlanFor { name: self.name(), known: Self::names() })?;
        (entry.dimensions)(entry.name, bits as usize).ok_or_else(|| self.refusal(entry))
    }

    /// The built-in costs of the kernel, in ascending order of size.
    pub(crate) fn known_costs(self, maker: Maker) -> &'static [Costs] {
        self.0.map_or(&built_in::PORTABLE, |entry| entry.costs).by(maker)
    }

    /// The names of the kernels, for an error.
    fn names() -> String {
        Self::ALL.iter().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", ")
    }

    /// Creates the kernel for an odd modulus > 1, given as little-endian limbs without leading zeros. Returns
    /// also which kernel it is. If a kernel that was requested by name is not available, that is an error.
    pub(crate) fn build(self, modulus: &[u64]) -> Result<(Self, Box<dyn Kernel>), Error> {
        let Some(entry) = self.0 else {
            return Self::detected(modulus);
        };
        let kernel = self.new_kernel(modulus).ok_or_else(|| self.refusal(entry))?;
        Ok((self, kernel))
    }

    fn new_kernel(self, modulus: &[u64]) -> Option<Box<dyn Kernel>> {
        let entry = self.0?;
        let bits = super::limbs::bit_length_vartime(modulus);
        (entry.new)(modulus, (entry.dimensions)(entry.name, bits as usize)?)
    }

    /// The kernel with another form of residues for powers of single residues, if they are faster in it.
    #[cfg(feature = "std")]
    pub(crate) fn for_powers(self, modulus: &[u64]) -> Option<Box<dyn Kernel>> {
        if self == Self::IFMA52 { IFMA52_POWERS.new_kernel(modulus) } else { None }
    }

    fn detected(modulus: &[u64]) -> Result<(Self, Box<dyn Kernel>), Error> {
        #[cfg(feature = "std")]
        if let Some(name) = std::env::var_os("MODULI_KERNEL").filter(|name| !name.is_empty()) {
            let name = name.to_string_lossy();
            let choice = Self::named(&name).map_err(|_| Error::UnknownKernel {
                name: name.into_owned(),
                known: Self::names(),
                from_environment: true,
            })?;
            if choice.0.is_some() {
                return choice.build(modulus);
            }
        }
        let bits = super::limbs::bit_length_vartime(modulus);
        Self::detected_of(Self::is_supported, bits).build(modulus)
    }

    /// The kernel that detection selects for a modulus of `bits` bits on a machine that supports some
    /// kernels.
    pub(crate) fn detected_of(supports: impl Fn(Self) -> bool, bits: u32) -> Self {
        let limbs = bits.div_ceil(64) as usize;
        let serves = |choice: Self, pass: usize| {
            let from = choice.0.map_or(usize::MAX, |entry| entry.from_limbs[pass]);
            limbs >= from && supports(choice) && choice.foreseen(bits).is_ok()
        };
        (0..2)
            .find_map(|pass| Self::ALL.iter().copied().find(|&choice| serves(choice, pass)))
            .unwrap_or(Self::PORTABLE)
    }

    fn refusal(self, entry: &'static Entry) -> Error {
        Error::Unsupported { name: entry.name, needs: entry.needs }
    }
}

impl PartialEq for KernelChoice {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for KernelChoice {}

impl fmt::Debug for KernelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Costs {
    /// The built-in costs of a kernel on processors of a maker, even if this machine cannot run it. They are
    /// the same on every machine: they were measured at some sizes on the machine that `cost/built_in/`
    /// names, and are interpolated between these sizes.
    pub fn built_in(kernel: &Dimensions, maker: Maker) -> Self {
        Self::interpolated(known_for(kernel, maker), kernel)
    }

    /// [`Costs::product`] of the built-in costs, without computing the others, for callers that need it
    /// before each call.
    pub fn built_in_product(kernel: &Dimensions, maker: Maker) -> f64 {
        Self::interpolated_product(known_for(kernel, maker), kernel)
    }
}

fn known_for(kernel: &Dimensions, maker: Maker) -> &'static [Costs] {
    KernelChoice::named(kernel.name).unwrap_or(KernelChoice::PORTABLE).known_costs(maker)
}
