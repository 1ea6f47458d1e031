/**
 * The interpreter's thread. QuickJS looks for an interruption between the steps of a script only; one call of a
 * built-in function can run for years (`Array.prototype.includes.call({ length: 2 ** 53 }, 1)`). A thread can be
 * ended from outside all the same, so no script can hold up the endpoint beyond its time.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { Channel, type RunMessage, type WorkerLine } from "./channel.ts";
import { runInSandbox } from "./sandbox.ts";
import type { ScriptOutcome } from "./script-outcome.ts";

/** Data with which the thread is started. */
export interface ScriptWorkerData {
  readonly port: MessagePort;
  readonly control: Int32Array<SharedArrayBuffer>;
  /** Memory of scripts and of the interpreter itself, in bytes. */
  readonly memoryBytes: number;
}

/** Part of every Node, but not of the libraries that TypeScript loads for a program without a browser. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

/** The declarations of this package are those of its CommonJS build; Node loads its ES module. */
const QUICK_JS = variant as unknown as QuickJSSyncVariant;

const PAGE_BYTES = 64 * 1024;

/** Number of pages with which the interpreter was built to start. */
const INITIAL_PAGES = 256;

/**
 * Loads the interpreter. QuickJS does not know the sizes of its own allocations when it is compiled to WebAssembly,
 * so that its own limit does not work. The memory below it cannot grow beyond its maximum, and a script sees "out of
 * memory".
 */
async function loadQuickJs(memoryBytes: number): Promise<QuickJSWASMModule> {
  const maximum = Math.max(INITIAL_PAGES, Math.floor(memoryBytes / PAGE_BYTES));
  const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
  return newQuickJSWASMModuleFromVariant(newVariant(QUICK_JS, { wasmMemory }));
}

function run(quickJs: QuickJSWASMModule, line: WorkerLine, message: RunMessage): ScriptOutcome {
  const host = {
    get phase() {
      return line.phase;
    },
    call: (operation: string, argument: string): string => {
      line.send({ kind: "call", operation, argument });
      return line.receive(Number.POSITIVE_INFINITY) as string;
    },
  };
  try {
    return runInSandbox(quickJs, message, host);
  } catch (error) {
    return { kind: "broken", reason: String(error) };
  }
}

async function main({ port, control, memoryBytes }: ScriptWorkerData): Promise<never> {
  const line: WorkerLine = new Channel("worker", port, control);
  const quickJs = await loadQuickJs(memoryBytes);
  line.announceReady();
  parentPort?.postMessage("ready");
  for (;;) {
    const message = line.receive(Number.POSITIVE_INFINITY) as RunMessage;
    line.send({ kind: "outcome", outcome: run(quickJs, line, message) });
  }
}

await main(workerData as ScriptWorkerData);
