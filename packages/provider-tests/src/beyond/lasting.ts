/**
 * Locks, sessions, delays and timers, which end by themselves (docs/reference/provider-contract.md §4, §11).
 */
import type { FetchWorkOptions } from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { activity, started, startItem, timer } from "../messages.ts";
import { ack, fetchOrchestration, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";
import type { Fetched } from "./polling-steps.ts";

/** A lock, session, delay or timer that ends a fixed time after a call. */
export interface Lasting {
  /** Prepares the state for the call. */
  prepare(context: CaseContext, durationMs: number): Promise<Call>;
  /** A fetch that finds something once it is over. */
  fetch(context: CaseContext, options: { readonly pollTimeoutMs: number }): Promise<Fetched>;
}

type Call = () => Promise<unknown>;

export function as(ownerId: string, lockTimeoutMs = 60_000): Pick<FetchWorkOptions, "session"> {
  return { session: { ownerId, lockTimeoutMs } };
}

const fetchAsAnother: Lasting["fetch"] = (context, options) =>
  fetchWork(context, { ...options, ...as("another worker") });

export async function enqueueInSession({ provider }: CaseContext, ...ids: readonly number[]): Promise<void> {
  for (const id of ids) await provider.enqueueForWorker(activity("a", id, { session_id: "s" }));
}

export const lasting: Readonly<Record<string, Lasting>> = {
  "the lock of a turn": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForOrchestrator(startItem("a"));
      return () => mustFetch(context, { lockTimeoutMs: durationMs });
    },
    fetch: fetchOrchestration,
  },
  "the lock of a turn that is renewed": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForOrchestrator(startItem("a"));
      const { lockToken } = await mustFetch(context, { lockTimeoutMs: durationMs / 2 });
      return () => context.provider.renewOrchestrationItemLock(lockToken, durationMs);
    },
    fetch: fetchOrchestration,
  },
  "the delay of a turn that is given back": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForOrchestrator(startItem("a"));
      const { lockToken } = await mustFetch(context);
      return () => context.provider.abandonOrchestrationItem(lockToken, { delayMs: durationMs });
    },
    fetch: fetchOrchestration,
  },
  "the delay of a message": {
    prepare:
      async ({ provider }, durationMs) =>
      () =>
        provider.enqueueForOrchestrator(startItem("a"), durationMs),
    fetch: fetchOrchestration,
  },
  "the time of a timer": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForOrchestrator(startItem("a"));
      const fetched = await mustFetch(context);
      const fireAtMs = context.time.now() + durationMs;
      const historyDelta = [started("a")];
      return () => ack(context, fetched, { historyDelta, orchestratorItems: [timer("a", fireAtMs)] });
    },
    fetch: fetchOrchestration,
  },
  "the lock of an activity": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForWorker(activity("a", 1));
      return () => mustFetchWork(context, { lockTimeoutMs: durationMs });
    },
    fetch: fetchWork,
  },
  "the lock of an activity that is renewed": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForWorker(activity("a", 1));
      const { lockToken } = await mustFetchWork(context, { lockTimeoutMs: durationMs / 2 });
      return () => context.provider.renewWorkItemLock(lockToken, durationMs);
    },
    fetch: fetchWork,
  },
  "the delay of an activity that is given back": {
    async prepare(context, durationMs) {
      await context.provider.enqueueForWorker(activity("a", 1));
      const { lockToken } = await mustFetchWork(context);
      return () => context.provider.abandonWorkItem(lockToken, { delayMs: durationMs });
    },
    fetch: fetchWork,
  },
  "the lock of a session": {
    async prepare(context, durationMs) {
      await enqueueInSession(context, 1, 2);
      return () => mustFetchWork(context, as("me", durationMs));
    },
    fetch: fetchAsAnother,
  },
  "the lock of a session that is renewed": {
    async prepare(context, durationMs) {
      await enqueueInSession(context, 1, 2);
      await mustFetchWork(context, as("me", durationMs / 2));
      const renewal = { ownerIds: ["me"], extendMs: durationMs, idleTimeoutMs: 60_000 };
      return () => context.provider.renewSessionLocks(renewal);
    },
    fetch: fetchAsAnother,
  },
};
