// Tests the package's types. This file is compiled, not run.
import { load, ModuliError, type EngineName } from "../src/index.js";

const moduli = await load({ constantTime: true });
const engine: EngineName = moduli.engine.powmod;
const number: bigint = moduli.powmod(2n, Uint8Array.of(3), 5n, { exponentBits: 8 });
const bytes: Uint8Array = moduli.powmod(Uint8Array.of(2), 3n, 5n);
const product: bigint = moduli.multiPow([2n, 3n], [4n, 5n], 7n);
const inverse: Uint8Array = moduli.invert(bytes, 7n, { vartime: true });
const table = new moduli.FixedBase(2n, 7n, { exponentBits: 3, budget: 1 << 16, secret: false });
const power: bigint = table.pow(3n);
{
  using brief = new moduli.FixedBase(2n, 7n);
  brief.close();
}
const pool = await moduli.pool(2);
const batch: bigint[] = await pool.powmod([2n], [3n], 7n);
const code: string = new ModuliError("closed", "").code;
// @ts-expect-error: a number is no BigInt
moduli.powmod(2, 3n, 5n);
// @ts-expect-error: there is no such engine
await load({ engine: "gmp" });
export { batch, code, engine, inverse, number, power, product };
