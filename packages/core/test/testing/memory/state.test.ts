/** KV, custom status and stats (provider contract §13, §14). */
import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../../src/wire/event.ts";
import { Bench, event, NAMED, raised, start, started } from "./support.ts";

/** Event ids that no other turn of the test uses. */
let lastId = 1;
const set = (key: string, value: string) =>
  event("a", ++lastId, "KeyValueSet", { key, value, last_updated_at_ms: 7 });
const clear = (key: string) => event("a", ++lastId, "KeyValueCleared", { key });
const clearAll = () => event("a", ++lastId, "KeyValuesCleared", {});

/** Each list is a turn; `|` between them ends an execution. */
async function kvAfter(
  ...turns: (readonly HistoryEvent[] | "|")[]
): Promise<{ bench: Bench; all: object; snapshot: object }> {
  const bench = new Bench();
  await bench.create("a");
  let executionId = 1;
  for (const turn of turns) {
    if (turn === "|") {
      await bench.turn("a", { executionId, metadata: { status: "ContinuedAsNew" } });
      await bench.turn("a", {
        executionId: ++executionId,
        historyDelta: [started("a", executionId)],
        metadata: NAMED,
      });
    } else await bench.turn("a", { executionId, historyDelta: turn });
  }
  const all = Object.fromEntries(await bench.provider.getKvAllValues("a"));
  await bench.enqueue(raised("a"));
  const { kvSnapshot } = (await bench.take()).item;
  return {
    bench,
    all,
    snapshot: Object.fromEntries([...kvSnapshot].map(([key, { value }]) => [key, value])),
  };
}

describe("KV", () => {
  test.each<[string, (readonly HistoryEvent[] | "|")[], object, object]>([
    ["of the running execution is for clients only", [[set("k", "1")]], { k: "1" }, {}],
    ["of finished executions is in the snapshot", [[set("k", "1")], "|"], { k: "1" }, { k: "1" }],
    [
      "is overwritten",
      [[set("k", "1"), set("j", "1")], "|", [set("k", "2")]],
      { k: "2", j: "1" },
      { k: "1", j: "1" },
    ],
    ["is removed", [[set("k", "1")], "|", [clear("k")]], {}, { k: "1" }],
    ["stays removed", [[set("k", "1")], "|", [clear("k")], "|"], {}, {}],
    ["is set again", [[set("k", "1")], "|", [clear("k")], "|", [set("k", "3")]], { k: "3" }, {}],
    [
      "is cleared, in event order",
      [[set("k", "1"), set("j", "1")], "|", [clearAll(), set("x", "")]],
      { x: "" },
      { k: "1", j: "1" },
    ],
    ["of unknown keys is cleared without harm", [[clear("none")], "|"], {}, {}],
    ["has any key", [[set("a/b c.漢😀", "1")]], { "a/b c.漢😀": "1" }, {}],
  ])("%s", async (_what, turns, all, snapshot) => {
    expect(await kvAfter(...turns)).toMatchObject({ all, snapshot });
    expect((await kvAfter(...turns)).all).toEqual(all);
  });

  test("keeps the time of its event", async () => {
    const { bench } = await kvAfter([set("k", "1")], "|");
    await bench.clock.advance(60_000);
    expect((await bench.take()).item.kvSnapshot.get("k")).toEqual({ value: "1", lastUpdatedAtMs: 7 });
  });

  test("belongs to its instance", async () => {
    const { bench } = await kvAfter([set("k", "1")]);
    expect(await bench.provider.getKvValue("a", "k")).toBe("1");
    expect(await bench.provider.getKvValue("a", "j")).toBeUndefined();
    expect(await bench.provider.getKvValue("b", "k")).toBeUndefined();
    expect(await bench.provider.getKvAllValues("b")).toEqual(new Map());
  });
});

test("custom status: the last of a turn decides, and counts once", async () => {
  const bench = new Bench();
  const status = (id: number, text: string | null) => event("a", id, "CustomStatusUpdated", { status: text });
  await bench.create("a");
  expect(await bench.provider.getCustomStatus("a", 0)).toBeUndefined();
  await bench.turn("a", { historyDelta: [status(2, "lost"), status(3, "x")] });
  expect(await bench.provider.getCustomStatus("a", 0)).toEqual({ status: "x", version: 1 });
  await bench.turn("a");
  expect(await bench.provider.getCustomStatus("a", 1)).toBeUndefined();
  await bench.turn("a", { executionId: 2, historyDelta: [status(4, null)] });
  expect(await bench.provider.getCustomStatus("a", 1)).toEqual({ status: null, version: 2 });
  expect(await bench.provider.getInstanceStatus("a")).toMatchObject({
    customStatus: null,
    customStatusVersion: 2,
  });
  expect(await bench.provider.getCustomStatus("nobody", 0)).toBeUndefined();
});

test("stats are of the current execution, KV of both layers", async () => {
  const bench = new Bench();
  await bench.enqueue(start("a"));
  const { lockToken } = await bench.take();
  const first = started("a", 1, {
    carry_forward_events: [
      ["q", "1"],
      ["q", "ü"],
    ],
  });
  await bench.ack(lockToken, { historyDelta: [first], metadata: NAMED });
  await bench.turn("a", { historyDelta: [set("k", "ü"), set("j", "12345")] });
  const stats = await bench.provider.getInstanceStats("a");
  expect(stats).toMatchObject({
    historyEventCount: 3,
    queuePendingCount: 2,
    kvUserKeyCount: 2,
    kvTotalValueBytes: 7,
  });
  expect(stats?.historySizeBytes).toBeGreaterThan(300);
  expect(await bench.provider.getInstanceStats("nobody")).toBeUndefined();
});
