// Runs batches on workers: sends pieces of a batch to them, and returns the results in the order of the inputs.
import { ModuliError } from "./errors.js";
import { integerIn, numbersOf } from "./numbers.js";

// The number of pieces of a batch per worker. There are several, so that a slower worker can take fewer.
const PIECES = 4;

const MAX_WORKERS = 256;

// Not by `import`: bundlers would try to resolve it.
const ofNode = (name) => globalThis.process?.getBuiltinModule?.(`node:${name}`);

// Starts a worker. Bundlers recognise `new Worker(new URL(…), …)` only if it is written as one expression.
function started(options) {
  const threads = ofNode("worker_threads");
  const worker = threads
    ? new threads.Worker(new URL("./worker.js", import.meta.url))
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const listen = (name, heard) => {
    if (threads) worker.on(name, heard);
    else worker.addEventListener(name, (event) => heard(name === "message" ? event.data : event));
  };
  return new Helper(worker, listen, options);
}

// One worker, with the promises that wait for its answers.
class Helper {
  #worker;
  #waiting = new Map();
  #next = 0;
  #failed;
  ready;

  constructor(worker, listen, options) {
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => this.#waiting.set("ready", { resolve, reject }));
    listen("message", ({ id, result, error }) => {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (id === "ready") this.#worker.postMessage({ id: "load", operation: "load", rest: [options] });
      if (id === "ready") this.#waiting.set("load", asked);
      else if (error) asked?.reject(error.code ? new ModuliError(error.code, error.message) : new Error(error.message));
      else asked?.resolve(result);
    });
    listen("error", (error) => this.fail(error.message || "a worker cannot be started: its script is missing or forbidden"));
  }

  ask(operation, ...rest) {
    if (this.#failed) return Promise.reject(new ModuliError("closed", this.#failed));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, rest });
    });
  }

  fail(message) {
    this.#failed = message;
    for (const { reject } of this.#waiting.values()) reject(new ModuliError("closed", message));
    this.#waiting.clear();
    this.#worker.terminate();
  }
}

export class Pool {
  #helpers;
  #isClosed = false;
  #tables = 0;

  static async start(workers, options) {
    const processors = globalThis.navigator?.hardwareConcurrency ?? ofNode("os")?.availableParallelism() ?? 1;
    const count = workers ?? Math.min(processors, MAX_WORKERS);
    integerIn("the number of workers", count, 1, MAX_WORKERS);
    const helpers = Array.from({ length: count }, () => started(options));
    const pool = new Pool(helpers);
    try {
      await Promise.all(helpers.map((helper) => helper.ready));
    } catch (error) {
      pool.close();
      throw error;
    }
    return pool;
  }

  constructor(helpers) {
    this.#helpers = helpers;
  }

  get workers() {
    return this.#helpers.length;
  }

  async powmod(bases, exponents, modulus, options) {
    const [x, e] = [numbersOf("the bases", bases), numbersOf("the exponents", exponents)];
    if (x.length !== e.length) throw new ModuliError("argument", `there are ${x.length} bases and ${e.length} exponents`);
    return this.#deal(x.length, (helper, from, to) => helper.ask("powmod", x.slice(from, to), e.slice(from, to), modulus, options));
  }

  // Builds the same table in each worker.
  async fixedBase(base, modulus, options) {
    const table = this.#tables++;
    const made = await Promise.all(this.#helpers.map((helper) => helper.ask("fixedBase", table, base, modulus, options)));
    return {
      tableBytes: made[0],
      pow: async (exponents, options) => {
        const e = numbersOf("the exponents", exponents);
        return this.#deal(e.length, (helper, from, to) => helper.ask("tablePow", table, e.slice(from, to), options));
      },
      close: async () => {
        await Promise.all(this.#helpers.map((helper) => helper.ask("closeTable", table)));
      },
    };
  }

  close() {
    this.#isClosed = true;
    for (const helper of this.#helpers) helper.fail("the pool was closed");
  }

  async #deal(count, ask) {
    if (this.#isClosed) throw new ModuliError("closed", "the pool was closed");
    const piece = Math.max(1, Math.ceil(count / (this.#helpers.length * PIECES)));
    const results = [];
    let next = 0;
    const work = async (helper) => {
      while (next < count) {
        const from = next;
        next += piece;
        const rows = await ask(helper, from, Math.min(count, next));
        rows.forEach((row, i) => (results[from + i] = row));
      }
    };
    await Promise.all(this.#helpers.map(work));
    return results;
  }
}
