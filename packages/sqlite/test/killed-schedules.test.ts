/** Two processes fire the same schedules and are killed by turns: every due time runs, and none twice. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { expectSoon } from "../../../test/support/expect-soon.ts";
import { inFolder } from "./support/fixture.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;
const WORKER = fileURLToPath(new URL("./support/schedule-worker.ts", import.meta.url));
const KILLS = IS_DEEP ? 60 : 8;

function start(file: string): ChildProcess {
  const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
  return spawn(process.execPath, [...flags, WORKER, file], { stdio: "ignore" });
}

async function runsOf(client: Client, name: string): Promise<readonly number[]> {
  const { instances } = await client.admin.query({
    filter: { schedule: name, status: ["Completed"] },
    limit: 1_000,
  });
  return instances.map(({ instanceId }) => Date.parse(instanceId.slice(name.length + 1)));
}

describe.skipIf(!CAN_RUN_SOURCES)("schedules of two processes that are killed by turns", () => {
  inFolder("run each due time once", async (folder) => {
    const file = path.join(folder.path, "store.db");
    const processes = [start(file), start(file)];
    try {
      await using provider = await SqliteProvider.open(file);
      const client = new Client(provider);
      await expectSoon(async () => (await client.schedules.list()).length).toBe(5);
      for (let kills = 0; kills < KILLS; kills++) {
        await setTimeout(300 + ((kills * 397) % 1_100));
        processes[kills % 2]?.kill("SIGKILL");
        processes[kills % 2] = start(file);
      }
      const toMs = Math.floor(Date.now() / 1_000) * 1_000;
      for (const { name, createdAtMs } of await client.schedules.list()) {
        const due: number[] = [];
        for (let ms = (Math.floor(createdAtMs / 1_000) + 1) * 1_000; ms <= toMs; ms += 1_000) due.push(ms);
        await expectSoon(async () => {
          const runs = await runsOf(client, name);
          return runs.filter((ms) => ms <= toMs).toSorted((a, b) => a - b);
        }).toEqual(due);
      }
    } finally {
      for (const each of processes) each.kill("SIGKILL");
    }
  });
});
