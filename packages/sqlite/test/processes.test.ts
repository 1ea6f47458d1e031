/**
 * Behaviour that only real processes can show: a kill in the middle of a write, and two of them at work on one file.
 */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client } from "@duroxide-ts/core";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { type Folder, inFolder, temporaryFolder } from "./support/fixture.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const CHILD = fileURLToPath(new URL("./support/child.ts", import.meta.url));

function start(
  mode: "turns" | "drain",
  path: string,
  name: string,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(
    process.execPath,
    ["--conditions=@duroxide-ts/source", "--no-warnings", CHILD, mode, path, name],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
}

/** Kills a child process during its writes; returns the instances whose first turn it had acknowledged. */
async function killWhileItWrites(path: string, name: string, afterTurns: number): Promise<string[]> {
  const child = start("turns", path, name);
  const exited = once(child, "exit");
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === afterTurns) child.kill("SIGKILL");
  }
  expect(await exited).toEqual([null, "SIGKILL"]);
  return acknowledged;
}

async function openAll(folder: Folder): Promise<{ provider: SqliteProvider; ids: readonly string[] }> {
  const provider = await SqliteProvider.open(folder.file("test.db"));
  const ids: string[] = [];
  for await (const id of new Client(provider).admin.instances({ pageSize: 1_000 })) ids.push(id);
  return { provider, ids };
}

describe.skipIf(!CAN_RUN_SOURCES)("a process that is killed while it writes", () => {
  it("leaves every acknowledged turn behind, and each turn whole or not at all", {
    timeout: 300_000,
  }, async () => {
    using folder = temporaryFolder();
    const acknowledged: string[] = [];
    for (const [index, afterTurns] of [40, 150, 300].entries()) {
      acknowledged.push(...(await killWhileItWrites(folder.file("test.db"), `child-${index}`, afterTurns)));
      const { provider, ids } = await openAll(folder);
      await using _closed = provider;
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      for (const id of ids) {
        expect(await provider.readHistory(id), id).toHaveLength(5);
        expect((await provider.getKvValues(id, "k")).get("k")).toBe(id);
        expect(await provider.getInstanceStatus(id)).toMatchObject({
          customStatus: id,
          customStatusVersion: 1,
        });
      }
      const { workerQueue } = await provider.admin.getQueueDepths();
      expect(workerQueue).toBe(3 * ids.length);
      expect(await provider.admin.getSystemMetrics()).toMatchObject({
        totalInstances: ids.length,
        totalExecutions: ids.length,
        totalEvents: 5 * ids.length,
      });
    }
  });
});

describe.skipIf(!CAN_RUN_SOURCES)("two processes on one file", () => {
  inFolder("do everything once between them", async (folder) => {
    const path = folder.file("test.db");
    await using provider = await SqliteProvider.open(path);
    const instances = Array.from({ length: 150 }, (_, n) => `i-${n}`);
    await provider.enqueueForOrchestrator(startItem("inbox"));
    await Promise.all(instances.map((id) => provider.enqueueForOrchestrator(startItem(id))));
    const outputs: readonly string[][] = [[], []];
    // As long as one process has done nothing, each instance that the other one begins is followed by a new one.
    const addWhileOneIsIdle = async (line: string): Promise<void> => {
      if (!line.startsWith("StartOrchestration") || outputs.every((lines) => lines.length > 0)) return;
      const id = `i-${instances.length}`;
      instances.push(id);
      await provider.enqueueForOrchestrator(startItem(id));
    };
    await Promise.all(
      outputs.map(async (lines, index) => {
        const child = start("drain", path, `child-${index}`);
        const exited = once(child, "exit");
        for await (const line of createInterface(child.stdout)) {
          lines.push(line);
          await addWhileOneIsIdle(line);
        }
        expect(await exited).toEqual([0, null]);
      }),
    );
    const all = outputs.flat();
    const count = (start: string): number => all.filter((line) => line.startsWith(start)).length;
    const started = ["inbox", ...instances];
    expect(all.filter((line) => line.startsWith("StartOrchestration")).sort()).toEqual(
      started.map((id) => `StartOrchestration ${id}`).sort(),
    );
    expect(new Set(all.filter((line) => line.startsWith("activity"))).size).toBe(3 * started.length);
    expect(count("activity")).toBe(3 * started.length);
    expect(count("ActivityCompleted")).toBe(3 * started.length);
    expect(count("ExternalRaised inbox")).toBe(started.length);
    for (const lines of outputs) expect(lines.length).toBeGreaterThan(0);
    expect(await provider.admin.getQueueDepths()).toMatchObject({
      orchestratorQueue: 0,
      workerQueue: 0,
      timerQueue: 0,
    });
  });
});
