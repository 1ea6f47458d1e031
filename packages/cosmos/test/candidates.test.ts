/** Tests what a process reads while it has nothing to do (docs/decisions/cosmos-turns.md). */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  raised,
  semver,
  versions,
} from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IdlePoll } from "../src/fetching/idle-poll.ts";
import { alone, type QueueName } from "../src/fetching/membership/members.ts";
import type { Work } from "../src/memory/parts.ts";
import type { Page } from "../src/service/pages.ts";
import { LOCK_MS, openStage, START_MS, type Stage } from "./support/stage.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await CosmosEmulator.start({ port: 0 });
});
afterAll(() => emulator[Symbol.asyncDispose]());

/** Advances the clock in steps, so that each woken fetch sends its requests. */
async function pass({ clock, trap }: Stage, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 500) {
    await clock.advance(500);
    await trap.idle();
  }
}

it("an instance of a version that is not supported is looked at once in ten seconds", async () => {
  const { connectionString } = emulator;
  await using stage = await openStage({ connectionString, container: "unsupported" }, START_MS);
  await createInstance(stage, "old", { metadata: { pinnedVersion: semver("0.1.32") } });
  await stage.provider.enqueueForOrchestrator(raised("old", "poke"));
  const stop = new AbortController();
  const supportedVersions = versions("9.0.0", "9.9.9");
  const fetch = fetchOrchestration(stage, { pollTimeoutMs: 60_000, supportedVersions, signal: stop.signal });
  stage.trap.set(undefined);
  const looks = () => stage.trap.labels.filter((label) => label.startsWith('query ["old"]')).length;
  await pass(stage, 9_000);
  expect(looks()).toBe(1);
  await pass(stage, 3_000);
  expect(looks()).toBe(2);
  expect(await fetchOrchestration(stage)).toMatchObject({ item: { instanceId: "old" } });
  stop.abort();
  await fetch;
});

// candidates.CA1
it("a page of which nothing can be had is followed by the next one at once", async () => {
  const { connectionString } = emulator;
  await using stage = await openStage({ connectionString, container: "pages" }, START_MS);
  const owner = { ...stage, ...(await stage.openAnother()) };
  const waiting = Array.from({ length: 121 }, (_, n) => activity("a", n + 1, { session_id: "s" }));
  for (const item of waiting) await owner.provider.enqueueForWorker(item);
  await fetchWork(owner, { session: { ownerId: "owner", lockTimeoutMs: LOCK_MS } });
  await stage.clock.advance(1);
  await owner.provider.enqueueForWorker(activity("b", 1));
  const session = { ownerId: "another", lockTimeoutMs: LOCK_MS };
  const fetched = await fetchWork(stage, { pollTimeoutMs: 60_000, session });
  expect(fetched).toMatchObject({ item: { instance: "b" } });
});

/** An idle process's poll of its queues; the pages of both physical partitions have these rows. */
function quietLookAt(page: Page<string>) {
  const clock = new VirtualClock(START_MS);
  const shared = { scan: async () => page };
  const asked: string[] = [];
  const woken: string[] = [];
  const idlePoll = new IdlePoll(new AbortController().signal, {
    members: { ...alone, noteAsked: ({ queue }) => void asked.push(queue) },
    pollIntervalMs: { min: 20, max: 1_000 },
  });
  const add = (queue: QueueName, isIdle: boolean): void =>
    idlePoll.add({
      group: { queue, asks: "all" },
      candidates: { isIdle, postpone() {}, resumePolling: () => void woken.push(queue) },
      waiting: { notify() {} },
    });
  const known = Promise.resolve(["0", "1"]);
  const work = { clock, ranges: { known }, untilMs: START_MS, within: () => shared } as unknown as Work;
  const look = () => idlePoll.look(work);
  return { add, look, asked, woken };
}

// idle-poll.QL1
it("a queue that is busy is not asked for while another one is quiet", async () => {
  const { add, look, asked } = quietLookAt({ results: [], continuation: undefined });
  add("orch_queue", true);
  add("worker_queue", false);
  await look();
  await look();
  expect(asked).toEqual(["orch_queue"]);
});

// idle-poll.QL2
it.each([
  ["of which there are more pages wakes every queue", "more", ["orch_queue", "worker_queue"]],
  ["that is all wakes the queue of its rows", undefined, ["worker_queue"]],
])("a page %s", async (_, continuation, expected) => {
  const { add, look, woken } = quietLookAt({ results: ["worker_queue"], continuation });
  add("orch_queue", true);
  add("worker_queue", true);
  await look();
  expect(woken).toEqual(expected);
});
