/** What the cases about waiting fetches share: the two queues as one, and when a wait must end. */
import type { FetchedOrchestration, FetchedWork } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { activity, startItem } from "../messages.ts";
import { fetchOrchestration, fetchWork } from "../steps.ts";

/** How long a fetch that is to be woken may wait; much longer than any case lets it. */
export const PATIENCE_MS = 5_000;

/** Beyond this a call hangs. */
export const LIMIT_MS = 15_000;

export type Fetched = FetchedOrchestration | FetchedWork | undefined;

export interface PollOptions {
  readonly pollTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One of the two queues. */
export interface Queue {
  /** What is fetched from it, for the names of cases. */
  readonly what: string;
  fetch(caller: Caller, options: PollOptions): Promise<Fetched>;
  /** Puts one row into it, always the same. */
  enqueue(caller: Caller): Promise<void>;
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

/** Cases about waiting, which are for providers that wait. */
export function pollingCases(bodies: GroupOfCases): readonly ProviderCase[] {
  return casesOf("polling", bodies).map((each) => ({ ...each, needs: ["long-polling", ...each.needs] }));
}

/** The cases once for each queue; their names must say for which. */
export function ofBothQueues(bodiesOf: (queue: Queue) => GroupOfCases): GroupOfCases {
  return { ...bodiesOf(orchestrations), ...bodiesOf(activities) };
}

/** Between which instants, ms since the epoch, a wait must end. */
export interface Window {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Makes the call that makes work eligible `delayMs` later, and says when a fetch that waits must have it. */
export async function windowOf(
  { time, responseMs }: CaseContext,
  delayMs: number,
  call: () => Promise<unknown>,
): Promise<Window> {
  const earliestMs = time.now() + delayMs;
  await call();
  return { earliestMs, latestMs: time.now() + delayMs + responseMs };
}

/** That the fetch ends with something, neither before its time nor much later. */
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
