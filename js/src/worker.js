// The script of a pool's worker: performs the operations that pool.js sends, and returns results or errors.
import { ModuliError } from "./errors.js";
import { Moduli } from "./moduli.js";
import { open } from "./open.js";

const port = globalThis.process?.getBuiltinModule?.("node:worker_threads").parentPort ?? globalThis;
const tables = new Map();
let moduli;

const OPERATIONS = {
  async load(options) {
    moduli = new Moduli(await open(options));
  },
  powmod(bases, exponents, modulus, options) {
    return bases.map((base, i) => moduli.powmod(base, exponents[i], modulus, options));
  },
  fixedBase(table, base, modulus, options) {
    tables.set(table, new moduli.FixedBase(base, modulus, options));
    return tables.get(table).tableBytes;
  },
  tablePow(table, exponents, options) {
    const held = tables.get(table);
    if (!held) throw new ModuliError("closed", "the table was closed");
    return exponents.map((exponent) => held.pow(exponent, options));
  },
  closeTable(table) {
    tables.get(table)?.close();
    tables.delete(table);
  },
};

async function answer({ id, operation, rest }) {
  try {
    port.postMessage({ id, result: await OPERATIONS[operation](...rest) });
  } catch (error) {
    port.postMessage({ id, error: { code: error.code, message: error.message } });
  }
}

if (port === globalThis) port.addEventListener("message", (event) => answer(event.data));
else port.on("message", answer);
port.postMessage({ id: "ready" });
