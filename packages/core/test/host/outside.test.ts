/** Async contexts in both forms that Node has them in: Node 22 keeps them by `async_hooks`, Node 24 without. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** The child runs the sources as they are, and has the flag. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const PROGRAM = `
import { AsyncLocalStorage } from "node:async_hooks";
const request = new AsyncLocalStorage();
request.enterWith("of the load");
const { outside } = await import("./packages/core/src/host/outside.ts");
request.enterWith("of the caller");
const seen = [];
const call = async () => {
  seen.push(request.getStore());
  request.enterWith("of a call");
  await undefined;
  seen.push(request.getStore());
};
await Promise.all([outside(call), outside(call)]);
await outside(call);
console.log(JSON.stringify([...seen, request.getStore()]));
`;

it.runIf(CAN_RUN_SOURCES).each([["--async-context-frame"], ["--no-async-context-frame"]])(
  "what a call enters is seen by it alone (%s)",
  async (flag) => {
    const flags = [flag, "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    const [load, call] = ["of the load", "of a call"];
    expect(JSON.parse(stdout)).toEqual([load, load, call, call, load, call, "of the caller"]);
  },
);
