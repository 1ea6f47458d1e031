/**
 * Reads what instances of a list wait for. History alone knows, so each costs a read of its history
 * (docs/decisions/queries.md).
 */
import { type InstanceTimeline, ProviderError, type Wait } from "@duroxide-ts/core";
import { runningState } from "@duroxide-ts/core/operate";
import { displayMessage } from "@duroxide-ts/core/stores";
import type { RowWaits, WaitView } from "../page/shapes/instances.ts";
import type { Payloads } from "../payloads/payloads.ts";
import type { Source } from "./source.ts";

/** More are counted, not listed. */
const MOST_SHOWN = 3;
/** Length of a custom status in a list, in characters. */
const LONGEST_STATUS = 120;

/** One after the other, so that other work of the process runs in between. An unknown instance waits for nothing. */
export async function rowWaits(source: Source, ids: readonly string[]): Promise<readonly RowWaits[]> {
  const found: RowWaits[] = [];
  for (const id of ids) found.push(await waitsOf(source, id));
  return found;
}

async function waitsOf({ admin, payloads }: Source, id: string): Promise<RowWaits> {
  try {
    return shown(id, await admin.timeline(id), payloads);
  } catch (error) {
    if (ProviderError.is(error, "instance-not-found")) return { id, waits: [], others: 0 };
    throw error;
  }
}

function shown(id: string, timeline: InstanceTimeline, payloads: Payloads): RowWaits {
  const { waits, customStatus } = timeline;
  return {
    id,
    state: runningState(timeline),
    ...(customStatus !== undefined && { status: payloads.line(customStatus, LONGEST_STATUS) }),
    waits: waits.slice(0, MOST_SHOWN).map(viewOf),
    others: Math.max(0, waits.length - MOST_SHOWN),
  };
}

function viewOf(wait: Wait): WaitView {
  const {
    kind,
    name,
    label,
    dueAtMs,
    attempt = 1,
    maxAttempts,
    lastFailure,
    nextRetryAtMs,
    childInstanceId,
  } = wait;
  const called = childInstanceId ?? name;
  return {
    kind,
    ...(called !== undefined && { name: called }),
    ...(label !== undefined && { label }),
    ...(dueAtMs !== undefined && { dueAtMs }),
    ...(attempt > 1 && { attempt }),
    ...(attempt > 1 && maxAttempts !== undefined && { maxAttempts }),
    ...(nextRetryAtMs !== undefined && { nextRetryAtMs }),
    ...(lastFailure !== undefined && { lastError: displayMessage(lastFailure) }),
  };
}
