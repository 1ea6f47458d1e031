/** The steps that most tests take: fetch, acknowledge, bring an instance into being. */
import type {
  FetchedOrchestration,
  FetchedWork,
  FetchOrchestrationOptions,
  FetchWorkOptions,
  OrchestrationAck,
  Provider,
  ProviderErrorCode,
} from "@duroxide-ts/core";
import { expect } from "vitest";
import { continueItem, raised, started, startItem, turnOf } from "./messages.ts";

export const LOCK_MS = 30_000;

export function fetchOrchestration(
  provider: Provider,
  more: Partial<FetchOrchestrationOptions> = {},
): Promise<FetchedOrchestration | undefined> {
  return provider.fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, ...more });
}

export function fetchWork(
  provider: Provider,
  more: Partial<FetchWorkOptions> = {},
): Promise<FetchedWork | undefined> {
  const tagFilter = { kind: "default-only" } as const;
  return provider.fetchWorkItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, tagFilter, ...more });
}

/** For where a test cannot go on without. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) return expect.fail("expected something, got nothing");
  return value;
}

export async function mustFetch(
  provider: Provider,
  more: Partial<FetchOrchestrationOptions> = {},
): Promise<FetchedOrchestration> {
  return present(await fetchOrchestration(provider, more));
}

export async function mustFetchWork(
  provider: Provider,
  more: Partial<FetchWorkOptions> = {},
): Promise<FetchedWork> {
  return present(await fetchWork(provider, more));
}

/** Acknowledges with nothing but what is given. */
export function ack(
  provider: Provider,
  fetched: FetchedOrchestration,
  more: Partial<OrchestrationAck> = {},
): ReturnType<Provider["ackOrchestrationItem"]> {
  return provider.ackOrchestrationItem(turnOf(fetched, more));
}

export interface NewInstance extends Partial<OrchestrationAck> {
  readonly version?: string;
  readonly parentInstanceId?: string;
}

/** Starts an instance and commits its first turn; it is Running afterwards, unless the metadata say otherwise. */
export async function createInstance(
  provider: Provider,
  instance: string,
  { version = "1.0.0", parentInstanceId, historyDelta = [], metadata, ...more }: NewInstance = {},
): Promise<string | undefined> {
  await provider.enqueueForOrchestrator(startItem(instance));
  const { historyTag } = await ack(provider, await mustFetch(provider), {
    historyDelta: [started(instance), ...historyDelta],
    metadata: {
      orchestrationName: "TestOrch",
      orchestrationVersion: version,
      ...(parentInstanceId === undefined ? undefined : { parentInstanceId }),
      ...metadata,
    },
    ...more,
  });
  return historyTag;
}

/** One more turn of an existing instance, set off by an event. */
export async function turn(
  provider: Provider,
  instance: string,
  more: Partial<OrchestrationAck>,
): Promise<FetchedOrchestration> {
  await provider.enqueueForOrchestrator(raised(instance, "poke"));
  const fetched = await mustFetch(provider);
  await ack(provider, fetched, more);
  return fetched;
}

/** Ends the current execution and begins the next one with its OrchestrationStarted. */
export async function continueAsNew(
  provider: Provider,
  instance: string,
  nextExecution: number,
): Promise<void> {
  await turn(provider, instance, {
    metadata: { status: "ContinuedAsNew", output: "{}" },
    orchestratorItems: [continueItem(instance)],
  });
  await ack(provider, await mustFetch(provider), {
    executionId: nextExecution,
    historyDelta: [started(instance, nextExecution)],
  });
}

export async function fail(promise: Promise<unknown>, code: ProviderErrorCode): Promise<void> {
  await expect(promise).rejects.toMatchObject({ name: "ProviderError", code });
}
