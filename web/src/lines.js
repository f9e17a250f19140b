// The code that makes the chosen table: for the shell, in Rust, Python and C.

// Code that names the method makes this table on every machine; code that names a budget makes it on a machine with this kernel
// and a processor of this maker.
export function lines({ group, modulusBits, exponentBits, kernel, secrecy, batch }, plan) {
  const isPublic = secrecy === "public";
  const isBatch = batch > 1;
  const call = `pow${isBatch ? "_batch" : ""}${isPublic ? "_vartime" : ""}`;
  const split = plan.split > 1;
  const asked = [
    group ? `--group ${group}` : `--bits ${modulusBits}`,
    `--exponent-bits ${exponentBits}`,
    `--budget ${plan.from}`,
    ...(isPublic ? ["--public"] : []),
    ...(isBatch ? [`--batch ${batch}`] : []),
    `--kernel ${kernel.replace("@", " --maker ")}`,
  ];
  const target = group ? `--group ${group}` : '--modulus "$MODULUS" --base "$BASE"';
  const shape = `--method ${plan.method}${split ? ` --split ${plan.split}` : ""}`;
  const shell = [
    // The number of threads determines how many exponents fill the lanes.
    `${isBatch ? "RAYON_NUM_THREADS=1 " : ""}moduli plan ${asked.join(" ")}`,
    `moduli table build ${target} --exponent-bits ${exponentBits} ${shape} -o g.table`,
  ];

  const rust = [
    ...(group ? [`let group = Group::named("${group}")?;`] : []),
    `let p = Modulus::new(${group ? "group.modulus()" : "&modulus"})?;`,
    `let g = FixedBase::builder(&p, ${group ? "group.generator()" : "&base"})`,
    `    .exponent_bits(${exponentBits})`,
    `    .method("${plan.method}".parse()?)`,
    ...(split ? [`    .split(${plan.split})`] : []),
    "    .build()?;",
    isBatch ? `let powers = g.${call}(&exponents);` : `let power = g.${call}(&exponent)?;`,
  ];

  const planned = split ? `budget=${plan.from}${isBatch ? `, batch=${batch}` : ""}` : `method="${plan.method}"`;
  const python = [
    ...(group ? [`group = moduli.group("${group}")`] : []),
    `g = moduli.FixedBase(${group ? "group.g, group.p" : "base, modulus"}, exponent_bits=${exponentBits}, ${planned}${isPublic ? ", secret=False" : ""})`,
    isBatch ? "powers = g.pow_batch(exponents)" : "power = g.pow(exponent)",
  ];

  const c = [
    ...(isBatch ? ["/* The C library plans for exponents one by one: its table may be another one. */"] : []),
    "moduli_fixed_base_build(p, &g, base, base_len, NULL, 0,",
    `                        ${exponentBits}, ${plan.from}, ${isPublic ? "MODULI_SECRECY_PUBLIC" : "MODULI_SECRECY_SECRET"});`,
    `moduli_fixed_base_pow${isPublic ? "_vartime" : ""}(g, power, power_len, exponent, exponent_len);`,
  ];
  return [
    ["Shell", shell],
    ["Rust", rust],
    ["Python", python],
    ["C", c],
  ].map(([name, text]) => [name, text.join("\n")]);
}
