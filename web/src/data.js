// Reads the answers of `moduli plan --front` that are packed in the page.
import { key } from "../grid.mjs";

// Unpacks data in the page to bytes, by the browser's decompression.
export function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

export async function read(packed) {
  const { groups, index, fronts } = JSON.parse(new TextDecoder().decode(await unpacked(packed)));
  return { groups, front: (question) => unfolded(fronts[index[key(question)]]) };
}

// Turns the columns that fronts.mjs wrote back into steps.
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

// The step that is chosen for a budget; undefined if every table is larger.
export function chosen(steps, budget) {
  return steps.findLast((step) => step.from <= budget);
}
