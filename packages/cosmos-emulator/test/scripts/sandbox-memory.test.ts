import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { expect, it } from "vitest";
import { runs } from "../../../../test/support/effort.ts";
import type { RunMessage } from "../../src/scripts/channel.ts";
import { runInSandbox, type SandboxHost } from "../../src/scripts/sandbox.ts";

const SOURCES: readonly string[] = [
  "function (...args) { __.response.setBody(args); console.log('x'.repeat(1000)); }",
  "function () { throw new Error(409, 'no'); }",
  "function () { __.readDocument(__.getAltLink() + '/docs/a', (error) => { throw error; }); }",
  "function () { __.chain().filter((d) => d.id).sortBy((d) => d.id).value(); const self = new Map(); globalThis.kept = self.set(1, self); }",
  "async function () { await null; getContext().abort(new Error('no')); }",
  "function () { const cycle = { cycle: null }; cycle.cycle = cycle; const f = () => f() + 1; f(); }",
  "function ( {",
];

it("hundreds of scripts, whatever becomes of them, leave the interpreter's memory as it was", async () => {
  const quickJs = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  const host: SandboxHost = {
    phase: "open",
    call: (operation) =>
      operation === "readFeed"
        ? JSON.stringify({ failed: false, rows: Array.from({ length: 200 }, (_, n) => ({ id: `d${n}` })) })
        : JSON.stringify({ failed: true, number: 404, body: "{}" }),
  };
  const run = (source: string): string => {
    const message: RunMessage = {
      source,
      name: "proc",
      argumentsText: '[1,"a"]',
      enableLogging: true,
      selfLink: "dbs/a/colls/b/",
      altLink: "dbs/x/colls/y",
      maxResponseLength: 10_000,
      maxLogLength: 10_000,
    };
    return runInSandbox(quickJs, message, host).kind;
  };
  const kinds = SOURCES.map(run);
  expect(kinds).toEqual(["finished", "threw", "threw", "finished", "threw", "threw", "not-a-function"]);

  // Every allocation of the interpreter is in this memory, which grows and never shrinks.
  const sizeBytes = quickJs.getWasmMemory().buffer.byteLength;
  for (let n = 0; n < runs(1000); n++) run(SOURCES[n % SOURCES.length] ?? "");
  expect(quickJs.getWasmMemory().buffer.byteLength).toBe(sizeBytes);
}, 60_000);
