// Runs what the pages show: the first program of docs/javascript.md, and the example with ballots.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { format } from "node:util";

import { hold } from "../examples/ballot.mjs";

test("the program of docs/javascript.md prints what it says", async () => {
  const page = await readFile(new URL("../../docs/javascript.md", import.meta.url), "utf8");
  const [, program, wanted] = /```js\n(.*?)```\n\n```text\n\$ node begin\.mjs\n(.*?)```/s.exec(page);
  const printed = [];
  const source = program.replace('"moduli"', JSON.stringify(new URL("../src/index.js", import.meta.url).href));
  globalThis.begun = { log: (...values) => printed.push(format(...values)) };
  await import(`data:text/javascript,${encodeURIComponent(source.replaceAll("console.log", "globalThis.begun.log"))}`);
  assert.equal(printed.map((line) => `${line}\n`).join(""), wanted);
});

test("an election of two ballots", async () => {
  assert.equal(await hold([1n, 1n]), "2 ballots by wasm, all proofs verified, 2 votes for");
});
