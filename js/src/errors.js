// What the package throws where a number is the reason. `code` is for programs:
//   "argument"            an argument is of another type, or negative
//   "length"              a number is longer than 65536 bytes
//   "modulus"             the modulus is below 2, longer than 65536 bits, or even where only odd ones are served
//   "exponent-too-long"   the exponent has more bits than were declared, or than a table serves
//   "not-invertible"      a value has a factor in common with the modulus
//   "budget-too-small"    no table fits the budget
//   "parameter"           a parameter is out of range
//   "table"               the base of a table is 0 modulo the modulus
//   "closed"              what is called was closed
//   "internal"            the module has failed
export class ModuliError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ModuliError";
    this.code = code;
  }
}
