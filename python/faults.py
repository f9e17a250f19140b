"""Seeded faults in the Python package and its extension, and the tests that must catch each: see scripts/seeded.py."""

from pathlib import Path

from seeded import Fault

FILES = Path(__file__).resolve().parents[1]
TESTS = "python/tests/test_*.py"
SOURCE, PACKAGE = "crates/moduli-python/src/", "python/moduli/"
DISTRIBUTED = PACKAGE + "distributed/"
POWER, AUTO, CACHE, INTEGER, ROWS = (SOURCE + name for name in ("power.rs", "auto.rs", "cache.rs", "integer.rs", "rows.rs"))
FIXED_BASE, PRODUCT, EVEN, MODULUS = (SOURCE + name for name in ("fixed_base.rs", "product.rs", "even_modulus.rs", "modulus.rs"))
METHODS, TIMES = "test_modulus.py test_methods_at_every_length", "test_fixed_base.py test_secret_exponents_take_the_same_time_and_public_ones_do_not"
KEPT, BATCHES, LENGTHS = "test_powers.py test_the_cache_is_cleared", "test_modulus.py test_batches", "test_gmpy2.py test_numbers_of_every_length"
WIPED, COMMON = "test_wiped.py test_secrets_are_wiped_before_their_memory_is_freed", "test_even.py test_the_common_factor_is_told_of_public_numbers_alone"
COLUMNS, FORGED = "test_distributed_products.py test_powers_of_columns_and_numbers", "test_distributed_verify.py test_forged_rows_are_found_and_named"
PUBLIC_POWER = "None => work::run(py, work::power(modulus, y.precision()), || modulus.pow_vartime(&x, exponent(&y))),"

