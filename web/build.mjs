// Writes the page, one file: node build.mjs FRONTS REPRODUCTION OUTPUT [MODULE]
// MODULE is the npm package's module with relaxed SIMD. Without it, the page measures only BigInt.
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

import { build } from "esbuild";

const HERE = import.meta.dirname;

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(HERE, entry)],
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    write: false,
    metafile: true,
    legalComments: "none",
    charset: "utf8",
    // The npm package loads these only in Node.js.
    external: ["node:*"],
  });
  return { script: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs) };
}

// The packages in a bundle with the full text of their licences, which the licences require.
async function licences(inputs) {
  const folders = new Set(inputs.map((input) => input.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean));
  const texts = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[sc]e/i.test(entry));
    if (!file) throw new Error(`${name} comes without its licence`);
    const text = await readFile(join(folder, file), "utf8");
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}`);
  }
  return texts.join("\n\n\n");
}

const packed = async (file) => deflateSync(await readFile(file), { level: 9 }).toString("base64");

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

async function main(frontsFile, reproductionFile, output, moduleFile) {
  const { script: bundled, inputs } = await bundle("src/main.js");
  // The page contains the script as a module, so that it can use `await`. Its text must not end the element.
  const script = bundled.replaceAll("</script", "<\\/script").trim();
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

  const reproduction = JSON.parse(await readFile(reproductionFile, "utf8"));
  const figures = reproduction.sections.flatMap(({ section, title, figures }) =>
    figures.map((figure) => ({ ...figure, paper: title.split(":")[0].split(",")[0], section })),
  );
  const parts = {
    policy,
    style: await readFile(join(HERE, "src/style.css"), "utf8"),
    version: reproduction.machine.version,
    licences: escaped(await licences(inputs)),
    fronts: await packed(frontsFile),
    module: moduleFile ? await packed(moduleFile) : "",
    figures: JSON.stringify(figures).replaceAll("<", "\\u003c"),
    script,
  };
  const page = await readFile(join(HERE, "src/index.html"), "utf8");
  const filled = page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  await writeFile(output, filled);
  console.log(`${output}: ${Math.round(filled.length / 1000)} kB`);
}

await main(...process.argv.slice(2));
