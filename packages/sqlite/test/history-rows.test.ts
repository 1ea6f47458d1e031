/** A row of a history has events with consecutive ids (storing/add-events.ts). */
import { createInstance, scheduled } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { runs, SEED } from "../../../test/support/effort.ts";
import { SeededRandom } from "../../../test/support/seeded-random.ts";
import { onFile, openFile } from "./support/fixture.ts";

const ROWS = "SELECT event_id, event_count FROM history ORDER BY event_id";

describe("the events of a turn", () => {
  onFile("are one row where their ids follow each other", async (store) => {
    await store.provider.appendHistory(
      "i",
      1,
      [1, 2, 3, 7, 8].map((id) => scheduled("i", id)),
    );
    const rows = store.openRaw().prepare(ROWS).all();
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { event_id: 1, event_count: 3 },
      { event_id: 7, event_count: 2 },
    ]);
  });

  onFile("are several rows where their texts are long", async (store) => {
    const events = Array.from({ length: 400 }, (_, n) => scheduled("i", n + 1));
    await store.provider.appendHistory("i", 1, events);
    const rows = store
      .openRaw()
      .prepare("SELECT max(length(event)) AS longest, count(*) AS rows FROM history");
    const { longest, rows: count } = rows.get() ?? {};
    expect(Number(count)).toBeGreaterThan(1);
    expect(Number(longest)).toBeLessThan(20_000);
    expect(await store.provider.readHistory("i")).toEqual(events);
  });
});

it("events that come in any order are read by their ids, and none is stored twice (add-events.AE1)", async () => {
  const random = new SeededRandom(SEED);
  for (let n = 0; n < runs(50); n++) {
    await using store = await openFile();
    await createInstance(store, "i");
    const stored = new Set([1]);
    for (const ids of batches(random)) {
      const isNew = ids.every((id) => !stored.has(id)) && new Set(ids).size === ids.length;
      const appended = store.provider.appendHistory(
        "i",
        1,
        ids.map((id) => scheduled("i", id)),
      );
      if (!isNew) {
        await expect(appended).rejects.toMatchObject({ code: "duplicate-event" });
        continue;
      }
      await appended;
      for (const id of ids) stored.add(id);
    }
    const expected = [...stored].sort((a, b) => a - b);
    const events = await store.provider.readHistory("i", 1);
    expect(events.map(({ event_id }) => event_id)).toEqual(expected);
    const stats = await store.provider.getInstanceStats("i");
    expect(stats?.historyEventCount).toBe(expected.length);
    const [execution] = await store.provider.admin.listExecutions("i");
    expect(execution?.eventCount).toBe(expected.length);
    const { eventsDeleted } = await store.provider.admin.deleteInstance("i", { force: true });
    expect(eventsDeleted).toBe(expected.length);
  }
});

/** Runs of ids, some of which overlap earlier ones. */
function batches(random: SeededRandom): readonly (readonly number[])[] {
  return Array.from({ length: 6 }, () => {
    const first = 1 + Math.floor(random.next() * 30);
    const ids = Array.from({ length: 1 + Math.floor(random.next() * 6) }, (_, n) => first + n);
    return random.next() < 0.3 ? random.shuffled(ids) : ids;
  });
}
