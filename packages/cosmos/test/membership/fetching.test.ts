/**
 * Tests what membership means for fetches on two physical partitions: a head start of 200 ms for the process whose turn
 * it is, and no more (membership/asked-partitions.ts).
 */
import { randomUUID } from "node:crypto";
import { CosmosClient } from "@azure/cosmos";
import type { FetchedOrchestration, FetchedWork, FetchWorkOptions } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { activity, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Requests as Traffic, UNHURRIED } from "../../../../test/support/stores/requests.ts";
import { messageBody } from "../../src/documents/rows.ts";
import { HEAD_START_MS } from "../../src/memory/waits.ts";
import { commitOf } from "../support/program.ts";
import { labelOf } from "../support/request-label.ts";
import { Fetching } from "./support/fetching.ts";

const LOCK_MS = 30_000;
const ANY_TAG = { kind: "any" } as const;
const COUNT = 24;
/** Each interval of a second is a turn of one of two idle processes at one of two partitions, with a chance of 3 in 4. */
const UNTIL_OWN_TURN_MS = 12_000;
/** The longest interval of queries, which is the duration of a turn. */
const TURN_MS = 1_000;
/** Two of them end before the head start does. */
const EARLY_STEP_MS = 0.45 * HEAD_START_MS;
const NAMES = Array.from({ length: COUNT }, (_, n) => `order-${n}`);

let emulator: CosmosEmulator;
let clock: VirtualClock;
let traffic: Traffic;
let labels: string[];
/** The provider of each delivery, by its place among `opened`. */
let deliverers: number[];
let opened: CosmosProvider[];

beforeEach(async () => {
  // From the present on, because requests carry the true time, and the endpoint refuses what is far off.
  clock = new VirtualClock(Date.now());
  traffic = new Traffic();
  labels = [];
  deliverers = [];
  opened = [];
  emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 2, now: () => clock.now() });
});
afterEach(async () => {
  await Promise.all(opened.map((provider) => provider.close()));
  await emulator[Symbol.asyncDispose]();
});

async function open(): Promise<CosmosProvider> {
  const { connectionString } = emulator;
  const index = opened.length;
  const provider = await CosmosProvider.connectThrough(
    { connectionString, clock, ...UNHURRIED },
    (request, next) => {
      const label = labelOf(request);
      labels.push(label);
      if (label.includes("Create receipt")) deliverers.push(index);
      return traffic.await(next(request));
    },
  );
  opened.push(provider);
  return provider;
}

async function pass(ms: number, stepMs = 100): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await clock.advance(stepMs);
    await traffic.idle();
    await clock.settle();
  }
}

function turns(
  provider: CosmosProvider,
  handle = (fetched: FetchedOrchestration): Promise<unknown> =>
    provider.ackOrchestrationItem(commitOf(fetched, clock.now())),
): Fetching<FetchedOrchestration> {
  const options = { lockTimeoutMs: LOCK_MS, pollTimeoutMs: 30_000 };
  return new Fetching((signal) => provider.fetchOrchestrationItem({ ...options, signal }), handle);
}

function activities(provider: CosmosProvider, more: Partial<FetchWorkOptions> = {}): Fetching<FetchedWork> {
  const options = { lockTimeoutMs: LOCK_MS, pollTimeoutMs: 30_000, tagFilter: ANY_TAG, ...more };
  return new Fetching(
    (signal) => provider.fetchWorkItem({ ...options, signal }),
    ({ lockToken }) => provider.ackWorkItem(lockToken),
  );
}

/** A message that was committed with its sender, and not delivered. */
function undelivered(source: string): object {
  const target = `${source}-target`;
  const nowMs = clock.now();
  const row = {
    id: randomUUID(),
    instanceId: target,
    visibleAtMs: nowMs,
    enqueuedAtMs: nowMs,
    sequence: { writer: "w", number: 0 },
  };
  return {
    id: randomUUID(),
    instanceId: source,
    type: "outbox_intent",
    targetInstanceId: target,
    targetDocumentType: "orch_queue",
    payload: JSON.stringify(messageBody({ ...row, item: startItem(target) })),
    idempotencyKey: `${source}:1:0`,
    status: "pending",
    createdAt: nowMs,
    attemptCount: 0,
    lastAttemptAt: null,
  };
}

