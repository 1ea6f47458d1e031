/** Tests what fetches send while the instance of a waiting message is locked: every query lists its message. */
import { sleep } from "@duroxide-ts/core";
import { fetchOrchestration, mustFetch, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { timed } from "./partitions/stage.ts";
import { type Actor, LOCK_MS, type Stage } from "./support/stage.ts";
import { begin } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("held-elsewhere");

const POLL_MS = 10_000;
/** Two queries a second for work, and a read of the partition with each second one; fewer are made. */
const MOST_REQUESTS = 60;

/** The holder of a turn with a message, and another process. */
async function held(): Promise<{ readonly lockToken: string; readonly other: Stage & Actor }> {
  await begin(stage, "a");
  await stage.provider.enqueueForOrchestrator(raised("a", "x"));
  const { lockToken } = await mustFetch(stage);
  return { lockToken, other: { ...stage, ...(await stage.openAnother()) } };
}

// candidates.CA3
it("another process that waits asks about once a second, and so does the holder", async () => {
  const { other } = await held();
  for (const waiting of [other, stage]) {
    waiting.trap.set(undefined);
    const { result } = await timed(waiting, fetchOrchestration(waiting, { pollTimeoutMs: POLL_MS }));
    expect(result).toBeUndefined();
    expect(waiting.trap.labels.length).toBeLessThan(MOST_REQUESTS);
  }
});

it("another process takes over when the lock is over", async () => {
  const { other } = await held();
  const { result, ms } = await timed(other, mustFetch(other, { pollTimeoutMs: 2 * LOCK_MS }));
  expect(result.item.instanceId).toBe("a");
  expect(ms).toBeLessThanOrEqual(LOCK_MS + 1_000);
});

it("another process finds within a second and a half what the holder gives back", async () => {
  const { lockToken, other } = await held();
  const fetch = mustFetch(other, { pollTimeoutMs: 2 * LOCK_MS });
  await timed(other, sleep(stage.clock, 5_000));
  await stage.provider.abandonOrchestrationItem(lockToken);
  const { ms } = await timed(other, fetch);
  expect(ms).toBeLessThanOrEqual(1_500);
});
