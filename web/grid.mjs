// The questions that the page can answer. It contains the answer of `moduli plan --front` to each.

// Kernels, each with the maker of processors whose costs are used.
export const KERNELS = [
  "ifma52@amd", "ifma52@intel", "fma50@amd", "adx@amd", "adx@intel", "aarch64@intel", "portable@amd", "portable@intel",
];
export const SECRECIES = ["secret", "public"];
export const BATCHES = [1, 64];

const SIZES = [1024, 1536, 2048, 3072, 4096, 6144, 7680, 8192, 15360];

const KIB = 1024;

// The slider's stops: four in each octave, from 1 KiB to 64 MiB.
export const BUDGETS = Array.from({ length: 65 }, (_, stop) => ((4 + (stop % 4)) * KIB * 2 ** Math.floor(stop / 4)) / 4);
export const MOST = BUDGETS.at(-1);

// The lengths of moduli, each with its lengths of exponents: 256 bits, the length of the modulus, and those that groups need.
// `groups` is the output of `moduli groups --json`.
export function sizes(groups) {
  const lengths = new Map(SIZES.map((bits) => [bits, new Set([256, bits])]));
  for (const group of groups) {
    if (!lengths.has(group.modulus_bits)) lengths.set(group.modulus_bits, new Set([256, group.modulus_bits]));
    lengths.get(group.modulus_bits).add(group.exponent_bits);
  }
  const ascending = (a, b) => a - b;
  return [...lengths]
    .map(([modulusBits, exponents]) => ({ modulusBits, exponents: [...exponents].sort(ascending) }))
    .sort((a, b) => a.modulusBits - b.modulusBits);
}

// The key of a question, by which its answer is found.
export function key({ modulusBits, exponentBits, kernel, secrecy, batch }) {
  return [modulusBits, exponentBits, kernel, secrecy, batch].join("/");
}

// The options of `moduli plan` for a question.
export function options({ modulusBits, exponentBits, kernel, secrecy, batch }) {
  const [name, maker] = kernel.split("@");
  const asked = ["--bits", modulusBits, "--exponent-bits", exponentBits, "--kernel", name, "--maker", maker, "--batch", batch];
  return [...asked, ...(secrecy === "public" ? ["--public"] : [])].map(String);
}
