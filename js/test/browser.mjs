// Starts a browser, and a server that gives it this package and an empty page.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

import { chromium } from "playwright-core";

const ROOT = join(import.meta.dirname, "..");
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

export function browser(flags = []) {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...flags] });
}

export async function serve(policy) {
  const server = createServer(async (request, response) => {
    const headers = policy ? { "content-security-policy": policy } : {};
    if (request.url === "/") return response.writeHead(200, { ...headers, "content-type": "text/html" }).end("<!doctype html><title>moduli</title>");
    try {
      const body = await readFile(join(ROOT, normalize(new URL(request.url, "http://localhost").pathname)));
      response.writeHead(200, { ...headers, "content-type": TYPES[extname(request.url)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
