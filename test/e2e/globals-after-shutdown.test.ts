/**
 * A shutdown puts the globals back. Shown with a process of its own, because another runtime in the process of the tests
 * would keep them replaced.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const PROGRAM = fileURLToPath(new URL("./programs/globals-after-shutdown.ts", import.meta.url));

it.runIf(CAN_RUN_SOURCES)(
  "a runtime whose handlers never end puts the globals back, and its process ends",
  async () => {
    const options = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, PROGRAM]);
    expect(JSON.parse(stdout)).toEqual({
      whileItRuns: { date: false },
      afterwards: { date: true, setTimeout: true, random: true },
    });
  },
);
