// The answers of `moduli plan --front`, as they were written into the page.
import { key } from "../grid.mjs";

// What is packed in the page, as bytes: the browser unpacks it.
export function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

export async function read(packed) {
  const { groups, index, fronts } = JSON.parse(new TextDecoder().decode(await unpacked(packed)));
  return { groups, front: (question) => unfolded(fronts[index[key(question)]]) };
}

// Columns to steps, as fronts.mjs made them.
function unfolded({ front, lines }) {
  let bytes = 0;
  const steps = front.method.map((name, i) => {
    const [method, split] = name.split(" ");
    bytes += front.bytes[i];
    return {
      method,
      split: Number(split ?? 1),
      bytes,
      from: bytes + front.more[i],
      microseconds: front.microseconds[i],
      build: front.build[i],
      breakEven: front.breakEven[i],
    };
  });
  return { steps, lines };
}

// What is chosen for a budget; undefined if no table is so small.
export function chosen(steps, budget) {
  return steps.findLast((step) => step.from <= budget);
}