describe("two processes of a peer group", () => {
  let sender: CosmosProvider;
  let first: CosmosProvider;
  let second: CosmosProvider;
  let running: Fetching<unknown>[];

  /** Both have asked, and have beaten since the other one joined. */
  beforeEach(async () => {
    [sender, first, second] = [await open(), await open(), await open()];
    running = [turns(first), turns(second), activities(first), activities(second)];
    await pass(25_000);
    for (const each of running) await each.stop();
    running = [];
  });
  afterEach(async () => {
    for (const each of running) await each.stop();
  });

  function run<F>(fetching: Fetching<F>): Fetching<F> {
    running.push(fetching);
    return fetching;
  }

  async function send(): Promise<void> {
    for (const name of NAMES) await sender.enqueueForOrchestrator(startItem(name));
  }

  it("do not try the same starts while one of them has the turn (asked-partitions.AP1)", async () => {
    const [one, other] = [run(turns(first)), run(turns(second))];
    await pass(TURN_MS - (clock.now() % TURN_MS));
    const tried: string[] = [];
    let sent = 0;
    // Who has the turn is drawn anew for each start, and how soon that process queries.
    while (tried.length < COUNT || one.got.length === 0 || other.got.length === 0) {
      labels = [];
      const name = `order-${sent++}`;
      await sender.enqueueForOrchestrator(startItem(name));
      await pass(2 * EARLY_STEP_MS, EARLY_STEP_MS);
      tried.push(...labels.filter((label) => label.startsWith(`query ["${name}"]`)).map(() => name));
      await pass(TURN_MS - 2 * EARLY_STEP_MS, TURN_MS / 2 - EARLY_STEP_MS);
    }
    expect(tried).toEqual([...new Set(tried)]);
    await pass(TURN_MS);
    expect(one.got.length + other.got.length).toBe(sent);
  });

  it("take turns of each other that nobody else takes (asked-partitions.AP1)", async () => {
    const one = run(turns(first));
    await send();
    await pass(UNTIL_OWN_TURN_MS);
    expect(one.got).toHaveLength(COUNT);
  });

  it("take activities of each other that nobody else takes (asked-partitions.AP1)", async () => {
    const one = run(activities(first));
    for (const name of NAMES) await sender.enqueueForWorker(activity(name, 1));
    await pass(UNTIL_OWN_TURN_MS);
    expect(one.got).toHaveLength(COUNT);
  });

  it("take activities of their own sessions, in whatever partition (asked-partitions.AP3)", async () => {
    const session = { ownerId: "worker", lockTimeoutMs: LOCK_MS };
    const toSession = (name: string) => activity(name, 1, { session_id: "s" });
    await sender.enqueueForWorker(toSession("first of the session"));
    const asked = { lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, tagFilter: ANY_TAG, session };
    await first.fetchWorkItem(asked);
    const one = run(activities(first, { session }));
    for (const name of NAMES) await sender.enqueueForWorker(toSession(name));
    await pass(UNTIL_OWN_TURN_MS);
    expect(one.got).toHaveLength(COUNT);
  });

  it("leave to each other first what they have no handler for", async () => {
    const giveBack = ({ lockToken }: FetchedOrchestration): Promise<void> =>
      first.abandonOrchestrationItem(lockToken, { delayMs: 1_000 });
    const [one, other] = [run(turns(first, giveBack)), run(turns(second))];
    // Processes are peers while they ask for the same groups (membership.M4).
    for (const provider of [first, second]) run(activities(provider));
    // In one of four rounds the other process has the turn at both partitions, and takes everything first.
    for (let round = 1; one.got.length === 0; round++) {
      for (const name of NAMES) await sender.enqueueForOrchestrator(startItem(`${name}-${round}`));
      await pass(9_000);
      expect(other.got).toHaveLength(COUNT * round);
    }
    expect(Math.max(...one.got.map(({ attemptCount }) => attemptCount))).toBe(1);
  });

  it("try again what no other process has taken", async () => {
    const [name = ""] = NAMES;
    await sender.enqueueForOrchestrator(startItem(name));
    const one = run(
      turns(first, ({ lockToken }) => first.abandonOrchestrationItem(lockToken, { delayMs: 1_000 })),
    );
    await pass(25_000);
    expect(one.got.map(({ attemptCount }) => attemptCount).slice(0, 2)).toEqual([1, 2]);
  });

  it("do not deliver the same messages of processes that died", async () => {
    await sender.close();
    run(turns(first));
    run(turns(second));
    await pass(2_000);
    deliverers = [];
    const client = new CosmosClient(emulator.connectionString);
    for (const name of NAMES) {
      await client.database("duroxide").container("duroxide").items.create(undelivered(name));
    }
    client.dispose();
    await pass(17_000);
    expect(deliverers).toHaveLength(COUNT);
  });

  it("get everything where they do not wait", async () => {
    await send();
    for (let n = 0; n < COUNT; n++) {
      const fetched = await first.fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0 });
      expect(fetched).toBeDefined();
    }
  });
});
