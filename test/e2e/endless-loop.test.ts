/**
 * Orchestration code that never gives the event loop back stops its process. What docs/guide/10-workers.md says about it:
 * the debugger of Node names the code while it runs, and the log names the instance once its processes were killed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, it } from "vitest";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;
const PROGRAM = fileURLToPath(new URL("./programs/endless-loop.ts", import.meta.url));
/** The debugger chooses a free port. */
const OPTIONS = [
  "--conditions=@duroxide-ts/source",
  "--disable-warning=ExperimentalWarning",
  "--inspect-port=0",
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "endless-loop-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Resolves with the first match in what a process writes. */
async function said(child: ChildProcessWithoutNullStreams, what: RegExp): Promise<RegExpExecArray> {
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
  const hear = (part: unknown): void => {
    text += String(part);
    const match = what.exec(text);
    if (match !== null) resolve(match);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.on("close", () => reject(new Error(text)));
  return promise;
}

const serve = () => spawn(process.execPath, [...OPTIONS, PROGRAM, path.join(folder, "test.db")]);

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "close");
}

it.runIf(CAN_RUN_SOURCES && process.platform !== "win32")(
  "the debugger names the code of a loop that runs",
  async () => {
    const child = serve();
    await said(child, /in the loop/);
    child.kill("SIGUSR1");
    const [, address = ""] = await said(child, /ws:\/\/([\d.:]+)/);
    const debug = spawn(process.execPath, ["inspect", address]);
    await said(debug, /debug>/);
    debug.stdin.write("pause\n");
    await said(debug, /break in/);
    debug.stdin.write("bt\n");
    await said(debug, /countForever .*endless-loop\.ts/);
    await end(debug);
    await end(child);
  },
);

it.runIf(CAN_RUN_SOURCES)("the log names the instance when each of its processes was killed", async () => {
  const named = /event=orchestration_attempts_used_up instance_id=order-7/;
  for (;;) {
    const child = serve();
    const [text] = await said(child, new RegExp(`in the loop|${named.source}`));
    await end(child);
    if (named.test(text)) break;
  }
});
