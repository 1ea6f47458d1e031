/** Fetches while physical partitions split, merge, move and throttle (docs/decisions/cosmos-finding-work.md). */
import {
  activity,
  fetchOrchestration,
  fetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import type { TestEndpoint } from "../support/endpoint.ts";
import type { Stage } from "../support/stage.ts";
import { idsIn, partitionedStages, timed } from "./stage.ts";

const given = partitionedStages(4);

/** Both kinds of fetch, with the enqueue of what they find. */
const KINDS = [
  {
    kind: "orchestrations",
    fetch: (stage: Stage, pollTimeoutMs: number) =>
      fetchOrchestration(stage, { pollTimeoutMs }).then((fetched) => fetched?.item.instanceId),
    enqueue: ({ provider }: Pick<Stage, "provider">, id: string) =>
      provider.enqueueForOrchestrator(startItem(id)),
  },
  {
    kind: "activities",
    fetch: (stage: Stage, pollTimeoutMs: number) =>
      fetchWork(stage, { pollTimeoutMs }).then((fetched) => fetched?.item.instance),
    enqueue: ({ provider }: Pick<Stage, "provider">, id: string) =>
      provider.enqueueForWorker(activity(id, 1)),
  },
] as const;

/** Requests to partitions that are gone. */
function gone(): number {
  return given()
    .emulator.requestLog.entries()
    .filter(({ status }) => status === 410).length;
}

/** The number of requests that the first fault of the endpoint has met. */
function delayedIn({ faults }: Pick<TestEndpoint, "faults">): () => number {
  return () => faults.list()[0]?.hits ?? 0;
}

async function fetchAll(
  stage: Stage,
  fetch: (stage: Stage, pollTimeoutMs: number) => Promise<string | undefined>,
  count: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  while (found.size < count) {
    const id = await fetch(stage, 10_000);
    if (id === undefined) break;
    found.add(id);
  }
  return found;
}

describe.each(KINDS)("a fetch of $kind", ({ fetch, enqueue }) => {
  // range-cursors.C2
  it("finds work after a split within two seconds, and asks the partition that is gone once", async () => {
    const { emulator, stage, names } = given();
    const sender = await stage.openAnother();
    await enqueue(sender, "before");
    expect((await timed(stage, fetch(stage, 1_000))).result).toBe("before");
    await emulator.partitions.split({ ...names, range: "2" });
    const before = gone();
    const [id = ""] = await idsIn(stage, "5", 1, "after");
    await enqueue(sender, id);
    const { result, ms } = await timed(stage, fetch(stage, 30_000));
    expect(result).toBe(id);
    expect(ms).toBeLessThanOrEqual(2_000);
    // The queue's own question, and the one for all queues.
    expect(gone() - before).toBeLessThanOrEqual(2);
  });

  it("finds work after a merge within two seconds", async () => {
    const { emulator, stage, names } = given();
    const sender = await stage.openAnother();
    await timed(stage, fetch(stage, 1_000));
    const merged = await emulator.partitions.merge({ ...names, ranges: ["1", "2"] });
    const [id = ""] = await idsIn(stage, merged, 1);
    await enqueue(sender, id);
    const { result, ms } = await timed(stage, fetch(stage, 30_000));
    expect(result).toBe(id);
    expect(ms).toBeLessThanOrEqual(2_000);
  });

  it("goes on in the middle of a backlog of several pages", async () => {
    const { emulator, stage, names } = given();
    const sender = await stage.openAnother();
    const ids = await idsIn(stage, "1", 230);
    for (const id of ids) await enqueue(sender, id);
    const first = await timed(stage, fetchAll(stage, fetch, 120));
    await emulator.partitions.split({ ...names, range: "1" });
    const rest = await timed(stage, fetchAll(stage, fetch, 110));
    expect(new Set([...first.result, ...rest.result])).toEqual(new Set(ids));
    expect(rest.ms).toBeLessThanOrEqual(2_000);
  });

  // range-cursors.C3
  it("begins anew where a continuation is refused", async () => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    const ids = await idsIn(stage, "1", 130);
    for (const id of ids) await enqueue(sender, id);
    emulator.faults.add({
      match: { continued: true },
      next: 2,
      effect: { kind: "error", status: 400, message: "Invalid continuation token" },
    });
    const { result, ms } = await timed(stage, fetchAll(stage, fetch, 130));
    expect(result).toEqual(new Set(ids));
    expect(ms).toBeLessThanOrEqual(2_000);
  });

  it("follows pages that come short or empty", async () => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    const ids = await idsIn(stage, "1", 12);
    for (const id of ids) await enqueue(sender, id);
    emulator.faults.add({ rate: 0.9, effect: { kind: "shortPage" } });
    const { result } = await timed(stage, fetchAll(stage, fetch, 12));
    expect(result).toEqual(new Set(ids));
  });

  // range-cursors.C1
  it("gets the work of three partitions within three seconds while the fourth one always throttles", async () => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    const ids = await Promise.all(["0", "1", "2", "3"].map((range) => idsIn(stage, range, 3)));
    for (const id of ids.flat()) await enqueue(sender, id);
    const [throttled, ...healthy] = ids;
    emulator.faults.add({
      match: { operation: "item.query", range: "0" },
      effect: { kind: "error", status: 429, retryAfterMs: 100 },
    });
    const { result, ms } = await timed(stage, fetchAll(stage, fetch, 9));
    expect(result).toEqual(new Set(healthy.flat()));
    expect(ms).toBeLessThanOrEqual(3_000);
    emulator.faults.clear();
    expect((await timed(stage, fetchAll(stage, fetch, 3))).result).toEqual(new Set(throttled));
  });

  // range-cursors.C1
  it("does not wait for a partition that is slow", async () => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    const [slow = "", healthy = ""] = [...(await idsIn(stage, "0", 1)), ...(await idsIn(stage, "3", 1))];
    for (const id of [slow, healthy]) await enqueue(sender, id);
    const rule = emulator.faults.add({
      match: { operation: "item.query", range: "0" },
      effect: { kind: "delay", delayMs: 600_000 },
    });
    const { result } = await timed(stage, fetch(stage, 30_000), delayedIn(emulator));
    expect(result).toBe(healthy);
    expect(emulator.faults.remove(rule)).toBe(true);
  });

  // range-cursors.C4
  it("has one query under way in a partition that is slow, while the others are queried again", async () => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    emulator.faults.add({
      match: { operation: "item.query", range: "0" },
      effect: { kind: "delay", delayMs: 600_000 },
    });
    const delayed = delayedIn(emulator);
    for (const id of await idsIn(stage, "3", 3)) {
      await enqueue(sender, id);
      expect((await timed(stage, fetch(stage, 30_000), delayed)).result).toBe(id);
    }
    expect(delayed()).toBe(1);
  });

  it("fails as unavailable where no partition answers, once its time is over", async () => {
    const { emulator, stage } = given();
    emulator.faults.add({
      match: { operation: "item.query" },
      effect: { kind: "error", status: 429, retryAfterMs: 100 },
    });
    const failing = timed(
      stage,
      fetch(stage, 5_000).catch((error: unknown) => error),
    );
    expect((await failing).result).toMatchObject({ code: "unavailable" });
  });
});

it.each([1007, 1008])(
  "a partition that answers 410/%i is asked again after its list was read anew",
  async (substatus) => {
    const { emulator, stage } = given();
    const sender = await stage.openAnother();
    await timed(stage, fetchOrchestration(stage));
    const [id = ""] = await idsIn(stage, "1", 1);
    await sender.provider.enqueueForOrchestrator(startItem(id));
    const mark = emulator.requestLog.mark();
    emulator.faults.add({
      match: { operation: "item.query", range: "1" },
      next: 4,
      effect: { kind: "error", status: 410, substatus },
    });
    const { result, ms } = await timed(stage, fetchOrchestration(stage, { pollTimeoutMs: 10_000 }));
    expect(result?.item.instanceId).toBe(id);
    expect(ms).toBeLessThanOrEqual(2_000);
    const { byOperation } = emulator.requestLog.since(mark);
    expect(byOperation.get("partitionKeyRange.list")?.requests).toBe(4);
  },
);
