/** `duroxide dead-letters`: a row that no process could read is shown, put back, and deleted. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { raised, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { putForeignRows } from "../../../../test/support/stores/foreign-rows.ts";
import { type Desk, onEachStore } from "../support/desk.ts";

const UNREADABLE = '{"Unheard":{"text":"of"}}';

onEachStore(
  (desk) => {
    it("are listed, shown, put back where a process takes them again, and deleted", async () => {
      await storeUnreadable(desk());
      await setAside(desk());
      const id = await onlyId(desk());
      expect(await desk().json(["doctor"])).toContainEqual({
        level: "warn",
        text: "1 dead letter",
        next: "duroxide dead-letters list",
      });
      const shown = await desk().cli(["dead-letters", "show", id]);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toMatch(/^instance +a$/m);
      expect(shown.stdout).toMatch(/^reason +.*Unheard/m);
      expect(shown.stdout).toContain(UNREADABLE);

      const requeued = await desk().cli(["dead-letters", "requeue", id, "--yes"]);
      expect(requeued.code).toBe(0);
      expect(requeued.stdout).toContain("is back in its queue");
      expect(await desk().json(["dead-letters", "list"])).toEqual([]);
      expect(await desk().json(["queues", "--rows"])).toMatchObject([
        { instanceId: "a", item: "unreadable" },
      ]);

      await setAside(desk());
      const dropped = await desk().cli(["dead-letters", "drop", await onlyId(desk()), "--yes"]);
      expect(dropped.code).toBe(0);
      expect(dropped.stdout).toContain("is deleted");
      expect(await desk().json(["dead-letters", "list"])).toEqual([]);
      expect(await desk().json(["queues", "--rows"])).toEqual([]);
    });
  },
  { empty: true },
);

async function onlyId(desk: Desk): Promise<string> {
  const { stdout } = await desk.cli(["dead-letters", "list", "-o", "ids"]);
  const [id = "", ...more] = stdout.trimEnd().split("\n");
  expect(more).toEqual([]);
  return id;
}

/** A message as another writer may have stored it. */
async function storeUnreadable(desk: Desk): Promise<void> {
  if (desk.kind === "sqlite") return storeInFile(path.join(desk.folder, "store.db"), desk);
  const { DUROXIDE_STORE = "", COSMOSDB_KEY = "" } = desk.env;
  const { origin: endpoint } = new URL(DUROXIDE_STORE.replace(/^cosmos:/, ""));
  const place = { endpoint, key: COSMOSDB_KEY, database: "duroxide", container: "duroxide" };
  await putForeignRows(place, ["a"], UNREADABLE);
}

async function storeInFile(file: string, { provider }: Desk): Promise<void> {
  await provider.enqueueForOrchestrator(startItem("a"));
  await provider.enqueueForOrchestrator(raised("a", "go"));
  const raw = new DatabaseSync(file);
  raw.prepare("UPDATE orchestrator_queue SET work_item = ? WHERE work_item LIKE '%go%'").run(UNREADABLE);
  raw.prepare("DELETE FROM orchestrator_queue WHERE work_item <> ?").run(UNREADABLE);
  raw.close();
}

/** A fetch takes the row, cannot read it, and puts it aside. */
async function setAside({ provider, client, until }: Desk): Promise<void> {
  await until(async () => {
    await provider.fetchOrchestrationItem({ lockTimeoutMs: 30_000, pollTimeoutMs: 0 });
    return (await client.admin.deadLetters()).deadLetters.length === 1;
  });
}
