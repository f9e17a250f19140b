// Writes the command's front for every question of the grid: node fronts.mjs MODULI OUTPUT
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { BATCHES, KERNELS, MOST, SECRECIES, key, options, sizes } from "./grid.mjs";

const run = promisify(execFile);

// Runs the command with one thread, so that times to build are those of one core on every machine that makes the page.
export async function moduli(command, ...rest) {
  const settings = { env: { ...process.env, RAYON_NUM_THREADS: "1" }, maxBuffer: 1 << 28 };
  return JSON.parse((await run(command, [...rest, "--json"], settings)).stdout);
}

const rounded = (value, digits) => Number(value.toPrecision(digits));

// The steps by columns, which compress better. Bytes are stored as differences to the step before, budgets as differences to
// bytes.
function columns(steps) {
  const column = (entry) => steps.map(entry);
  return {
    method: column((step) => (step.split > 1 ? `${step.method} ${step.split}` : step.method)),
    bytes: column((step, i) => step.bytes - (i > 0 ? steps[i - 1].bytes : 0)),
    more: column((step) => step.from_bytes - step.bytes),
    microseconds: column((step) => rounded(step.microseconds, 4)),
    build: column((step) => rounded(step.build_milliseconds, 3)),
    breakEven: column((step) => step.break_even),
  };
}

// The points of a line to draw. A point less than a hundredth faster than the one before is left out.
function thinned(steps) {
  const points = [];
  for (const { from_bytes, microseconds } of steps) {
    if (points.length === 0 || microseconds < 0.99 * points.at(-1)[1]) points.push([from_bytes, rounded(microseconds, 4)]);
  }
  return points;
}

async function main(command, output) {
  const groups = await moduli(command, "groups");
  const questions = [];
  for (const { modulusBits, exponents } of sizes(groups)) {
    for (const exponentBits of exponents) {
      for (const kernel of KERNELS) {
        for (const secrecy of SECRECIES) {
          for (const batch of BATCHES) questions.push({ modulusBits, exponentBits, kernel, secrecy, batch });
        }
      }
    }
  }
  const answers = new Array(questions.length);
  let next = 0;
  const worker = async () => {
    while (next < questions.length) {
      const place = next++;
      const asked = options(questions[place]);
      const { front, methods } = await moduli(command, "plan", "--front", "--budget", String(MOST), ...asked);
      const lines = methods.map(({ method, front }) => [method, thinned(front)]);
      answers[place] = JSON.stringify({ front: columns(front), lines });
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));

  // Equal answers are stored once. There are many: a kernel without lanes computes a batch one by one.
  const fronts = [...new Set(answers)];
  const places = new Map(fronts.map((front, place) => [front, place]));
  const index = Object.fromEntries(questions.map((question, i) => [key(question), places.get(answers[i])]));
  await writeFile(output, JSON.stringify({ groups, index, fronts: fronts.map((front) => JSON.parse(front)) }));
  console.log(`${questions.length} questions, ${fronts.length} fronts: ${output}`);
}

if (import.meta.filename === process.argv[1]) await main(process.argv[2], process.argv[3]);
