// Powers, products of powers, inverses and tables modulo big numbers: docs/javascript.md.
import { ModuliError } from "./errors.js";
import { Moduli } from "./moduli.js";
import { open } from "./open.js";
import { Pool } from "./pool.js";

export { ModuliError };

export async function load(options = {}) {
  return new WithPool(await open(options), options);
}

// Apart from Moduli, as the workers of a pool have none of their own: bundlers refuse workers in a circle.
class WithPool extends Moduli {
  #options;

  constructor(engines, { engine, constantTime, relaxedModule, portableModule }) {
    super(engines);
    this.#options = { engine, constantTime, relaxedModule, portableModule };
  }

  // Workers for batches, each with a module of its own.
  pool(workers) {
    return Pool.start(workers, this.#options);
  }
}
