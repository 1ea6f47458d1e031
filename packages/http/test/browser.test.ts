/** The client in browsers: its modules import nothing of Node, and it works in a page of another origin. */
import path from "node:path";
import { type OutputChunk, rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../test/support/chromium.ts";
import { toNodeHandler } from "../src/index.ts";
import { listening } from "./support/listening.ts";
import { openShop } from "./support/shop.ts";

/** The entry as one file, as bundlers make it. */
async function bundled(): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: path.resolve(import.meta.dirname, "../src/client/index.ts"),
    platform: "browser",
    treeshake: true,
    resolve: { conditionNames: ["@duroxide-ts/source", "import", "default"] },
  });
  try {
    const { output } = await bundle.generate({ format: "esm", minify: true });
    return output[0];
  } finally {
    await bundle.close();
  }
}

describe("the entry for browsers", () => {
  it("imports nothing that a bundle does not have, and is small", async () => {
    const { imports, dynamicImports, code } = await bundled();
    expect([imports, dynamicImports]).toEqual([[], []]);
    expect(code).not.toMatch(/\bfrom\s*["']node:|require\(/);
    expect(code.length).toBeLessThan(45_000);
  });

  it.skipIf(chromiumPath === undefined)("works in a page of another origin, without Node", async () => {
    await using page = await listening((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>"),
    );
    await using shop = await openShop({ origins: [page.address], basePath: "/api" });
    await using api = await listening(toNodeHandler(shop.handler));
    const { code } = await bundled();
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(page.address);
      const program = `(async () => {
        const { HttpClient } = await import("data:text/javascript;base64,${Buffer.from(code).toString("base64")}");
        const client = new HttpClient(${JSON.stringify(`${api.address}/api`)});
        const handle = await client.start("talk", { instanceId: "a" });
        await handle.enqueue("lines", "Hel");
        await handle.enqueue("lines", "lo");
        const values = [];
        for await (const { value } of handle.stream("tokens")) {
          values.push(value);
          if (values.length === 2) await handle.enqueue("lines", "end");
        }
        const refused = await client.start("checkout", { input: {} }).catch((error) => error);
        const unknown = await client.handle("talk", "none").raise("x").catch((error) => error);
        return { values, result: await handle.result(), refused: [refused.name, refused.issues.length],
          unknown: [unknown.name, unknown.code], node: typeof process };
      })()`;
      expect(await tab.evaluate(program)).toEqual({
        values: ["Hel", "lo"],
        result: "said",
        refused: ["InvalidInputError", 2],
        unknown: ["NotDeliveredError", "not-found"],
        node: "undefined",
      });
      const events = `new Promise((resolve) => {
        const source = new EventSource(${JSON.stringify(`${api.address}/api/instances/a/streams/tokens`)});
        const got = [];
        source.onmessage = ({ lastEventId, data }) => got.push([lastEventId, JSON.parse(data)]);
        source.onerror = () => source.readyState === EventSource.CLOSED && resolve(got);
      })`;
      // The browser comes back once by itself, and is told that there is no more.
      expect(await tab.evaluate(events)).toEqual([
        ["0", "Hel"],
        ["1", "lo"],
      ]);
    } finally {
      await browser.close();
    }
  });
});
