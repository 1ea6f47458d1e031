/**
 * A start that no process has taken yet: it is a row of the queue, and the store has no instance for it. What an
 * operator starts or looks for must be found all the same, above all where no worker has its code.
 */
import type { AnyClient } from "../client/any-client.ts";
import type { Blocked } from "../contract/status.ts";

/** A start that waits in the queue. */
export interface WaitingStart {
  readonly instanceId: string;
  readonly orchestrationName: string;
  /** Why it waits, where a process has said so. */
  readonly blocked?: Blocked;
  /** Time before which its code does not begin, of a delayed start. */
  readonly startsAtMs?: number;
  /** Whether a cancellation waits behind it. */
  readonly cancelRequested: boolean;
}

/** `undefined` where no start of the instance waits. `nowMs` is ms since the epoch. */
export async function readWaitingStart(
  client: Pick<AnyClient, "admin" | "handle">,
  instanceId: string,
  nowMs: number,
): Promise<WaitingStart | undefined> {
  const { work } = await client.admin.work({ instanceId, kind: "orchestrator" });
  const start = work.find(({ item }) => item === "StartOrchestration");
  if (start === undefined) return undefined;
  const { name: orchestrationName = "unknown", startsAtMs } = start;
  const status = await client.handle(orchestrationName, instanceId).status();
  const blocked = "blocked" in status ? status.blocked?.[0] : undefined;
  return {
    instanceId,
    orchestrationName,
    ...(blocked !== undefined && { blocked }),
    ...(startsAtMs !== undefined && { startsAtMs }),
    // That of a deadline is visible later.
    cancelRequested: work.some(({ item, visibleAtMs }) => item === "CancelInstance" && visibleAtMs <= nowMs),
  };
}
