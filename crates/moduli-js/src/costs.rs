//! Measures the kernel's costs for those that are built in. The module imports the clock.

use moduli_kernel::{Costs, KernelChoice};

/// One pass over all sizes, a line for each: at [`moduli_error`](crate::last_error::moduli_error), as other
/// texts are. How many.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_costs() -> usize {
    let lines: Vec<_> =
        Costs::measured_to_build_in(KernelChoice::WASM).iter().map(|costs| format!("{costs:.4?}")).collect();
    crate::last_error::keep(lines.join("\n"));
    lines.len()
}
