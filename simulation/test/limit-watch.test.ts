/** Limits that are exceeded are seen, where no fault excuses it. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { PERMIT_TAG } from "@duroxide-ts/core/stores";
import { expect, it } from "vitest";
import { overfull, wrongDebounce } from "../checks/held-starts.ts";
import { LimitWatch } from "../checks/limit-watch.ts";
import type { Run } from "../programs/ledger.ts";
import type { Stored } from "../store/simulated-store.ts";
import type { Machine } from "../world/machine.ts";
import { newWorld } from "./new-world.ts";

const LEASE_MS = 2_000;
const RULES = {
  "two/*": { concurrency: 1 },
  two: { concurrency: 2 },
  rate: { rate: { max: 2, per: { seconds: 1 } } },
} as const;

const world = newWorld();
const [a, b] = [world.machine("a"), world.machine("b")];

function given(sureMs = Number.POSITIVE_INFINITY): { readonly watch: LimitWatch; readonly seen: string[] } {
  const seen: string[] = [];
  const watch = new LimitWatch({
    rules: RULES,
    leaseMs: LEASE_MS,
    sureMs,
    onViolation: (violation) => seen.push(violation),
  });
  return { watch, seen };
}

function run(key: string, limit: string, machine: Machine, atMs: number): Run {
  return { key, limit, session: undefined, attempt: 1, machine, atMs: world.nowMs + atMs };
}

it("limit-watch.L1: sees more handlers at a level than its rule lets, of both levels of a key", () => {
  const { watch, seen } = given();
  const first = run("i:1:2", "two/a", a, 0);
  watch.began(first);
  watch.began(run("i:1:3", "two/a", b, 10));
  expect(seen).toEqual(["limit two/a: i:1:2 in a, i:1:3 in b run at once"]);
  watch.began(run("i:1:4", "two/b", b, 10));
  expect(seen[1]).toContain("limit two: ");
  watch.ended(first);
  watch.began(run("i:1:5", "three", b, 20));
  expect(seen).toHaveLength(2);
});

it("limit-watch.L1: does not count handlers whose process has died, or may have lost the lock", () => {
  const dead = world.machine("dead");
  const { watch, seen } = given(LEASE_MS / 10);
  watch.began(run("i:1:2", "two/a", dead, 0));
  dead.kill();
  watch.began(run("i:1:3", "two/a", a, 10));
  watch.began(run("i:1:4", "two/a", b, LEASE_MS));
  expect(seen).toEqual([]);
});

it("limit-watch.L2: sees more begins in a period than the rate lets", () => {
  const { watch, seen } = given();
  for (const atMs of [0, 400, 1_000, 1_400]) watch.began(run(`i:1:${atMs}`, "rate", a, atMs));
  expect(seen).toEqual([]);
  watch.began(run("i:1:9", "rate", b, 1_500));
  expect(seen).toEqual(["limit rate: i:1:9 is number 3 that began in a period"]);
});

it("held-starts.H1: sees more instances with a permit than the rule lets", () => {
  const started = { type: "OrchestrationStarted", limit: "two/a", event_id: 1 };
  const asked = { type: "ActivityScheduled", tag: PERMIT_TAG, event_id: 2 };
  const got = { type: "ActivityCompleted", source_event_id: 2, event_id: 3 };
  const histories = new Map<string, readonly string[]>();
  const stored = {
    histories,
    decode: (event: string): HistoryEvent => JSON.parse(event),
    get ends() {
      return [...histories.keys()].map((key) => ({ key, status: "Running" }));
    },
  } as unknown as Stored;
  const put = (key: string, ...events: readonly object[]): void => {
    histories.set(
      key,
      events.map((event) => JSON.stringify(event)),
    );
  };
  put("i#1", started, asked, got);
  put("j#1", started, asked);
  expect(overfull(stored, { "two/a": { concurrency: 1 } })).toEqual([]);
  put("j#2", { ...started, has_permit: true });
  expect(overfull(stored, { "two/a": { concurrency: 1 } })).toEqual([
    "limit two/a: i#1, j#2 have begun at once",
  ]);
});

it("held-starts.H2: sees a start with the input of an earlier call, and one before its time", () => {
  const debounce = { calls: 2, gapMs: 0, waitMs: 100 };
  const calls = [
    { askedMs: 0, answeredMs: 5 },
    { askedMs: 50, answeredMs: 60 },
  ];
  const check = (call: number, dueMs: number, beganMs = dueMs): readonly string[] => {
    const input = JSON.stringify({ call });
    const first = { type: "OrchestrationStarted", input, timestamp_ms: beganMs, start_at_ms: dueMs };
    return wrongDebounce("i", debounce, calls, [first as unknown as HistoryEvent]);
  };
  expect(check(1, 150)).toEqual([]);
  expect(check(0, 150)).toEqual(["i: began with the input of call 0, and call 1 came before"]);
  expect(check(1, 120)).toEqual(["i: began 30 ms before the end of the wait"]);
});
