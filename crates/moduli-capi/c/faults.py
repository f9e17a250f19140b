"""Seeded faults in the C library and in moduli_gmp.h, and the tests that must catch each: see scripts/seeded.py and one.py."""

from pathlib import Path

from seeded import Fault

FILES = Path(__file__).resolve().parents[3]
TESTS = "crates/moduli-capi/c/**/*.c"
SOURCE, GMP = "crates/moduli-capi/src/", "crates/moduli-capi/include/moduli_gmp.h"
POWER, EVEN, INPUT, OUTPUT, CALL = (SOURCE + name for name in ("power.rs", "even.rs", "input.rs", "output.rs", "call.rs"))
POW = "Ok(modulus.pow(x.value(), e.exponent()?))"
SINGLE, BATCHES, SECRETS, NO_MODULI = "arithmetic single", "arithmetic batches", "secrets test_secrets", "errors values_that_are_no_moduli"

FAULTS = (
    Fault("swapped arguments of a power", POWER, POW, "Ok(modulus.pow(e.value(), x.exponent()?))", SINGLE),
    Fault("swapped arguments of a power modulo an even number", EVEN, POW, "Ok(modulus.pow(e.value(), x.exponent()?))", "arithmetic even"),
    Fault("swapped exponents of a table and a variable base", SOURCE + "product.rs", "table.pow_times(a, x, b)", "table.pow_times(b, x, a)", "tables products"),
    Fault("tables in the wrong order", SOURCE + "product.rs", "tables.push(&given(", "tables.insert(0, &given(", "tables products"),
    Fault("a sign that is lost", POWER, "e.signed_exponent(negative != 0)?", "e.signed_exponent(false)?", SINGLE),
    Fault("a sign that has to be 1", INPUT, "map(|&sign| sign != 0)", "map(|&sign| sign == 1)", BATCHES),
    Fault("a sign that is lost of a power by factors", SOURCE + "crt.rs", "e.signed_exponent(negative)?", "e.signed_exponent(negative & false)?", "crt factors"),
    Fault("a symbol with the wrong sign", SOURCE + "divisor.rs", "JacobiSymbol::MinusOne => -1", "JacobiSymbol::MinusOne => 1", SINGLE),
    Fault("a secret exponent as a public one", POWER, POW, "Ok(modulus.pow_vartime(x.value(), e.value())?)", SECRETS),
    Fault("a secret exponent modulo an even number as a public one", EVEN, POW, "Ok(modulus.pow_vartime(x.value(), e.value()))", SECRETS),
    Fault("secret exponents of a table as public ones", SOURCE + "fixed_power.rs", "table.pow_batch(exponents.iter())", "table.pow_batch_vartime(exponents.iter())", SECRETS),
    Fault("secret exponents of a product as public ones", SOURCE + "multi_power.rs", "modulus.multi_pow(pairs) }", "modulus.multi_pow_vartime(pairs) }", SECRETS),
    Fault("a secret that is inverted as a public number", SOURCE + "inverse.rs", 'modulus.invert(number("x", x, x_len)?.value())?', 'modulus.invert_vartime(number("x", x, x_len)?.value())?',
          "errors powers"),
    Fault("a table for secrets planned as one for public exponents", SOURCE + "fixed_base.rs", "SECRET => Ok(Secrecy::Secret)", "SECRET => Ok(Secrecy::Public)", "tables orders_and_secrecy"),
    Fault("an order that is dropped", SOURCE + "fixed_base.rs", "if order_len == 0 {", "if order_len < usize::MAX {", "tables orders_and_secrecy"),
    Fault("a file that is mapped unasked", SOURCE + "table_file.rs", "let table = if mapped {", "let table = if mapped || !path.as_os_str().is_empty() {", "files test_files"),
    Fault("a status that is dropped", OUTPUT, "first.map_or(Ok(()), Err)", "first.map_or(Ok(()), |_: Failure| Ok(()))", BATCHES),
    Fault("a status of a row that is dropped", OUTPUT, "|failure| failure.status, |()| Status::Ok", "|_| Status::Ok, |()| Status::Ok", BATCHES),
    Fault("a row that is left out", OUTPUT, "results.into_iter().enumerate() {", "results.into_iter().enumerate().take(rows.count - 1) {", BATCHES),
    Fault("rows in the wrong order", OUTPUT, "wrapping_add(index * self.width)", "wrapping_add((self.count - 1 - index) * self.width)", BATCHES),
    Fault("a buffer that is too short", OUTPUT, "if self.length < needed {", "if self.length == 0 && needed > 0 {", "errors powers"),
    Fault("a length that is not checked", INPUT, "if bytes.len() > MODULI_MAX_NUMBER_BYTES {", "if bytes.len() > 8 * MODULI_MAX_NUMBER_BYTES {", NO_MODULI),
    Fault("a length that overflows", INPUT, 'width.checked_mul(count).ok_or_else(|| Failure::length(name, "width times count overflows"))?', "width.wrapping_mul(count)", "errors products"),
    Fault("NULL taken for no bytes", INPUT, "        return Err(Failure::null(name));\n    }\n    if length > isize::MAX", "        return Ok(&[]);\n    }\n    if length > isize::MAX", NO_MODULI),
    Fault("a NULL handle taken for another error", SOURCE + "failure.rs", 'Self::new(Status::NullPointer, format!("{name} is NULL"))', 'Self::new(Status::Parameter, format!("{name} is NULL"))', NO_MODULI),
    Fault("an output that keeps what it had after an error", CALL, "output.clear(failure.status);", "let _ = output;", NO_MODULI),
    Fault("an error without its message", CALL, "    last_error::set(&failure.message);\n", "    let _ = last_error::set;\n", NO_MODULI),
    Fault("an output that is cleared before the operand in its place is read", CALL, "out.check(size)?;\n        out.write_number(", "out.check(size)?;\n        out.clear(Status::Ok);\n        out.write_number(", SINGLE),
    Fault("operands in the wrong order of bytes", INPUT, "BoxedUint::from_be_slice(bytes, bits)", "BoxedUint::from_le_slice(bytes, bits)", "arithmetic primes"),
    Fault("results in the wrong order of bytes", OUTPUT, "value.to_be_bytes()", "value.to_le_bytes()", "arithmetic length"),
    Fault("a missing wipe of operands", INPUT, "use zeroize::Zeroizing;\n\nuse", "use std::boxed::Box as Zeroizing;\n\nuse", "wiped powers_and_inverses_are_wiped"),
    Fault("a missing wipe of a result", CALL, "out.write_number(&Zeroizing::new(work()?))", "out.write_number(&work()?)", "wiped powers_and_inverses_are_wiped"),
    Fault("a missing wipe of the bytes of a result", OUTPUT, "Zeroizing::new(value.to_be_bytes())", "value.to_be_bytes()", "wiped powers_and_inverses_are_wiped"),
    Fault("a missing wipe of a product", SOURCE + "product.rs", "out.write_number(&Zeroizing::new(value?))", "out.write_number(&value?)", "wiped powers_of_tables_are_wiped"),
    Fault("a handle that is not freed", CALL, "drop(unsafe { Box::from_raw(handle) })", "std::mem::forget(unsafe { Box::from_raw(handle) })", SECRETS),
    Fault("mpz: a missing wipe", GMP, "        bytes[i] = 0;\n", "        (void)bytes[i];\n", "wiped buffers_of_gmp_are_wiped"),
    Fault("mpz: the sign of a base that is lost", GMP, "    if (mpz_sgn(x) >= 0) {\n", "    if (mpz_sgn(x) >= -1) {\n", "gmp powers"),
    Fault("mpz: the sign of an exponent that is lost", GMP, "if (status == MODULI_STATUS_OK && mpz_sgn(exp) < 0) {\n        moduli_mpz_buffer inverse", "if (status == MODULI_STATUS_OK && mpz_sgn(exp) < -1) {\n        moduli_mpz_buffer inverse",
          "gmp tables"),
    Fault("mpz: the signs of exponents that are lost", GMP, "        signs.bytes[i] = mpz_sgn(exponents[i]) < 0;\n", "", "gmp products"),
    Fault("mpz: a limb that is cut off", GMP, "return mpz_size(x) * sizeof(mp_limb_t);", "return (mpz_size(x) > 1 ? mpz_size(x) - 1 : mpz_size(x)) * sizeof(mp_limb_t);", "gmp powers"),
    Fault("mpz: limbs in the wrong order", GMP, "out[length - 1 - i] = ", "out[i] = ", "gmp powers"),
    Fault("mpz: an even modulus sent to the odd ones", GMP, "return mpz_odd_p(modulus) && ", "return ", "gmp powers"),
    Fault("mpz: swapped arguments of spowm", GMP, "out.length, x.bytes, x_width, e.bytes, e_width, signs.bytes", "out.length, e.bytes, e_width, x.bytes, x_width, signs.bytes", "gmp products"),
    Fault("mpz: swapped arguments of a table", GMP, "moduli_mpz_fpowm_init(table, modulus, block_width, exponent_bitlen);\n    return status == MODULI_STATUS_OK ? moduli_mpz_fpowm_precomp(table, basis)",
          "moduli_mpz_fpowm_init(table, basis, block_width, exponent_bitlen);\n    return status == MODULI_STATUS_OK ? moduli_mpz_fpowm_precomp(table, modulus)", "gmp tables"),
    Fault("mpz: an exponent longer than its table", GMP, ": moduli_fixed_base_pow_long_vartime(", ": moduli_fixed_base_pow_vartime(", "gmp tables"),
    Fault("mpz: a result that takes the place of an operand too soon", GMP, "    moduli_mpz_buffer x, e = moduli_mpz_bytes(exp);\n", "    mpz_set_ui(rop, 0);\n    moduli_mpz_buffer x, e = moduli_mpz_bytes(exp);\n",
          "gmp powers"),
    Fault("mpz: a secret exponent as a public one", GMP, "status = secret ? moduli_pow(", "status = secret ? moduli_pow_vartime(", "gmp powers"),
    Fault("mpz: a secret number that is inverted as a public one", GMP, "status = moduli_invert(", "status = moduli_invert_vartime(", "gmp inverses"),
    Fault("mpz: the sign of a public number that is lost", GMP, "if (mpz_sgn(op1) >= 0 && mpz_cmpabs(", "if (mpz_cmpabs(", "gmp inverses"),
    Fault("mpz: a public number that is not reduced", GMP, "mpz_sgn(op1) >= 0 && mpz_cmpabs(op1, op2) < 0", "mpz_sgn(op1) >= 0", "gmp inverses"),
    Fault("swapped arguments of an inverse", SOURCE + "inverse.rs", "moduli::invert_vartime(x.value(), m.value())", "moduli::invert_vartime(m.value(), x.value())", SINGLE),
    Fault("mpz: a secret exponent of a table as a public one", GMP, "status = secret ? moduli_fixed_base_pow_long(", "status = secret ? moduli_fixed_base_pow_long_vartime(", "gmp tables"),
    Fault("mpz: a status that is dropped", GMP, "    moduli_mpz_buffer_free(result);\n    return status;\n", "    moduli_mpz_buffer_free(result);\n    return MODULI_STATUS_OK;\n", "gmp inverses"),
)
