/** Steps of the cases about waiting fetches: one interface for both queues, and the time at which a wait must end. */
import type { FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { activity, startItem } from "../messages.ts";
import { fetchOrchestration, fetchWork } from "../steps.ts";

/** The poll timeout of a fetch that a case wakes; much longer than any case takes. */
export const PATIENCE_MS = 5_000;

/** A longer call counts as hanging. */
export const LIMIT_MS = 15_000;

export type Fetched = FetchedOrchestration | FetchedWork | undefined;

export interface PollOptions {
  readonly pollTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One of the two queues. */
export interface Queue {
  /** The name of its rows, for the names of cases. */
  readonly what: string;
  fetch(caller: Caller, options: PollOptions): Promise<Fetched>;
  /** Adds one row, always the same. */
  enqueue(caller: Caller): Promise<unknown>;
}

export const orchestrations: Queue = {
  what: "an orchestration",
  fetch: fetchOrchestration,
  enqueue: ({ provider }) => provider.enqueueForOrchestrator(startItem("a")),
};

export const activities: Queue = {
  what: "an activity",
  fetch: fetchWork,
  enqueue: ({ provider }) => provider.enqueueForWorker(activity("a", 1)),
};

/** Cases for providers with long polling. */
export function pollingCases(bodies: GroupOfCases): readonly ProviderCase[] {
  return casesOf("polling", needing(["long-polling"], bodies));
}

/** The cases once for each queue; their names must contain the queue. */
export function ofBothQueues(bodiesOf: (queue: Queue) => GroupOfCases): GroupOfCases {
  return { ...bodiesOf(orchestrations), ...bodiesOf(activities) };
}

/** The earliest and latest end of a wait, ms since the epoch. */
export interface Window {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Makes the call that makes work eligible `delayMs` later, and returns when a waiting fetch must have it. */
export async function windowOf(
  { time, responseMs }: CaseContext,
  delayMs: number,
  call: () => Promise<unknown>,
): Promise<Window> {
  const earliestMs = time.now() + delayMs;
  await call();
  return { earliestMs, latestMs: time.now() + delayMs + responseMs };
}

/** Asserts that the fetch returns work, neither before the window nor after it. */
export async function expectFoundWithin(
  { time, check }: CaseContext,
  { earliestMs, latestMs }: Window,
  waiting: Promise<Fetched>,
): Promise<void> {
  const { value } = await time.measure(() => waiting, LIMIT_MS);
  const endMs = time.now();
  check.isTrue(value !== undefined, "the waiting fetch finds something");
  check.isTrue(endMs >= earliestMs, `the wait does not end ${earliestMs - endMs} ms too early`);
  check.isTrue(endMs <= latestMs, `the wait does not end ${endMs - latestMs} ms too late`);
}
