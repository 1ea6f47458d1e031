/** The open waits of an idle orchestration, found by replaying its history. */
import type { Provider } from "../../contract/provider.ts";
import { ACTIVITY } from "../../replay/calls/activity.ts";
import { childInstanceId } from "../../replay/calls/child-id.ts";
import { DEQUEUE } from "../../replay/calls/dequeue.ts";
import { EVENT_WAIT } from "../../replay/calls/event-wait.ts";
import { SUB_ORCHESTRATION } from "../../replay/calls/sub-orchestration.ts";
import { TIMER } from "../../replay/calls/timer.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { STEP_TAG } from "../../wire/known-code.ts";
import { runsToStandstill, type TracedStandstill } from "../replay/standstill.ts";
import type { TracedCall } from "../replay/traced-execution.ts";
import { describeDuration } from "./describe-duration.ts";
import { earliest } from "./earliest.ts";
import type { EnvironmentParts } from "./parts.ts";

/** One open wait of the code. */
export interface Wait {
  /** `other` for a wait that is not a call: a start, or code that cannot be replayed. */
  readonly kind: "timer" | "event" | "queue" | "activity" | "sub-orchestration" | "other";
  /** The name of the event, queue, activity or orchestration. */
  readonly name?: string;
  /** The id of a sub-orchestration. */
  readonly instanceId?: string;
  /** A description such as `a timer, due in 24 hours`. */
  readonly what: string;
  /** The call with which a test can settle it. */
  readonly help?: string;
  /** `file:line:column` of the call, where known. */
  readonly location?: string;
  /** Time that ends the wait, where there is one, ms since the epoch. */
  readonly dueMs?: number;
  /** The open waits of a sub-orchestration. */
  readonly waits?: readonly Wait[];
}

export async function waitsOf(parts: EnvironmentParts, instanceId: string): Promise<readonly Wait[]> {
  const { blocked } = await parts.provider.admin.listBlocked({ instanceId });
  const block = blocked.find(({ activity }) => activity === undefined);
  if (block !== undefined) return [{ kind: "other", what: `other code: ${block.detail}` }];
  const histories = await readExecutions(parts.provider, instanceId);
  if (histories.length === 0)
    return [
      {
        kind: "other",
        what: "its start",
        help: "no orchestration of its name and version is registered here",
      },
    ];
  const still = await runsToStandstill(histories.flat(), parts);
  if (still.problem !== undefined) return [{ kind: "other", what: still.problem }];
  return Promise.all(still.awaited.map((call) => waitFor(parts, instanceId, call, still)));
}

/** The earliest time at which any of the waits ends by time. */
export function nextDueMs(waits: readonly Wait[]): number | undefined {
  return earliest(waits.flatMap(({ dueMs, waits: inner = [] }) => [dueMs, nextDueMs(inner)]));
}

async function waitFor(
  parts: EnvironmentParts,
  instanceId: string,
  { kind, request, call, location }: TracedCall,
  { events }: TracedStandstill,
): Promise<Wait> {
  const recorded = call && events.find(({ event_id }) => event_id === call.eventId);
  const { name = "" } = request;
  const place = location === undefined ? {} : { location };
  switch (request.isEvent === true ? EVENT_WAIT : kind) {
    case TIMER:
      return { kind: "timer", ...waitForTimer(parts.clock.now(), recorded), ...place };
    case EVENT_WAIT:
      return {
        kind: "event",
        name,
        what: `the event "${name}"`,
        help: `run.raise("${name}", …) delivers it`,
        ...place,
      };
    case DEQUEUE:
      return {
        kind: "queue",
        name,
        what: `a message of the queue "${name}"`,
        help: `run.enqueue("${name}", …) sends one`,
        ...place,
      };
    case ACTIVITY:
      return {
        kind: "activity",
        name,
        ...waitForActivity(parts, instanceId, name, request.tag === STEP_TAG),
        ...place,
      };
    case SUB_ORCHESTRATION: {
      const child =
        recorded?.type === "SubOrchestrationScheduled"
          ? childInstanceId(instanceId, recorded.instance)
          : undefined;
      const waits = child === undefined ? [] : await waitsOf(parts, child);
      return {
        kind: "sub-orchestration",
        name,
        ...(child !== undefined && { instanceId: child }),
        what: `the sub-orchestration "${name}", which waits for`,
        ...place,
        waits,
      };
    }
    default:
      return { kind: "other", what: kind.name, ...place };
  }
}

function waitForTimer(nowMs: number, recorded: HistoryEvent | undefined): Omit<Wait, "kind"> {
  if (recorded?.type !== "TimerCreated") return { what: "a timer" };
  const dueMs = saturatedNumber(recorded.fire_at_ms);
  const { text, code } = describeDuration(dueMs - nowMs);
  return { what: `a timer, due in ${text}`, help: `env.advance(${code}) fires it`, dueMs };
}

function waitForActivity(
  { recorder, activityNames, clock }: EnvironmentParts,
  instanceId: string,
  name: string,
  isStep: boolean,
): Omit<Wait, "kind"> {
  const what = `the ${isStep ? "step" : "activity"} "${name}"`;
  if (!isStep && !activityNames.has(name))
    return { what, help: "no handler for it is registered in this environment" };
  const running = recorder.running(name, instanceId);
  if (running === undefined) {
    return {
      what,
      help: isStep
        ? "it was not called: does it wait for the lock of a process that has died?"
        : "its handler was not called: is its tag in workerTagFilter, or does it wait for a retry?",
    };
  }
  const { dueMs } = running;
  if (dueMs !== undefined) {
    const { code } = describeDuration(dueMs - clock.now());
    return {
      what,
      help: `its handler is still running, and sleeps on the clock of the environment: env.advance(${code})`,
      dueMs,
    };
  }
  return {
    what,
    help: "its handler is still running; finish what it waits for, or set patienceMs if it takes longer than three seconds",
  };
}

/** The histories of all executions, oldest first. */
async function readExecutions(provider: Provider, instanceId: string): Promise<(readonly HistoryEvent[])[]> {
  const executions = await provider.admin.listExecutions(instanceId);
  const histories = await Promise.all(
    executions.map(({ executionId }) => provider.readHistory(instanceId, executionId)),
  );
  return histories.filter((events) => events.length > 0);
}
