/** Orchestration code that computes holds no lock of the file (early-turns.ts; docs/decisions/sqlite-commits.md). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/fixture.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const CHILD = fileURLToPath(new URL("./support/long-turn.ts", import.meta.url));

describe.skipIf(!CAN_RUN_SOURCES)("while a turn of one process computes after an activity", () => {
  it.each([1, 10])("another process writes, with %i such instances", { timeout: 180_000 }, async (count) => {
    using folder = temporaryFolder();
    const [path, gate] = [folder.file("test.db"), folder.file("gate")];
    const child = spawn(
      process.execPath,
      ["--conditions=@duroxide-ts/source", "--no-warnings", CHILD, path, gate, String(count)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const exited = once(child, "exit");
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe("computing");
      await using provider = await SqliteProvider.open(path);
      // The turn goes on until the gate opens, so whatever succeeds now does so beside it.
      for (let n = 0; n < 20; n++) await provider.enqueueForOrchestrator(startItem(`other-${n}`));
      const { orchestratorQueue } = await provider.admin.getQueueDepths();
      expect(orchestratorQueue).toBeGreaterThanOrEqual(20);
    } finally {
      writeFileSync(gate, "");
    }
    expect((await lines.next()).value).toBe("done");
    expect(await exited).toEqual([0, null]);
  });
});
