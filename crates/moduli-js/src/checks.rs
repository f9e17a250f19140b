//! Checks of the kernel's inside, with operands at the bounds of `docs/fma50.md`. They end by a trap if
//! anything is wrong, after its message was kept.

use moduli_kernel::internals::fma50;

/// Check `number`; 0 if there is none, else 1.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_check(number: u32) -> u32 {
    const CHECKS: [fn(); 5] = [
        fma50::operands_at_the_bounds,
        fma50::digits_stay_in_bounds_whatever_the_value,
        fma50::the_longest_modulus_is_served,
        fma50::doubles_hold_every_digit,
        fma50::limbs_and_digits_are_the_same_number,
    ];
    std::panic::set_hook(Box::new(|info| {
        crate::last_error::keep(info.to_string());
    }));
    match CHECKS.get(number as usize) {
        Some(check) => {
            check();
            1
        }
        None => 0,
    }
}
