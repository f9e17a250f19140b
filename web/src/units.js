// Formats numbers for people, in the words that the command uses.

export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 2 ** 20) return `${(count / 1024).toFixed(1)} KiB`;
  if (count < 2 ** 30) return `${(count / 2 ** 20).toFixed(2)} MiB`;
  return `${(count / 2 ** 30).toFixed(2)} GiB`;
}

// A budget as text, without digits that are always zero.
export function round(count) {
  const unit = count < 2 ** 20 ? [1024, "KiB"] : [2 ** 20, "MiB"];
  return `${count / unit[0]} ${unit[1]}`;
}

export function time(microseconds) {
  const [value, unit] = microseconds < 1e3 ? [microseconds, "µs"] : microseconds < 1e6 ? [microseconds / 1e3, "ms"] : [microseconds / 1e6, "s"];
  return `${value.toPrecision(4)} ${unit}`;
}

export function whole(count) {
  return count.toLocaleString("en");
}

const NAMES = { comb: "comb", radix: "radix-R", "residue-digits": "residue digits", m0m1: "m0m1 as published" };

export function family(name) {
  return NAMES[name];
}

// A method in words, with names for its parameters.
export function described(method, split) {
  const [name, parameters] = method.split(":");
  const [a, b, c] = parameters.split(",");
  const text = {
    comb: () => `comb of ${a} teeth and ${b} ${b === "1" ? "table" : "tables"}${c ? `, ${c} of them with a tooth less` : ""}`,
    radix: () => `radix-R with R = ${a}`,
    "residue-digits": () => `residue digits with m0 = ${a}, m1 = ${b}`,
    m0m1: () => `m0m1 as published with m0 = ${a}, m1 = ${b}`,
  }[name]();
  return split > 1 ? `${text}, entries in ${split} pieces` : text;
}
