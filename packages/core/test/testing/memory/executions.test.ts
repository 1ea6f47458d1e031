/** Executions, their histories and versions, and what of them can be damaged (provider contract §6, §9). */
import { describe, expect, test } from "vitest";
import { Bench, code, event, NAMED, raised, range, start, started, version } from "./support.ts";

describe("executions", () => {
  test("are kept apart, and the newest is the current one", async () => {
    const bench = new Bench();
    for (const executionId of [1, 2, 3]) {
      await bench.enqueue(start("a"));
      const { lockToken } = await bench.take();
      await bench.ack(lockToken, { executionId, historyDelta: [started("a", executionId)] });
    }
    for (const id of [1, 2, 3]) expect(await bench.provider.readHistory("a", id)).toEqual([started("a", id)]);
    expect(await bench.provider.readHistory("a")).toEqual([started("a", 3)]);
    expect(await bench.provider.readHistory("a", 9)).toEqual([]);
    expect(await bench.provider.readHistory("nobody")).toEqual([]);
    await bench.turn("a", {
      executionId: 1,
      historyDelta: [event("a", 2, "TimerCreated", { fire_at_ms: 1 })],
    });
    await bench.enqueue(raised("a"));
    expect((await bench.take()).item.executionId).toBe(3);
  });

  test("begin as running, whatever became of the last", async () => {
    const bench = new Bench();
    await bench.create("a");
    await bench.turn("a", { metadata: { status: "ContinuedAsNew", output: "next" } });
    expect(await bench.provider.getInstanceStatus("a")).toMatchObject({
      status: "ContinuedAsNew",
      output: "next",
    });
    await bench.turn("a", { executionId: 2, historyDelta: [started("a", 2)], metadata: NAMED });
    expect(await bench.provider.getInstanceStatus("a")).toMatchObject({
      executionId: 2,
      status: "Running",
      output: null,
    });
    expect(await bench.provider.admin.getExecutionInfo("a", 1)).toMatchObject({ status: "ContinuedAsNew" });
  });

  test("return events field for field, in order of their ids", async () => {
    const bench = new Bench();
    const events = [
      event("a", 7, "TimerFired", { fire_at_ms: 9 }),
      event("a", 3, "TimerCreated", { fire_at_ms: 9 }),
    ];
    await bench.provider.appendHistory("a", 1, events);
    expect(await bench.provider.readHistory("a")).toEqual([...events].reverse());
    await expect(bench.provider.appendHistory("a", 1, [started("a"), ...events])).rejects.toMatchObject(
      code("duplicate-event"),
    );
    expect(await bench.provider.readHistory("a")).toHaveLength(2);
  });
});

describe("the version filter", () => {
  /** Instances that run, each pinned to a version and with a message waiting. */
  const pinned = async (versions: Readonly<Record<string, string>>): Promise<Bench> => {
    const bench = new Bench();
    for (const [id, text] of Object.entries(versions)) {
      await bench.create(id, { metadata: { pinnedVersion: version(text) } });
    }
    for (const id of Object.keys(versions)) await bench.enqueue(raised(id));
    return bench;
  };

  test.each([
    ["1.0.0", true],
    ["1.9.99", true],
    ["2.0.0", false],
    ["0.9.9", false],
    ["1.999.1000", false],
  ])("takes both ends of a range: %s", async (text, expected) => {
    const bench = await pinned({ a: text });
    expect((await bench.fetch({ versions: [range("1.0.0", "1.9.99")] })) !== undefined).toBe(expected);
    expect((await bench.fetch()) === undefined).toBe(expected);
  });

  test("takes any of several ranges, and neither locks nor counts what lies between them", async () => {
    const bench = await pinned({ two: "2.0.0", three: "3.0.0" });
    const versions = [range("1.0.0", "1.0.0"), range("3.0.0", "3.0.0")];
    expect(await bench.fetch({ versions: [] })).toBeUndefined();
    expect((await bench.take({ versions })).item.instanceId).toBe("three");
    expect(await bench.fetch({ versions })).toBeUndefined();
    expect(await bench.take()).toMatchObject({ item: { instanceId: "two" }, attemptCount: 1 });
  });

  test("looks at the current execution, whose pin the last word on it decides", async () => {
    const bench = await pinned({ a: "1.0.0" });
    await bench.turn("a");
    await bench.turn("a", { metadata: { pinnedVersion: version("1.5.0") } });
    await bench.enqueue(raised("a"));
    expect(await bench.fetch({ versions: [range("1.0.0", "1.0.0")] })).toBeUndefined();
    await bench.turn("a", { executionId: 2 });
    await bench.enqueue(raised("a"));
    expect((await bench.take({ versions: [range("9.0.0", "9.0.0")] })).item.executionId).toBe(2);
  });

  test("lets an instance pass that has not begun", async () => {
    const bench = new Bench();
    await bench.enqueue(start("a"));
    expect(await bench.fetch({ versions: [range("99.0.0", "99.0.0")] })).toBeDefined();
  });
});

describe("a damaged history", () => {
  test("is reported to the holder of the lock, counted, and never shortened", async () => {
    const bench = new Bench();
    await bench.create("a", {
      metadata: { ...NAMED, pinnedVersion: version("99.0.0") },
      orchestratorItems: [raised("a")],
    });
    bench.provider.corruptHistory("a");
    expect(await bench.fetch({ versions: [range("1.0.0", "2.0.0")] })).toBeUndefined();
    for (const attempt of [1, 2]) {
      const { item, attemptCount, lockToken } = await bench.take();
      expect([item.history, typeof item.historyError, attemptCount]).toEqual([[], "string", attempt]);
      await bench.provider.abandonOrchestrationItem(lockToken);
    }
    expect(bench.provider.highestAttemptCount("a")).toBe(2);
    await expect(bench.provider.readHistory("a")).rejects.toMatchObject(code("corrupt-data"));
    await expect(bench.provider.readHistory("a", 1)).rejects.toMatchObject(code("corrupt-data"));
    await expect(bench.provider.getInstanceStats("a")).rejects.toMatchObject(code("corrupt-data"));
  });

  test("can still be ended", async () => {
    const bench = new Bench();
    await bench.create("a", { orchestratorItems: [raised("a")] });
    bench.provider.corruptHistory("a");
    const { lockToken } = await bench.take();
    const details = { Infrastructure: { operation: "x", message: "y", retryable: false } };
    await bench.ack(lockToken, {
      historyDelta: [event("a", 99_999, "OrchestrationFailed", { details })],
      metadata: { status: "Failed", output: "poison" },
    });
    expect(await bench.provider.getInstanceStatus("a")).toMatchObject({
      status: "Failed",
      output: "poison",
      failure: details,
    });
  });
});
