// Measures powers and tables against BigInt, alternately. Runs in Node.js and in a page.
const BITS = [2048, 3072, 4096];
const EXPONENT_BITS = 256;
// The least milliseconds for a row, and its least and greatest number of rounds.
const [LEAST, ROUNDS, MOST] = [3000, 9, 400];

function numbers(bits) {
  const bytes = crypto.getRandomValues(new Uint8Array(bits / 8));
  bytes[0] |= 0x80;
  bytes[bytes.length - 1] |= 1;
  return BigInt("0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}

const quantile = (values, part) => values.sort((a, b) => a - b)[Math.round(part * (values.length - 1))];

// Runs both alternately. Returns the median milliseconds of each, and the median and quartiles of the ratio.
function compare(baseline, ours) {
  const expected = baseline();
  // Repeated until the engine has optimised the code.
  for (let i = 0; i < 30; i++) if (ours() !== expected) throw new Error("results differ");
  const [times, ratios] = [[[], []], []];
  const begun = performance.now();
  while (ratios.length < ROUNDS || (performance.now() - begun < LEAST && ratios.length < MOST)) {
    const taken = [baseline, ours].map((run, i) => {
      // Repeated for 2 ms, because the clock may be coarse.
      let [count, time] = [0, 0];
      const from = performance.now();
      do {
        run();
        count++;
        time = performance.now() - from;
      } while (time < 2);
      times[i].push(time / count);
      return time / count;
    });
    ratios.push(taken[0] / taken[1]);
  }
  return { milliseconds: times.map((all) => quantile(all, 0.5)), ratio: [0.5, 0.25, 0.75].map((part) => quantile(ratios, part)) };
}

export async function measure(load) {
  const moduli = await load();
  const bigint = await load({ engine: "bigint" });
  const rows = [];
  for (const bits of BITS) {
    const [p, x, e, short] = [numbers(bits), numbers(bits), numbers(bits), numbers(EXPONENT_BITS)];
    const row = (operation, engine, baseline, ours) => rows.push({ operation, bits, engine, ...compare(baseline, ours) });
    row("x^e, secret", moduli.engine.powmod, () => bigint.powmod(x, e, p), () => moduli.powmod(x, e, p));
    row("x^e, public", moduli.engine.powmod, () => bigint.powmod(x, e, p), () => moduli.powmod(x, e, p, { vartime: true }));
    const power = () => bigint.powmod(x, short, p);
    row("x^e, e of 256 bits, secret", moduli.engine.powmod, power, () => moduli.powmod(x, short, p));
    const table = new moduli.FixedBase(x, p, { exponentBits: EXPONENT_BITS });
    row("g^e, e of 256 bits, a table of 1 MiB, secret", moduli.engine.fixedBase, power, () => table.pow(short));
    table.close();
    const [bases, exponents] = [[x, e, x + 2n, e + 2n, x + 4n], Array(5).fill(short)];
    row("product of 5 powers, e of 256 bits, secret", moduli.engine.multiPow, () => bigint.multiPow(bases, exponents, p), () => moduli.multiPow(bases, exponents, p));
  }
  return { rows, engine: moduli.engine };
}
