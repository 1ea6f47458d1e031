/** The instances that a selection chooses, newest first, page by page. */
import type { InstanceQuery, InstanceSummary, InstanceTimeline } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { runningState } from "@duroxide-ts/core/operate";
import type { OpenStore } from "../store/open-store.ts";
import type { Selection } from "./filter-flags.ts";

/** An instance of a list. The timeline is there if it was needed to choose. */
export interface FoundInstance {
  readonly summary: InstanceSummary;
  readonly timeline?: InstanceTimeline | undefined;
}

type Order = NonNullable<InstanceQuery["order"]>;

export async function* findInstances(
  store: OpenStore,
  selection: Selection,
  order: Order = "created-desc",
  pageSize = 100,
): AsyncGenerator<FoundInstance, void, undefined> {
  const streams = selection.filters.map((filter) =>
    pages(store.client.admin, { filter, order, limit: pageSize }),
  );
  for await (const summary of merged(streams, order)) {
    if (selection.waiting === undefined && selection.looks === undefined) yield { summary };
    else {
      const timeline = await lookAt(store, summary);
      if (matches(summary, timeline, selection)) yield { summary, timeline };
    }
  }
}

/** None for an instance that does not run, or is deleted meanwhile. */
export async function lookAt(
  { client }: OpenStore,
  summary: InstanceSummary,
): Promise<InstanceTimeline | undefined> {
  if (summary.status !== "Running") return undefined;
  return client.admin.timeline(summary.instanceId).catch(() => undefined);
}

function matches(
  { status }: InstanceSummary,
  timeline: InstanceTimeline | undefined,
  { waiting, looks }: Selection,
): boolean {
  if (waiting !== undefined) {
    const isIt = timeline?.waits.some(
      ({ kind, name }) => kind === waiting.kind && (waiting.name === undefined || waiting.name === name),
    );
    if (isIt !== true) return false;
  }
  if (looks === undefined || status !== "Running") return true;
  const state = timeline === undefined ? "running" : runningState(timeline);
  return state !== "running" && looks.includes(state);
}

async function* pages(admin: AnyAdmin, query: InstanceQuery): AsyncGenerator<InstanceSummary> {
  let continuation: string | undefined;
  do {
    const page = await admin.query({ ...query, ...(continuation !== undefined && { continuation }) });
    yield* page.instances;
    continuation = page.continuation;
  } while (continuation !== undefined);
}

/** Streams that are each in this order, as one in this order. */
async function* merged(
  streams: readonly AsyncGenerator<InstanceSummary>[],
  order: Order,
): AsyncGenerator<InstanceSummary> {
  const [only] = streams;
  if (streams.length === 1 && only !== undefined) return yield* only;
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, next: await stream.next() })));
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true);
    const [first, ...others] = open;
    if (first === undefined) return;
    const best = others.reduce((a, b) => (comesFirst(b.next.value, a.next.value, order) ? b : a), first);
    yield best.next.value as InstanceSummary;
    best.next = await best.stream.next();
  }
}

function comesFirst(a: unknown, b: unknown, order: Order): boolean {
  const [left, right] = [a as InstanceSummary, b as InstanceSummary];
  switch (order) {
    case "created-desc":
      return left.createdAtMs > right.createdAtMs;
    case "created-asc":
      return left.createdAtMs < right.createdAtMs;
    case "updated-desc":
      return left.updatedAtMs > right.updatedAtMs;
  }
}