FAULTS = (
    Fault("swapped arguments of a power", POWER, PUBLIC_POWER, PUBLIC_POWER.replace("(&x, exponent(&y))", "(&y.magnitude, &*x)"), METHODS),
    Fault("swapped arguments of a batch", SOURCE + "lists.rs", "xs.iter().zip(&ks)", "ks.iter().zip(&xs)", BATCHES),
    Fault("the sign of an exponent that is lost", POWER, "SignedExponent::new(true, &k.magnitude)", "SignedExponent::new(false, &k.magnitude)", METHODS),
    Fault("the sign of a base that is lost", POWER, "if x.negative { Zeroizing::new(modulus.value()", "if x.negative & false { Zeroizing::new(modulus.value()", METHODS),
    Fault("the sign of a modulus that is lost", POWER, "if m.negative && !bool::from(power.is_zero())", "if m.negative && bool::from(power.is_zero())", "test_even.py test_negative_odd_moduli"),
    Fault("the sign of an exponent that is lost of a power by factors", SOURCE + "crt.rs", "self.0.pow(&x, exponent(&e))", "self.0.pow(&x, &*e.magnitude)", "test_crt.py test_powers_are_pythons"),
    Fault("the sign of an integer that is lost", INTEGER, "Ok((negative, limbs_of(magnitude, count)?))", "Ok((false, limbs_of(magnitude, count)?))", "test_gmpy2.py test_integers_by_either_interface"),
    Fault("an mpz with the wrong sign", INTEGER, "Ok((negative, Zeroizing::new(if limbs.is_empty()", "Ok((false, Zeroizing::new(if limbs.is_empty()", LENGTHS),
    Fault("an mpz with too few limbs", INTEGER, "{ vec![0] } else { limbs.to_vec() }", "{ vec![0] } else { limbs[..limbs.len().min(8)].to_vec() }", LENGTHS),
    Fault("a secret exponent as a public one", POWER, "Ok(modulus.pow(&x, &*y.magnitude))", "modulus.pow_vartime(&x, &*y.magnitude)", TIMES),
    Fault("a public exponent as a secret one", POWER, PUBLIC_POWER, PUBLIC_POWER.replace("pow_vartime", "pow_signed"), TIMES),
    Fault("a secret exponent modulo an even number as a public one", EVEN, "|m, x, y| m.pow(x, y))", "|m, x, y| m.pow_vartime(x, y))", TIMES),
    Fault("a secret exponent of a table as a public one", FIXED_BASE, "self.table.pow(exponent(&k))", "self.table.pow_vartime(exponent(&k))", TIMES),
    Fault("secret exponents of a table as public ones", FIXED_BASE, "self.table.pow_batch(exponents())", "self.table.pow_batch_vartime(exponents())", TIMES),
    Fault("secret exponents of a product as public ones", PRODUCT, "if secret { modulus.multi_pow(pairs())", "if secret { modulus.multi_pow_vartime(pairs())", TIMES),
    Fault("a product of tables of which only the first counts as secret", PRODUCT, "bases.iter().any(|base| base.secret)", "bases[0].secret", TIMES),
    Fault("a secret that is inverted as a public number", MODULUS, "match modulus.invert(&x) {", "match modulus.invert_vartime(&x) {", COMMON),
    Fault("a secret that is inverted as a public number modulo an even one", EVEN, "match self.0.invert(&number) {", "match self.0.invert_vartime(&number) {", COMMON),
    Fault("an even modulus sent to the odd ones", CACHE, "value.negative || !value.is_odd() || !(2..", "value.negative || !(2..", "test_even.py test_powmod_of_every_shape"),
    Fault("a cache that mixes moduli", CACHE, "limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1)", "1", "test_powers.py test_the_cache_tells_moduli_apart"),
    Fault("a cache that grows past its bound", CACHE, "while self.bytes > BYTES {", "while self.bytes > 64 * BYTES {", KEPT),
    Fault("a cache that keeps the address of an object that is gone", CACHE, "            if let Some(object) = &entry.object {\n                self.by_object.remove(&(object.as_ptr() as usize));\n            }\n", "",
          "test_powers.py test_the_cache_knows_an_object_by_its_address_only_while_it_keeps_it"),
    Fault("a cache that keeps an object that may change", CACHE, "lasting.then(|| object.clone().unbind())", "Some(object.clone().unbind()).filter(|_| lasting || true)", "test_powers.py test_an_object_with_an_index_may_change"),
    Fault("auto_tables: a budget that is forgotten", AUTO, "while self.bytes + bytes > self.budget {", "while self.bytes + bytes > self.budget.max(LARGEST) {", "test_auto_tables.py test_bytes_are_bounded_and_the_oldest_goes"),
    Fault("auto_tables: a table for secrets kept as one for public exponents", AUTO, "(numbers.into(), of_modulus, secret)", "(numbers.into(), of_modulus, false)",
          "test_auto_tables.py test_secret_and_public_have_tables_of_their_own"),
    Fault("auto_tables: a secret exponent as a public one", POWER, "return table.pow(exponent(y))", "return table.pow_vartime(exponent(y))",
          "test_auto_tables.py test_secret_exponents_take_the_same_time_and_public_ones_do_not"),
    Fault("auto_tables: bases that are mixed", AUTO, "    numbers.extend_from_slice(&limbs::to_limbs(base, of_modulus));\n", "", "test_auto_tables.py test_bytes_are_bounded_and_the_oldest_goes"),
    Fault("auto_tables: an exponent longer than its table", AUTO, "\n            && table.shape().exponent_bits() >= 64 * words", "", "test_auto_tables.py test_longer_exponents_get_a_longer_table"),
    Fault("an exception of the wrong type", SOURCE + "inverse.rs", "PyZeroDivisionError::new_err(error.to_string())", "pyo3::exceptions::PyValueError::new_err(error.to_string())", METHODS),
    Fault("an exception of the wrong type beside gmpy2's", POWER, 'PyValueError::new_err("the exponent must be above 0")', 'pyo3::exceptions::PyTypeError::new_err("the exponent must be above 0")',
          "test_powers.py test_tiny_moduli_exhaustively"),
    Fault("a batch that loses its last row", SOURCE + "work.rs", "piece(start..end)?;", "piece(start..if end == count { end - 1 } else { end })?;", BATCHES),
    Fault("threads that cannot be had", SOURCE + "work.rs", "if rayon::current_thread_index().is_none() {", "if false {", "test_process.py test_without_threads"),
    Fault("a row that is counted from its piece", SOURCE + "lists.rs", "of_row(start + index, error.clone())", "of_row(index, error.clone())", "test_batches.py test_bad_rows_are_named"),
    Fault("bytes in the wrong order", ROWS, "bytes.rchunks(8).map(limb)", "bytes.chunks(8).map(limb)", BATCHES),
    Fault("bytes that are no multiple of the width", ROWS, "width == 0 || !length.is_multiple_of(width)", "width == 0", "test_batches.py test_wrong_batches_say_what_is_wrong"),
    Fault("a table file that is not verified", SOURCE + "table_file.rs", "            if verify {\n", "            if verify && base.is_some() {\n", "test_fixed_base.py test_tables_by_their_digest_and_mapped"),
    Fault("a table modulo another number", PRODUCT, "modulus.is_some_and(|modulus| modulus.value() != first.value())", "modulus.is_some_and(|modulus| modulus.bits() < first.value().bits() / 2)",
          "test_fixed_base.py test_products"),
    Fault("a negative number taken for a member", SOURCE + "members.rs", "if xs.iter().any(|x| x.negative) {", "if xs.iter().all(|x| x.negative) {", "test_members.py test_members_and_one_outside"),
    Fault("a missing wipe of a result", FIXED_BASE, "&Zeroizing::new(power.map_err(exception)?)", "&power.map_err(exception)?", WIPED),
    Fault("a missing wipe of results", SOURCE + "lists.rs", "power.map(Zeroizing::new)).collect()", "power.map(Box::new)).collect()", WIPED),
    Fault("a missing wipe of rows", ROWS, "Zeroizing::new(bytes.rchunks(8).map(limb).collect::<Vec<u64>>())", "bytes.rchunks(8).map(limb).collect::<Vec<u64>>()", WIPED),
    Fault("a missing wipe of the bytes of a row", ROWS, "Zeroizing::new(vec![0; *width])", "vec![0; *width]", WIPED),
    Fault("gmpy2: a product that rounds the other way", PACKAGE + "gmpy2.py", "_real.f_mod(", "_real.t_mod(", "test_gmpy2.py test_the_rest_is_gmpy2"),
    Fault("gmpy2: results of another type", PACKAGE + "gmpy2.py", "_moduli.gmpy2_base_list(items, exponent, m)", "_moduli.powmod_base_list(items, exponent, m)", "test_gmpy2.py test_long_lists"),
    Fault("distributed: swapped columns", DISTRIBUTED + "powmod.py", "values(self.base), values(self.exponent),", "values(self.exponent), values(self.base),", COLUMNS),
    Fault("distributed: a piece that loses its last row", DISTRIBUTED + "source.py", "joined.append(number)\n            rows += count", "joined.append(number)\n            rows += count - (count > 1)",
          "test_distributed_rows.py test_pieces_cover_all_rows_once"),
    Fault("distributed: rows of moduli that are mixed", DISTRIBUTED + "powmod.py", "by_modulus.setdefault(modulus, [])", "by_modulus.setdefault(modulus | 1, [])",
          "test_distributed_products.py test_moduli_of_a_column_of_all_kinds"),
    Fault("distributed: a bad row counted from its piece", DISTRIBUTED + "table.py", "BadRow(start + index, reasons[index])", "BadRow(index, reasons[index])",
          "test_distributed_rows.py test_bad_rows_are_reported_by_position"),
    Fault("distributed: a product without its last piece", DISTRIBUTED + "product.py", "for file in report.files for each", "for file in report.files[: max(1, len(report.files) - 1)] for each",
          "test_distributed_products.py test_products"),
    Fault("distributed: a common base that counts once", DISTRIBUTED + "product.py", "common[factor.base] += sum(own)", "common[factor.base] += own[0] if own else 0", "test_distributed_products.py test_products"),
    Fault("distributed: secrets as public numbers", DISTRIBUTED + "product.py", "self.modulus, secret=self.secret)", "self.modulus, secret=False)",
          "test_distributed_products.py test_products_of_secrets_are_computed_as_such"),
    Fault("distributed: a result of another job that is taken", DISTRIBUTED + "output.py", "told[0] != self.job.encode() or ", "", "test_distributed_results.py test_another_job_does_not_go_on"),
    Fault("verify: a forged row that passes", DISTRIBUTED + "small_exponents.py", "return value(equation.left) == value(equation.right)", "return True", FORGED),
    Fault("verify: elements outside the subgroup", DISTRIBUTED + "small_exponents.py", "    for row in narrowed(rows, members, few):\n", "    for row in ():\n", FORGED),
    Fault("verify: exponents that are not random", DISTRIBUTED + "small_exponents.py", "z = secrets.randbits(BITS)", "z = BITS", "test_distributed_verify.py test_why_membership_is_tested"),
    Fault("verify: random exponents that are too short", DISTRIBUTED + "small_exponents.py", "z = secrets.randbits(BITS)", "z = secrets.randbits(BITS // 2)", "test_distributed_verify.py test_random_exponents_have_128_bits"),
    Fault("verify: rows that are not narrowed down", DISTRIBUTED + "small_exponents.py", "    if len(rows) <= few:\n", "    if len(rows) <= few or fail or not hold(rows):\n", "test_distributed_verify.py test_a_failing_batch_is_halved"),
    Fault("verify: a second half that is not looked at", DISTRIBUTED + "small_exponents.py", "yield from narrowed(rows[middle:], hold, few, fail=not first)", "yield from () if first else narrowed(rows[middle:], hold, few, fail=True)", FORGED),
)
