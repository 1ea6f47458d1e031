import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { expect, it } from "vitest";
import { runs } from "../../../../test/support/effort.ts";
import type { RunMessage } from "../../src/scripts/channel.ts";
import { runInSandbox, type SandboxHost } from "../../src/scripts/sandbox.ts";
import { procedure } from "./support/script-runner.ts";

const SOURCES: readonly string[] = [
  procedure("answer(args); globalThis.kept = new Map(); kept.set(1, kept);"),
  procedure("throw new Error('no');"),
  procedure("c.readDocument(c.getAltLink() + '/docs/a', (error) => { throw error; });"),
  procedure("query((error, rows) => answer(rows));"),
  procedure("await null; c.createDocument();", "async function ()"),
  procedure("const cycle = { cycle: null }; cycle.cycle = cycle; const f = () => f() + 1; f();"),
  "function ( {",
];

it("hundreds of scripts, whatever becomes of them, leave the interpreter's memory as it was", async () => {
  const quickJs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  const host: SandboxHost = {
    phase: "open",
    call: (operation) =>
      operation === "query"
        ? JSON.stringify({ failed: false, rows: Array.from({ length: 200 }, (_, n) => ({ id: `d${n}` })) })
        : JSON.stringify({ failed: true, number: 404, body: "{}" }),
  };
  const run = (source: string): string => {
    const message: RunMessage = {
      source,
      name: "proc",
      argumentsText: '[1,"a"]',
      selfLink: "dbs/a/colls/b/",
      altLink: "dbs/x/colls/y",
      maxResponseLength: 10_000,
    };
    return runInSandbox(quickJs, message, host).kind;
  };
  const kinds = SOURCES.map(run);
  expect(kinds).toEqual(["finished", "threw", "threw", "finished", "finished", "threw", "not-a-function"]);

  // Every allocation of the interpreter is in this memory, which grows and never shrinks.
  const sizeBytes = quickJs.getWasmMemory().buffer.byteLength;
  for (let n = 0; n < runs(1000); n++) run(SOURCES[n % SOURCES.length] ?? "");
  expect(quickJs.getWasmMemory().buffer.byteLength).toBe(sizeBytes);
}, 60_000);
