// Measures the visitor's question in the browser: with the module of the npm package, and with BigInt.
import { load } from "../../js/src/index.js";
import { whyNotRelaxed } from "../../js/src/open.js";
import { unpacked } from "./data.js";
import { element, facts } from "./elements.js";
import { time, whole } from "./units.js";

// The least milliseconds of a sample, because browsers' clocks are coarse; and the number of samples.
const [LEAST, SAMPLES] = [20, 9];
// Seconds after which no further samples are taken.
const ENOUGH = 3;

const at = (id) => document.getElementById(id);

// Lets the browser draw the page meanwhile.
const pause = () => new Promise((resolve) => setTimeout(resolve));

const milliseconds = (run) => {
  const begun = performance.now();
  run();
  return performance.now() - begun;
};

// A random number of exactly `bits` bits whose lowest bit is 1. Times do not depend on the number.
function number(bits) {
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  // getRandomValues returns at most 65536 bytes at once.
  for (let i = 0; i < bytes.length; i += 65536) crypto.getRandomValues(bytes.subarray(i, i + 65536));
  const all = BigInt("0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  return BigInt.asUintN(bits, all) | (1n << BigInt(bits - 1)) | 1n;
}

// Microseconds of a call: the least of several samples, because other programs may be running on this machine.
async function taken(run) {
  const samples = [];
  const begun = performance.now();
  // Runs the call until the engine has optimised it.
  let count = Math.max(1, Math.round(LEAST / Math.max(milliseconds(run), LEAST / 100)));
  for (let i = 0; i < count; i++) run();
  do {
    await pause();
    let used = 0;
    for (;;) {
      used = milliseconds(() => {
        for (let i = 0; i < count; i++) run();
      });
      if (used >= LEAST) break;
      count *= 2;
    }
    samples.push((1e3 * used) / count);
  } while (samples.length < SAMPLES && performance.now() - begun < 1e3 * ENOUGH);
  return Math.min(...samples);
}

// Loads the engine that works here. `reason` says why it is not the kernel wasm; it is empty if it is.
async function opened(packed) {
  const reason = packed ? whyNotRelaxed() : "this page was made without the module";
  if (reason !== "") return { moduli: await load({ engine: "bigint" }), reason };
  return { moduli: await load({ engine: "wasm", relaxedModule: await unpacked(packed) }), reason };
}

// Measures the times for a modulus and a base of these lengths, in microseconds, one power at a time.
async function measure({ moduli, reason }, { modulusBits, exponentBits, secrecy }, budget) {
  const bigint = await load({ engine: "bigint" });
  const [p, base, e] = [number(modulusBits), number(modulusBits - 1), number(exponentBits)];
  const options = { vartime: secrecy === "public" };
  const expected = bigint.powmod(base, e, p);
  const checked = (power) => {
    if (power() !== expected) throw new Error("results differ");
    return taken(power);
  };
  const rows = [];
  if (reason === "") {
    let table;
    const build = milliseconds(() => {
      table = new moduli.FixedBase(base, p, { exponentBits, budget, secret: secrecy === "secret" });
    });
    try {
      rows.push(["Time of a power by a table", "table", await checked(() => table.pow(e, options))]);
      rows.push(["Time to build it", "table-build", 1e3 * build]);
    } finally {
      table.close();
    }
    rows.push(["Without a table", "power", await checked(() => moduli.powmod(base, e, p, options))]);
  }
  rows.push(["By BigInt, not constant-time", "bigint", await checked(() => bigint.powmod(base, e, p))]);
  moduli.clear();
  return rows;
}

// The button that measures the current question of `planner`.
export class Measured {
  constructor(planner, packed) {
    this.planner = planner;
    this.packed = packed;
    at("measure").addEventListener("click", () => this.measure());
    planner.form.addEventListener("input", () => this.forget());
  }

  // Removes the results, which are those of another question.
  forget() {
    this.asked = undefined;
    at("measured").textContent = "";
    at("measured-facts").replaceChildren();
  }

  async measure() {
    // The button is not disabled meanwhile, because it would lose the keyboard focus.
    if (this.isBusy) return;
    this.isBusy = true;
    const { question, budget } = this.planner.state;
    const asked = (this.asked = {});
    at("measured").textContent = "Measuring …";
    at("measured-facts").replaceChildren();
    try {
      await pause();
      this.engine ??= await opened(this.packed);
      const rows = await measure(this.engine, question, budget);
      if (this.asked === asked) this.say(rows, question);
    } catch (error) {
      if (this.asked === asked) at("measured").textContent = `The measurement failed: ${error.message}.`;
    } finally {
      this.isBusy = false;
    }
  }

  say(rows, { modulusBits, exponentBits, secrecy }) {
    const { reason } = this.engine;
    const times = Object.fromEntries(rows.map(([, name, time]) => [name, time]));
    const question = `a modulus of ${whole(modulusBits)} bits, ${secrecy} exponents of ${exponentBits} bits, one at a time`;
    at("measured").textContent =
      reason === ""
        ? `In this browser, for ${question}: the kernel wasm is ${(times.bigint / times.table).toFixed(1)} times as fast as BigInt by a ` +
          `table, ${(times.bigint / times.power).toFixed(1)} times without.`
        : `In this browser, for ${question}, the package uses BigInt, without tables: ${reason}.`;
    at("measured-facts").replaceChildren(...facts(rows.map(([name, fact, value]) => [name, `here-${fact}`, time(value)])));
  }
}
