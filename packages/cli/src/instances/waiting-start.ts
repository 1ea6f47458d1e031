/**
 * A start that no process has taken yet: it is a row of the queue, and the store has no instance for it. What an
 * operator starts or looks for must be found all the same, above all where no worker has its code.
 */
import type { Blocked, ExecutionStatus } from "@duroxide-ts/core";
import { isNotFound } from "../errors/not-found.ts";
import type { OpenStore } from "../store/open-store.ts";

export interface WaitingStart {
  readonly instanceId: string;
  readonly orchestrationName: string;
  /** Why it waits, where a process has said so. */
  readonly blocked?: Blocked;
  /** Whether a cancellation waits behind it. */
  readonly cancelRequested: boolean;
}

export async function readWaitingStart(
  { client }: OpenStore,
  id: string,
  nowMs: number,
): Promise<WaitingStart | undefined> {
  if (!client.admin.queries) return undefined;
  const { work } = await client.admin.work({ instanceId: id, kind: "orchestrator" });
  const start = work.find(({ item }) => item === "StartOrchestration");
  if (start === undefined) return undefined;
  const orchestrationName = start.name ?? "unknown";
  const status = await client.handle(orchestrationName, id).status();
  const blocked = "blocked" in status ? status.blocked?.[0] : undefined;
  return {
    instanceId: id,
    orchestrationName,
    ...(blocked !== undefined && { blocked }),
    // That of a deadline is visible later.
    cancelRequested: work.some(({ item, visibleAtMs }) => item === "CancelInstance" && visibleAtMs <= nowMs),
  };
}

export interface Known {
  readonly orchestrationName: string;
  /** `undefined` for a start that no process has taken. */
  readonly status: ExecutionStatus | undefined;
}

/** Rejects with `instance-not-found` where there is neither an instance nor a start. */
export async function readKnown(store: OpenStore, id: string, nowMs: number): Promise<Known> {
  try {
    return await store.client.admin.info(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const start = await readWaitingStart(store, id, nowMs);
    if (start !== undefined) return { orchestrationName: start.orchestrationName, status: undefined };
    // A process may have taken the start between the two reads.
    return store.client.admin.info(id);
  }
}
