/** A process whose stderr nobody reads any more: its log collector has ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

/** The child runs the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const PROGRAM = `
import { setTimeout } from "node:timers/promises";
import { stderrLogger } from "@duroxide-ts/core";
await new Promise((resolve) => process.once("message", resolve));
const { warn, error } = stderrLogger();
for (let round = 0; round < 3; round++) {
  warn({ event: String(round) }, "nobody reads this");
  error({ event: String(round) }, "nor this");
  await setTimeout(5);
}
process.exit(7);
`;

it.runIf(CAN_RUN_SOURCES)("goes on, however many entries cannot be written (stderr-logger.SL1)", async () => {
  const flags = ["--conditions=@duroxide-ts/source", "--input-type=module", "--eval", PROGRAM];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  child.stderr?.destroy();
  child.send("the reader has ended");
  expect(await once(child, "exit")).toEqual([7, null]);
});
