/** Events are stored in the order of their commits (schema 8, docs/decisions/0055). */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  ack,
  createInstance,
  fetchOrchestration,
  raised,
  scheduled,
  started,
  turn,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { initialSchema } from "../src/schema/0001-initial.ts";
import { orderTimeSchema } from "../src/schema/0002-order-time.ts";
import { blockedWorkSchema } from "../src/schema/0003-blocked-work.ts";
import { messageIdsSchema } from "../src/schema/0004-message-ids.ts";
import { childStartsSchema } from "../src/schema/0005-child-starts.ts";
import { queriesSchema } from "../src/schema/0006-queries.ts";
import { suspendedSchema } from "../src/schema/0007-suspended.ts";
import { callerOf, openFile, temporaryFolder } from "./support/fixture.ts";

const VERSION_7 = [
  initialSchema,
  orderTimeSchema,
  blockedWorkSchema,
  messageIdsSchema,
  childStartsSchema,
  queriesSchema,
  suspendedSchema,
].join(";\n");

/** A file of version 7: instances of one execution each, but "b" is in its second. */
function writeVersion7(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`${VERSION_7}; PRAGMA application_id = 1685615731; PRAGMA user_version = 7;
    INSERT INTO instances (instance_key, instance_id, orchestration_name, orchestration_version, execution_id,
      last_event_id, history_tag, created_at, updated_at)
    VALUES (1, 'a', 'TestOrch', '1.0.0', 1, 12, 'tag', 0, 0), (2, 'b', 'TestOrch', '1.0.0', 2, 1, 'tag', 0, 0);
    INSERT INTO executions (instance_key, execution_id, status, started_at)
    VALUES (1, 1, 'Running', 0), (2, 1, 'ContinuedAsNew', 0), (2, 2, 'Running', 0);
    UPDATE totals SET instances = 2, running = 2, executions = 3, events = 15`);
  const add = db.prepare("INSERT INTO history VALUES (?, ?, ?, ?)");
  for (let id = 12; id >= 2; id--) add.run(1, 1, id, JSON.stringify(scheduled("a", id)));
  add.run(2, 2, 1, JSON.stringify(started("b", 2)));
  add.run(2, 1, 2, JSON.stringify(scheduled("b", 2)));
  add.run(2, 1, 1, JSON.stringify(started("b")));
  add.run(1, 1, 1, JSON.stringify(started("a")));
  db.close();
}

describe("a file of schema version 7", () => {
  it("keeps its histories, and goes on with them", async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    writeVersion7(path);
    await using provider = await SqliteProvider.open(path);
    const caller = callerOf(provider);
    const idsOf = async (id: string, execution?: number) =>
      (await provider.readHistory(id, execution)).map((event) => `${event.execution_id}/${event.event_id}`);
    const stored = Array.from({ length: 12 }, (_, n) => `1/${n + 1}`);
    expect(await idsOf("a")).toEqual(stored);
    expect(await idsOf("b", 1)).toEqual(["1/1", "1/2"]);
    const { item } = await turn(caller, "a", { historyDelta: [scheduled("a", 13)] });
    expect(item.history).toHaveLength(12);
    const { item: second } = await turn(caller, "b", { historyDelta: [scheduled("b", 2, 2)] });
    expect(second.history).toHaveLength(1);
    expect(await idsOf("a")).toEqual([...stored, "1/13"]);
    expect(await idsOf("b")).toEqual(["2/1", "2/2"]);
    const again = provider.appendHistory("a", 1, [scheduled("a", 13)]);
    await expect(again).rejects.toMatchObject({ code: "duplicate-event" });
    expect(await provider.admin.getSystemMetrics()).toMatchObject({ totalEvents: 17 });
    expect(await provider.admin.deleteInstance("a", { force: true })).toMatchObject({ eventsDeleted: 13 });
    expect(await idsOf("b", 1)).toEqual(["1/1", "1/2"]);
  });
});

describe("a commit", () => {
  it("writes few pages of history, however many instances have a turn in it", async () => {
    await using store = await openFile();
    const ids = Array.from({ length: 100 }, (_, n) => `instance-${n}`);
    for (const id of ids) {
      const historyDelta = Array.from({ length: 20 }, (_, n) => scheduled(id, n + 2));
      await createInstance(store, id, { historyDelta });
    }
    await Promise.all(ids.map((id) => store.provider.enqueueForOrchestrator(raised(id, "poke"))));
    const fetched = await Promise.all(ids.map(() => fetchOrchestration(store)));
    const turns = fetched.filter((each) => each !== undefined);
    expect(turns).toHaveLength(100);
    const raw = store.openRaw();
    raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    await Promise.all(
      turns.map((each) => ack(store, each, { historyDelta: [scheduled(each.item.instanceId, 22)] })),
    );
    const pages = Math.floor(statSync(`${store.path}-wal`).size / 2_048);
    // One page for each history, and more for its index, would be above 100.
    expect(pages).toBeLessThan(70);
  });
});
