// The package's entry point: powers, products of powers, inverses and tables modulo big numbers. See
// docs/javascript.md.
import { ModuliError } from "./errors.js";
import { Moduli } from "./moduli.js";
import { open } from "./open.js";
import { Pool } from "./pool.js";

export { ModuliError };

export async function load(options = {}) {
  return new WithPool(await open(options), options);
}

// A separate class, because worker.js imports Moduli. If Moduli had `pool`, a worker would import the code
// that starts workers, and bundlers reject such a cycle.
class WithPool extends Moduli {
  #options;

  constructor(engines, { engine, constantTime, relaxedModule, portableModule }) {
    super(engines);
    this.#options = { engine, constantTime, relaxedModule, portableModule };
  }

  // Starts workers for batches. Each has its own module.
  pool(workers) {
    return Pool.start(workers, this.#options);
  }
}
