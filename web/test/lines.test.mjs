// Compiles and runs the page's code in Rust, Python and C as it is copied: each must make the planned table and the right power.
// Python needs the package of `make python`, C the library of `make capi`. A missing one is skipped with a message.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ROOT, choose, codeLines, facts, launch, moduli, open, slide } from "./browser.mjs";
import { BUDGETS } from "../grid.mjs";

const EXPONENT = 0x123456789abcdef0123456789abcdefn;
const KIB = 1024;
// Each has group, secrecy, batch and budget. There are plans in one part and split ones, for one exponent and for many.
const POINTS = [
  ["dsa-1024-160", "secret", 1, 40 * KIB],
  ["ffdhe2048", "public", 1, 80 * KIB],
  ["ffdhe2048", "secret", 1, 96 * KIB],
  ["dsa-1024-160", "public", 64, 40 * KIB],
];

let browser, folder;
const asked = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "moduli-lines-"));
  browser = await launch();
  const { page } = await open(browser);
  const { maker } = JSON.parse(moduli("plan", "--bits", "64", "--json"));
  for (const [group, secrecy, batch, budget] of POINTS) {
    await choose(page, "group", group);
    for (const [id, value] of [["secrecy", secrecy], ["batch", batch], ["kernel", `portable@${maker}`]]) await choose(page, id, value);
    await slide(page, BUDGETS.indexOf(budget));
    const { p: modulus, g: generator } = JSON.parse(moduli("groups", group, "--json"));
    const power = moduli("powmod", "--modulus", modulus, "--base", generator, "--exponent", EXPONENT.toString(16)).trim();
    const { method, split } = await facts(page);
    const shape = split === "1" ? method : `${method} split ${split}`;
    const text = {};
    for (const name of ["rust", "python", "c"]) text[name] = await codeLines(page, name);
    asked.push({ modulus, generator, batch, text, expected: `${shape} ${power}` });
  }
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

test("one of the plans is split", () => assert.ok(asked.some(({ expected }) => / split 2 /.test(expected))));

// Runs a program, which plans with the page's kernel and one thread, and returns its output. Throws if it fails.
function run(command, ...rest) {
  const env = { ...process.env, MODULI_KERNEL: "portable", RAYON_NUM_THREADS: "1", LD_LIBRARY_PATH: join(ROOT, "target/release") };
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: ROOT, env, encoding: "utf8", maxBuffer: 1 << 26 });
  assert.equal(status, 0, `${command} ${rest.join(" ")}\n${stderr}`);
  return stdout;
}

test("Rust", async () => {
  // Uses the libraries that the command is linked with. If MODULI_PACKAGES names the packages that it was built with, nothing is
  // compiled.
  const packages = (process.env.MODULI_PACKAGES ?? "-p moduli-cli").split(" ");
  const built = run("cargo", "build", "--release", "--locked", "--quiet", ...packages, "--message-format=json");
  const library = (name) =>
    built.split("\n").filter(Boolean).map((line) => JSON.parse(line))
      .find(({ reason, target }) => reason === "compiler-artifact" && target.name === name && target.kind[0] === "lib")
      .filenames.find((file) => file.endsWith(".rlib"));
  const blocks = asked.map(({ batch, text }) => `    {
${text.rust}
${batch > 1 ? "let power = powers[1].clone()?;" : ""}
println!("{} {:x}", g.shape(), power);
    }`);
  const file = join(folder, "lines.rs");
  await writeFile(file, `use crypto_bigint::BoxedUint;
use moduli::{FixedBase, Modulus, groups::Group};
#[allow(unused_variables)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exponent = BoxedUint::from(0x${EXPONENT.toString(16)}u128);
    let exponents = [BoxedUint::from(1u64), exponent.clone()];
${blocks.join("\n")}
    Ok(())
}
`);
  const externs = ["moduli", "crypto_bigint"].flatMap((name) => ["--extern", `${name}=${library(name)}`]);
  const program = join(folder, "lines-in-rust");
  run("rustc", "--edition", "2024", "-L", "dependency=target/release/deps", ...externs, "-o", program, file);
  assert.deepEqual(numbers(run(program)), asked.map(({ expected }) => expected));
});

const python = join(ROOT, ".venv-python/bin/python");
test("Python", { skip: !existsSync(python) && "the package is not installed: make python" }, async () => {
  const blocks = asked.map(({ batch, text }) => `${text.python}
${batch > 1 ? "power = powers[1]" : ""}
plan = g.plan
print(plan.method + (f" split {plan.split}" if plan.split > 1 else ""), f"{power:x}")
`);
  const file = join(folder, "lines.py");
  await writeFile(file, `import moduli
exponent = ${EXPONENT}
exponents = [1, exponent]
${blocks.join("")}`);
  assert.deepEqual(numbers(run(python, file)), asked.map(({ expected }) => expected));
});

test("C", { skip: !existsSync(join(ROOT, "target/release/libmoduli_capi.so")) && "the library is not built: make capi" }, async () => {
  // The C library plans for single exponents only, as the page says.
  const one = asked.filter(({ batch }) => batch === 1);
  const bytes = (hex) => hex.padStart(hex.length + (hex.length % 2), "0").match(/../g).map((byte) => `0x${byte}`).join(",");
  const blocks = one.map(({ modulus, generator, text }) => `  {
    static const uint8_t modulus[] = {${bytes(modulus)}}, base[] = {${bytes(generator)}}, exponent[] = {${bytes(EXPONENT.toString(16))}};
    static uint8_t power[sizeof modulus];
    size_t base_len = sizeof base, power_len = sizeof power, exponent_len = sizeof exponent;
    moduli_modulus *p;
    moduli_fixed_base *g;
    if (moduli_modulus_new(&p, modulus, sizeof modulus) != MODULI_STATUS_OK) return 1;
${text.c.replace(/^moduli_\w+\([^;]*\);/gm, (call) => `if (${call.slice(0, -1)} != MODULI_STATUS_OK) return 2;`)}
    printf("%s ", moduli_fixed_base_method(g));
    for (size_t i = 0; i < power_len; i++) printf("%02x", power[i]);
    printf("\\n");
    moduli_fixed_base_free(g);
    moduli_modulus_free(p);
  }`);
  const file = join(folder, "lines.c");
  await writeFile(file, `#include <moduli.h>\n#include <stdio.h>\nint main(void) {\n${blocks.join("\n")}\n  return 0;\n}\n`);
  const program = join(folder, "lines-in-c");
  run("gcc", "-Wall", "-Werror", "-Icrates/moduli-capi/include", file, "-Ltarget/release", "-lmoduli_capi", "-o", program);
  assert.deepEqual(numbers(run(program)), one.map(({ expected }) => expected));
});

// The lines "method power" of an output, without leading zeros of the power.
function numbers(output) {
  return output.trim().split("\n").map((line) => line.replace(/ 0*([0-9a-f]+)$/, " $1"));
}
