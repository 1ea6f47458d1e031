/** An import whose process is killed behind any of its writes: the next import completes it, and no worker runs it. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Runtime, silentLogger } from "@duroxide-ts/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { type OpenStore, openStore } from "../../src/store/open-store.ts";
import {
  type InstanceRecord,
  parseRecord,
  readRecord,
  recordLine,
} from "../../src/transfer/instance-record.ts";
import { type Desk, IDS, onEachStore } from "../support/desk.ts";
import { ACTIVITIES, ORCHESTRATIONS } from "../support/programs.ts";
import { type Run, runProcess } from "../support/run-process.ts";

const CONFIG = path.join(import.meta.dirname, "..", "support", "dying-store.ts");

/** Its three executions take these writes: a start, its fetch, the placeholder, and one commit each. */
const RUNNING = IDS.failed;
const WRITES = 6;
/**
 * The first write comes last, because a later import would complete its start. The lock of a fetch is waited for, so the
 * kill behind it is left to the deep run.
 */
const KILLS = IS_DEEP ? [5, 4, 3, 2, 1] : [5, 4, 3, 1];

const idAfter = (kill: number): string => `killed-${kill}`;

describe("an import that is killed", () => {
  onEachStore((desk) => {
    let target: OpenStore;
    let line: string;

    beforeAll(async () => {
      target = await openTarget(desk());
      await beginTwice(desk(), RUNNING);
      line = recordLine(await readRecord(desk(), RUNNING));
    });
    afterAll(async () => target.close());

    /** The instance of the export under an id for this kill. */
    const fileFor = async (kill: number): Promise<string> => {
      const file = `${idAfter(kill)}.jsonl`;
      const record = renamed(parseRecord(line, 1), idAfter(kill));
      await writeFile(path.join(desk().folder, file), `${recordLine(record)}\n`);
      return file;
    };

    const importInto = (file: string, words: readonly string[] = ["--yes", "-o", "json"]): Promise<Run> =>
      desk().cli(["import", file, ...words], { env: { DUROXIDE_STORE: nameOf(desk()) } });

    const killedImport = async (file: string, kill: number): Promise<Run> =>
      runProcess(["import", file, "--yes", "--config", CONFIG], {
        folder: desk().folder,
        env: {
          COSMOSDB_KEY: desk().env["COSMOSDB_KEY"] ?? "",
          DYING_STORE: nameOf(desk()),
          DIE_AFTER: `${kill}`,
        },
      });

    it("leaves nothing that a worker runs, and is completed by the next import", async () => {
      for (const kill of KILLS) {
        const { code, stderr } = await killedImport(await fileFor(kill), kill);
        expect({ kill, code, stderr }).toEqual({ kill, code: null, stderr: "" });
      }
      await runUntilBlocked(desk(), target, idAfter(1));
      for (const kill of KILLS) {
        const { executions } = await readRecord(target, idAfter(kill)).catch(() => ({ executions: [] }));
        const whole = renamed(parseRecord(line, 1), idAfter(kill)).executions;
        expect(executions.filter((events) => events.length > 0)).toEqual(
          whole.slice(0, Math.max(0, kill - 3)),
        );
      }

      for (const kill of KILLS) {
        const file = await fileFor(kill);
        const plan = await importInto(file, ["--dry-run", "-o", "json"]);
        expect(JSON.parse(plan.stdout)).toEqual({ stored: 1, existing: 0, suspended: 1 });
        const rest = await importInto(file);
        expect(rest).toMatchObject({ code: 0, stderr: "" });
        expect(JSON.parse(rest.stdout)).toEqual({ stored: 1, existing: 0, suspended: 1 });
        expect(recordLine(renamed(await readRecord(target, idAfter(kill)), RUNNING))).toBe(line);
        const info = await target.client.admin.info(idAfter(kill));
        expect(info).toMatchObject({
          orchestrationName: "checkout",
          status: "Running",
          suspended: { reason: "imported", by: "duroxide import" },
        });
      }
    });

    it("has stored the instance when its last write is", async () => {
      const file = await fileFor(WRITES);
      expect(await killedImport(file, WRITES)).toMatchObject({ code: null });
      const again = await importInto(file);
      expect(JSON.parse(again.stdout)).toEqual({ stored: 0, existing: 1, suspended: 0 });
      expect(await target.client.admin.info(idAfter(WRITES))).toMatchObject({
        suspended: { reason: "imported" },
      });
    });

    it("is refused the completion from another file", async () => {
      const id = "of-two-files";
      const record = renamed(parseRecord(line, 1), id);
      const file = `${id}.jsonl`;
      await writeFile(path.join(desk().folder, file), `${recordLine(record)}\n`);
      expect(await killedImport(file, WRITES - 1)).toMatchObject({ code: null });
      const other = { instanceId: id, executions: record.executions.slice(1) };
      await writeFile(path.join(desk().folder, file), `${recordLine(other)}\n`);
      const refused = await importInto(file);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("of-two-files is half imported from another file");
    });
  });
});

function renamed({ executions }: InstanceRecord, id: string): InstanceRecord {
  const ofIt = executions.map((events) => events.map((event) => ({ ...event, instance_id: id })));
  return { instanceId: id, executions: ofIt };
}

/** Gives the instance a history of three executions, of which the last one runs. */
async function beginTwice({ client: { admin } }: Desk, id: string): Promise<void> {
  await admin.retry(id);
  await admin.terminate(id, { reason: "again" });
  await admin.retry(id);
}

function nameOf({ kind, folder, env }: Desk): string {
  return kind === "sqlite"
    ? `sqlite:${path.join(folder, "imported.db")}`
    : (env["DUROXIDE_STORE"] ?? "").replace(/[^/]+$/, "imported");
}

function openTarget(desk: Desk): Promise<OpenStore> {
  const { folder, env } = desk;
  const source = { named: nameOf(desk), environment: env, folder, config: { file: undefined } };
  return openStore({ ...source, logger: silentLogger }, "create");
}

/** Runs the store until a worker has fetched the start of an import that was killed, and blocked it. */
async function runUntilBlocked(desk: Desk, { provider, client }: OpenStore, id: string): Promise<void> {
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: ORCHESTRATIONS,
    activities: ACTIVITIES,
    logger: silentLogger,
  });
  await desk.until(async () => {
    for await (const { instanceId } of client.admin.blocked()) if (instanceId === id) return true;
    return false;
  });
}
