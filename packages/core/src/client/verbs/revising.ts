/**
 * Reads an instance, plans a change, and stores it if the instance has not changed meanwhile; otherwise reads and plans
 * again. A verb is therefore safe while workers and other verbs change the instance.
 */

import type { ProviderAdmin } from "../../contract/admin.ts";
import { type Clock, doubledMs, type Random, sleep } from "../../contract/clock.ts";
import type { InstanceInfo, Suspended } from "../../contract/instance-info.ts";
import { storedStatus } from "../../contract/listed-status.ts";
import type { Provider } from "../../contract/provider.ts";
import type { InstanceRevision } from "../../contract/revision.ts";
import { hasEnded } from "../../contract/status.ts";
import type { LogFields, Logger } from "../../define/logger.ts";
import { RefusedError } from "../../errors/duroxide-error.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import type { HistoryEvent, RevisionMark } from "../../wire/event.ts";
import type { U64 } from "../../wire/integer.ts";
import { findInstance } from "../find-instance.ts";
import { refuseScheduleOf } from "../refuse-schedule.ts";
import { type ByHand, recordOf, type Verb, type WithReason } from "./verb-options.ts";

/** The dependencies of verbs. */
export interface VerbTools {
  readonly provider: Provider;
  readonly admin: ProviderAdmin;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly codec: NamingCodec;
  readonly random: Random;
}

/** An instance as it was read. */
export interface InstanceState {
  readonly info: InstanceInfo;
  /** The events of the current execution. */
  readonly history: readonly HistoryEvent[];
}

/** The change to store, and the result of the verb after it. */
export interface Planned<T> {
  readonly revision: Omit<InstanceRevision, "instanceId" | "expected">;
  readonly result: T;
}

/** The result of a verb that has nothing to store. */
export interface Already<T> {
  readonly already: T;
}

/** `undefined`: the change is not possible now; `revise` reads again after a pause. */
export type Plan<T> = Planned<T> | Already<T> | undefined;

/** The additional facts for a child that is retried with its parent. */
export interface AsChild {
  /** The execution of the parent that waits for it. */
  readonly parentExecutionId: U64;
}

const FIRST_DELAY_MS = 10;
const LONGEST_DELAY_MS = 1_000;
const MOST_ATTEMPTS = 25;

/** `plan` throws if the instance does not allow the change. */
export async function revise<T>(
  tools: VerbTools,
  verb: Verb,
  instanceId: string,
  plan: (state: InstanceState) => Promise<Plan<T>> | Plan<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(tools.clock, doubledMs(FIRST_DELAY_MS, LONGEST_DELAY_MS, attempt - 1));
    const state = await readState(tools, instanceId);
    refuseScheduleOf(verb, state.info);
    const planned = await plan(state);
    if (planned === undefined) continue;
    if ("already" in planned) return planned.already;
    const { currentExecutionId: executionId, status } = state.info;
    const { turn } = planned.revision;
    const expected = {
      executionId,
      status: storedStatus(status),
      ...(turn !== undefined && { lastEventId: lastEventId(state.history) }),
    };
    const outcome = await tools.admin.reviseInstance({ instanceId, expected, ...planned.revision });
    if (outcome.kind === "revised") return planned.result;
  }
  throw new RefusedError(
    instanceId,
    `${verb}: instance "${instanceId}" keeps changing; try again, or suspend it first`,
  );
}

export async function readState(
  { provider, admin }: VerbTools,
  instanceId: string,
  info?: InstanceInfo,
): Promise<InstanceState> {
  const known = info ?? (await admin.getInstanceInfo(instanceId));
  return { info: known, history: await provider.readHistory(instanceId, known.currentExecutionId) };
}

/** Returns undefined for an unknown instance. */
export async function findState(tools: VerbTools, instanceId: string): Promise<InstanceState | undefined> {
  const info = await findInstance(tools.admin, instanceId);
  return info && readState(tools, instanceId, info);
}

export function isOver({ status }: InstanceInfo): boolean {
  return hasEnded(status);
}

export function lastEventId(history: readonly HistoryEvent[]): number {
  return history.reduce((last, { event_id }) => Math.max(last, Number(event_id)), 0);
}

/** The mark with which events record a change by hand. */
export function markOf({ clock }: VerbTools, verb: Verb, of: number, record: ByHand): RevisionMark {
  return { verb, of, ...recordOf(record), at_ms: clock.now() };
}

export function suspendedNow({ clock }: VerbTools, { by, reason }: WithReason): Suspended {
  return {
    sinceMs: clock.now(),
    reason: reason.toWellFormed(),
    ...(by !== undefined && { by }),
  };
}

const DONE: Readonly<Record<Verb, string>> = {
  suspend: "suspended",
  resume: "resumed",
  retry: "retried",
  rewind: "rewound",
  restart: "restarted",
  terminate: "terminated",
};

/** Logs a change by hand. */
export function logVerb(
  { logger }: VerbTools,
  verb: Verb,
  instanceId: string,
  { by, reason }: ByHand,
  more: LogFields = {},
): void {
  const fields = { event: `instance_${DONE[verb]}`, instance_id: instanceId, by, reason, ...more };
  logger.info(fields, `an instance was ${DONE[verb]} by hand`);
}
