//! Checks of the internals of kernels. They are interpreted if this processor lacks the instructions.

use moduli_kernel::{
    KernelChoice,
    internals::{self, costs, inverse},
};
use testing::Random;

/// Runs a check of `ifma52` natively if the processor has its instructions. Otherwise interprets it, in
/// release builds only, because others are too slow.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn emulate(check: fn()) {
    if KernelChoice::IFMA52.is_supported() {
        return check();
    }
    if !cfg!(debug_assertions) && !checkmem::is_watched() {
        internals::ask_whether_emulated(checkmem::is_interpreted);
        assert_eq!(checkmem::run(u64::MAX, check).ended, Ok(()));
    }
}

macro_rules! checks {
    ($($name:ident: $check:expr;)*) => {
        $(#[test]
        fn $name() {
            $check;
        })*
    };
}

checks! {
    costs_built_in: costs::what_is_built_in_can_be_costs_of_its_kernel();
    costs_of_each_kernel: costs::every_kernel_has_costs_of_its_own();
    costs_between_two_sizes: costs::between_two_sizes_costs_grow_with_the_words();
    costs_as_text: costs::text_is_read_as_it_was_written_and_nonsense_refused();
    costs_in_a_crowd: costs::a_crowd_makes_working_sets_larger();
    costs_by_formula: costs::the_formula_is_positive_and_grows();
    costs_between_splits: costs::splits_between_known_ones_are_interpolated();
    costs_of_tables: costs::tables_cost_more_the_farther_they_reach();
    inverse_updates: inverse::modular_updates_keep_their_range();
    inverse_jumps: inverse::inversions_are_their_jumps();
    inverse_any_jump: inverse::jumps_from_any_state();
    inverse_last_state: inverse::what_is_made_of_the_last_state();
    inverse_count_of_jumps: inverse::as_many_jumps_as_the_theorem_says();
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod x86_64 {
    use super::*;
    use internals::{fma50, ifma52};

    checks! {
        fma50_operands: fma50::operands_at_the_bounds();
        fma50_rows: fma50::rows_at_the_bounds();
        fma50_digits: fma50::digits_stay_in_bounds_whatever_the_value();
        fma50_carries: fma50::carries_reach_the_next_column();
        fma50_longest: fma50::the_longest_modulus_is_served();
        fma50_doubles: fma50::doubles_hold_every_digit();
        fma50_limbs: fma50::limbs_and_digits_are_the_same_number();
        ifma52_products: emulate(ifma52::products_of_residues_at_the_bounds);
        ifma52_pieces: emulate(ifma52::products_by_pieces_at_the_bounds);
        ifma52_two: emulate(ifma52::products_of_two_moduli_at_the_bounds);
        ifma52_squares: ifma52::every_pair_of_lanes_is_taken_once();
        ifma52_halves: ifma52::sums_of_halves_keep_their_sign();
        ifma52_sums: emulate(|| {
            let mut random = Random(1);
            ifma52::carries_of_sums(&mut || random.word());
        });
        ifma52_vectors: emulate(|| {
            let mut random = Random(1);
            ifma52::carries_of_vectors(&mut || random.word());
        });
        ifma52_one_vector: emulate(|| {
            let mut random = Random(2);
            ifma52::one_vector_keeps_what_it_carries_out(&mut || random.word());
        });
    }
}
