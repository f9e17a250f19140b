// Tests what the page measures in the browser: without network, and without relaxed SIMD or WebAssembly.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { BUDGETS } from "../grid.mjs";
import { ROOT, choose, facts, launch, open, slide, tabTo } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// Whether the page was made with the module. It was not on machines without Rust's standard library for wasm32.
const hasModule = existsSync(join(ROOT, "js/wasm/moduli-relaxed.wasm"));

const said = (page) => page.textContent("#measured");

async function measured(page) {
  await tabTo(page, "measure");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !/^(Measuring …)?$/.test(document.getElementById("measured").textContent), null, { timeout: 60_000 });
  const here = Object.entries(await facts(page)).filter(([name]) => name.startsWith("here-"));
  const microseconds = (text) => parseFloat(text) * { µs: 1, ms: 1e3, s: 1e6 }[text.split(" ")[1]];
  return Object.fromEntries(here.map(([name, text]) => [name.slice(5), microseconds(text)]));
}

async function opened({ before = () => {}, secrecy = "secret" } = {}) {
  const { page, complaints } = await open(browser, { before });
  await page.context().setOffline(true);
  await choose(page, "group", "dsa-1024-160");
  await choose(page, "secrecy", secrecy);
  await slide(page, BUDGETS.indexOf(1 << 20));
  return { page, complaints };
}

for (const secrecy of ["secret", "public"]) {
  test(`the module beside BigInt, ${secrecy} exponents`, { skip: !hasModule && "the page was made without the module" }, async () => {
    const { page, complaints } = await opened({ secrecy });
    const times = await measured(page);
    assert.match(await said(page), new RegExp(`modulus of 1,024 bits, ${secrecy} exponents of 160 bits, .*the kernel wasm is [0-9.]+ times as fast`));
    assert.deepEqual(Object.keys(times).sort(), ["bigint", "power", "table", "table-build"]);
    // With a table of 1 MiB, a power takes a few products instead of two hundred.
    assert.ok(times.table < times.power / 2, JSON.stringify(times));
    assert.ok(Object.values(times).every((time) => time > 0));
    // The shown times would be those of another question.
    await choose(page, "group", "ffdhe2048");
    assert.equal(await said(page), "");
    assert.ok(!Object.keys(await facts(page)).some((name) => name.startsWith("here-")));
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

for (const [name, before, reason] of [
  ["without relaxed SIMD", () => (WebAssembly.validate = () => false), "WebAssembly has no relaxed SIMD"],
  ["without WebAssembly", () => delete globalThis.WebAssembly, "there is no WebAssembly"],
]) {
  test(`${name} the package uses BigInt, and the page says why`, async () => {
    const { page, complaints } = await opened({ before });
    const times = await measured(page);
    const expected = hasModule ? reason : "this page was made without the module";
    assert.ok((await said(page)).endsWith(`the package uses BigInt, without tables: ${expected}.`), await said(page));
    assert.deepEqual(Object.keys(times), ["bigint"]);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

test("a wrong result is not taken for a time", { skip: !hasModule && "the page was made without the module" }, async () => {
  const before = () => {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...given) => {
      const { instance } = await instantiate.apply(WebAssembly, given);
      const { moduli_fixed_base_pow, ...rest } = instance.exports;
      const wrong = (...values) => {
        const done = moduli_fixed_base_pow(...values);
        new Uint8Array(rest.memory.buffer)[values[1]] ^= 1;
        return done;
      };
      return { instance: { exports: { ...rest, moduli_fixed_base_pow: wrong } } };
    };
  };
  const { page } = await opened({ before });
  assert.deepEqual(await measured(page), {});
  assert.equal(await said(page), "The measurement failed: results differ.");
  await page.close();
});
