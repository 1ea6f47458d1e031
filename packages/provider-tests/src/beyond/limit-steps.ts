/** Steps of the cases about limits. */
import type { FetchedWork, LimitRule, ProviderLimits } from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { activity, completion } from "../messages.ts";
import { fetchWork, given } from "../steps.ts";

export function limitsOf({ provider }: CaseContext): ProviderLimits {
  return given(provider.limits, "the provider has no limits");
}

export async function setRule(context: CaseContext, key: string, rule: LimitRule, perMs = 0): Promise<void> {
  await limitsOf(context).setLimit(key, { rule, perMs });
}

/** Queues activities of an instance that need not exist, from the given id on. */
export async function queueLimited(
  { provider }: CaseContext,
  firstId: number,
  limits: readonly (string | undefined)[],
  priority?: number,
): Promise<void> {
  for (const [index, limit] of limits.entries()) {
    await provider.enqueueForWorker(
      activity("a", firstId + index, {
        ...(limit !== undefined && { limit }),
        ...(priority !== undefined && { priority }),
      }),
    );
  }
}

/** Fetches until nothing may begin. */
export async function fetchAll(context: CaseContext): Promise<readonly FetchedWork[]> {
  const all: FetchedWork[] = [];
  for (let next = await fetchWork(context); next !== undefined; next = await fetchWork(context))
    all.push(next);
  return all;
}

export const idsOf = (fetched: readonly FetchedWork[]): readonly number[] =>
  fetched.map(({ item }) => Number(item.id));

export async function finish({ provider }: CaseContext, { item, lockToken }: FetchedWork): Promise<void> {
  await provider.ackWorkItem(lockToken, completion(item.instance, Number(item.id)));
}

/** Runs one after the other until none is left; their ids in that order. */
export async function runAll(context: CaseContext): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let next = await fetchWork(context); next !== undefined; next = await fetchWork(context)) {
    ids.push(Number(next.item.id));
    await finish(context, next);
  }
  return ids;
}

/** All need limits, and virtual time, because minutes pass. */
export const NEEDS = ["limits", "virtual-time"] as const;

export const times = (count: number, key: string): readonly string[] =>
  Array.from({ length: count }, () => key);
