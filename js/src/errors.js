// The error that the package throws. Programs test its `code`:
//   "argument"            an argument is of another type, or negative
//   "length"              a number is longer than 65536 bytes
//   "modulus"             the modulus is below 2, longer than 65536 bits, or even where it must be odd
//   "exponent-too-long"   the exponent has more bits than were declared, or than the table supports
//   "not-invertible"      a value has a factor in common with the modulus
//   "budget-too-small"    no table fits the budget
//   "parameter"           a parameter is out of range
//   "table"               the base of a table is 0 modulo the modulus
//   "closed"              the table or the pool was closed
//   "internal"            the module has failed
export class ModuliError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ModuliError";
    this.code = code;
  }
}
