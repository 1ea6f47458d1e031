/** How an activity without fitting code here is released, and what is logged of it. */
import type { FetchedWork } from "../../contract/provider.ts";
import type { BlockedReason } from "../../contract/status.ts";
import type { LogFields } from "../../define/logger.ts";
import { meant } from "../../options/nearest-name.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";
import type { GiveBack } from "../locks/give-back.ts";
import type { ActivityRegistry } from "../registry.ts";
import { keyOf } from "../running/running-activities.ts";
import { unregisteredDelayMs } from "../trouble/backoff.ts";
import type { BlockedLog } from "../trouble/blocked-log.ts";
import { attemptsBefore } from "../trouble/lone-runs.ts";

interface Parts {
  readonly registry: ActivityRegistry;
  readonly blockedLog: BlockedLog;
}

/** Blocks the activity until another process, or a later deployment, has fitting code. */
export function blockedRelease(parts: Parts, fetched: FetchedWork, blocked: BlockedReason): GiveBack {
  const attempts = (fetched.blocked?.attempts ?? 0) + 1;
  const delayMs = tell(parts, fetched, attempts, blocked.detail);
  return { delayMs, ignoreAttempt: true, blocked };
}

/** Counts the attempt, so that the activity fails in the end. */
export function uncodedRelease(parts: Parts, fetched: FetchedWork, detail: string): GiveBack {
  return { delayMs: tell(parts, fetched, fetched.attemptCount, detail) };
}

/** Blocks an activity above its limit whose lone runs in this process had no outcome that could be stored. */
export function usedUpRelease({ blockedLog }: Parts, fetched: FetchedWork, delayMs: number): GiveBack {
  const { item } = fetched;
  const detail = `${attemptsBefore(fetched)} attempts, the last of them alone in their process, had no outcome that could be stored: each lost its lock, or the store failed`;
  blockedLog.tell(keyOf(fetched), (fetched.blocked?.attempts ?? 0) + 1, detail, {
    event: "activity_attempts_used_up",
    ...identify(item),
    delay_ms: delayMs,
  });
  return { delayMs, ignoreAttempt: true, blocked: { reason: "attempts", detail } };
}

/** Logs the release, and returns its delay in ms. */
function tell(parts: Parts, { item }: FetchedWork, attempts: number, detail: string): number {
  const { registry, blockedLog } = parts;
  const delayMs = unregisteredDelayMs(attempts);
  blockedLog.tell(`${item.instance} ${item.execution_id} ${item.id}`, attempts, detail, {
    event: "activity_unregistered",
    ...identify(item),
    registered: registry.names,
    delay_ms: delayMs,
  });
  return delayMs;
}

export function noActivity(name: string, registered: readonly string[]): string {
  return `no handler for activity ${JSON.stringify(name)} is registered here${meant(name, registered)}; pass it to Runtime.start in activities`;
}

export function noCodeOfStep({ name, step_of }: ActivityExecute): string {
  return `the code of ${step_of}, which has the step ${JSON.stringify(name)}, is not registered here; pass it to Runtime.start in orchestrations`;
}

export function identify({ instance, execution_id, name, id }: ActivityExecute): LogFields {
  return { instance_id: instance, execution_id, activity_name: name, activity_id: id };
}
