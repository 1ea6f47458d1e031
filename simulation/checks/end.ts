/** Checks what must hold when all programs have had their time and no fault is left. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isTerminal } from "@duroxide-ts/core/stores";
import { replay } from "@duroxide-ts/core/testing";
import { orchestrations, VERSIONS } from "../programs/carry-out.ts";
import { detachedIn } from "../programs/drop.ts";
import { NOTHING_SENT, wrongResult } from "../programs/expected.ts";
import { isOfSchedule } from "../programs/schedules.ts";
import { type Program, sentTo } from "../programs/step.ts";
import type { ShownInstance, Stored, StoredEnd } from "../store/simulated-store.ts";
import { answeredTwice } from "./answers.ts";
import { type Beginning, begunTooOften } from "./by-hand.ts";
import { missingCleanUp } from "./clean-ups.ts";
import { type HeldCall, wrongDebounce } from "./held-starts.ts";
import { endOf, historyViolations } from "./histories.ts";
import type { Overtaking } from "./overtaking.ts";
import { wrongSagas } from "./sagas.ts";
import { strayChildren } from "./stray-children.ts";

export type Ending =
  | { readonly status: "Completed"; readonly output: unknown }
  | { readonly status: "Failed"; readonly message: string }
  | { readonly status: "Deleted" };

/** A program, and what its client knows of it. */
export interface DrivenProgram {
  readonly program: Program;
  readonly isStarted: boolean;
  readonly ending: Ending | undefined;
  /** Whether a cancellation was asked for, whatever came of it, or comes by itself. */
  readonly mayBeCancelled: boolean;
  /** False once the clock with which it sends went back: messages are ordered by that (docs/decisions/messages.md). */
  readonly sendsInOrder: boolean;
  /** Undefined where the store may have executions of calls that this client did not make. */
  readonly operatorCalls: ReadonlyMap<Beginning, number> | undefined;
  /** The calls that became its start; none where they are not known. */
  readonly heldCalls: readonly HeldCall[];
  /** The instances that were started detached by what an operator has started over. */
  readonly previousInstances: ReadonlySet<string>;
}

export interface EndOptions {
  readonly clocksAgree: boolean;
  /** The request of a start may arrive after its instance was deleted. */
  readonly startsMayBeLate: boolean;
  /** Detached instances that must run, whatever happened to those that started them. */
  readonly detached: ReadonlySet<string>;
  /** Undefined where messages and outcomes have no common order. */
  readonly overtaking: Overtaking | undefined;
}

export async function endViolations(
  stored: Stored,
  drivers: readonly DrivenProgram[],
  { clocksAgree, startsMayBeLate, detached, overtaking }: EndOptions,
): Promise<readonly string[]> {
  const decoded = new Map(
    [...stored.histories].map(([key, events]) => [key, events.map((event) => stored.decode(event))]),
  );
  const instances = new Map(stored.instances.map((each) => [each.instanceId, each]));
  return [
    ...drivers.flatMap(wrongEnding),
    ...drivers.flatMap((driver) => wrongDetached(driver, decoded)),
    ...drivers.flatMap((driver) => wrongTags(driver, instances)),
    ...(clocksAgree ? drivers.flatMap((driver) => wrongHolds(driver, decoded)) : []),
    ...drivers.flatMap((driver) => wrongLife(driver, decoded)),
    ...[...detached].flatMap((instanceId) => unlessCompleted(instanceId, decoded)),
    ...strayChildren(decoded),
    ...answeredTwice(decoded),
    ...(overtaking?.violations(decoded) ?? []),
    ...(startsMayBeLate ? [] : drivers.flatMap((driver) => wrongRemains(driver, decoded))),
    ...drivers.flatMap(({ program, operatorCalls: calls }) =>
      calls === undefined ? [] : begunTooOften(program.instanceId, calls, decoded),
    ),
    ...[...decoded].flatMap(([key, events]) => missingCleanUp(key, events)),
    ...[...decoded].flatMap(([key, events]) => wrongSagas(key, events)),
    ...[...decoded].flatMap(([key, events]) => historyViolations(key, events, clocksAgree)),
    ...stored.ends.flatMap((end) => wrongStatus(end, decoded)),
    ...stored.ends.flatMap((end) =>
      hasEnded(end) ? [] : [`${end.key}: has not ended, nor was it cancelled`],
    ),
    ...stored.leftovers,
    ...(await replayViolations(stored)),
  ];
}

function wrongEnding({
  program,
  ending,
  mayBeCancelled,
  isStarted,
  sendsInOrder,
}: DrivenProgram): readonly string[] {
  const { instanceId, steps } = program;
  if (!isStarted) return [`${instanceId}: was not started in time`];
  if (ending === undefined) return [`${instanceId}: has not ended in time`];
  if (ending.status === "Deleted") return [];
  if (ending.status === "Failed") {
    const isTerminated = program.operations.at(-1)?.verb === "terminate";
    const isRight =
      (mayBeCancelled && /cancel|timeout/i.test(ending.message)) ||
      (isTerminated && /terminated by operator/.test(ending.message));
    return isRight ? [] : [`${instanceId}: failed: ${ending.message}`];
  }
  const wrong = wrongResult(steps, ending.output, { messages: sentTo(program), areInOrder: sendsInOrder });
  return wrong === undefined ? [] : [`${instanceId}: ${wrong}`];
}

/** The tags of a program that ran to its end: that of its start, and the last that it set between its steps. */
function wrongTags(
  { program, ending }: DrivenProgram,
  instances: ReadonlyMap<string, ShownInstance>,
): readonly string[] {
  const { instanceId, steps } = program;
  const shown = instances.get(instanceId);
  if (ending?.status !== "Completed" || shown === undefined) return [];
  const last = steps.findLast((step) => step.do === "status" || step.do === "all" || step.do === "race");
  const isRight =
    shown.tags["program"] === instanceId && (last?.do !== "status" || shown.tags["status"] === last.value);
  return isRight ? [] : [`${instanceId}: has the tags ${JSON.stringify(shown.tags)}`];
}

function wrongHolds(
  { program: { instanceId, start }, heldCalls }: DrivenProgram,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const { debounce } = start;
  const events = histories.get(`${instanceId}#1`) ?? [];
  return debounce === undefined ? [] : wrongDebounce(instanceId, debounce, heldCalls, events);
}

/** A deleted instance is gone, with its children. */
function wrongRemains(
  { program, ending }: DrivenProgram,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  if (ending?.status !== "Deleted") return [];
  const isOf = new RegExp(`^${program.instanceId}(::|#)`);
  return [...histories.keys()]
    .filter((key) => isOf.test(key))
    .map((key) => `${key}: was deleted, and is there`);
}

/** Checks that each detached program has run as well, if the program that started it came so far. */
function wrongDetached(
  { program, ending }: DrivenProgram,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  if (ending?.status !== "Completed") return [];
  return program.steps.flatMap((step) => {
    if (step.do !== "detach") return [];
    const { instanceId, steps } = step;
    const end = endOfFirst(instanceId, histories);
    if (end?.type !== "OrchestrationCompleted") return unlessCompleted(instanceId, histories);
    const wrong = wrongResult(steps, JSON.parse(end.output), NOTHING_SENT);
    return wrong === undefined ? [] : [`${instanceId}: ${wrong}`];
  });
}

/** Checks that nothing is left of an instance that was started over. */
function wrongLife(
  { program, previousInstances }: DrivenProgram,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const end = endOfFirst(program.instanceId, histories);
  const detached = end?.type === "OrchestrationCompleted" ? detachedIn(JSON.parse(end.output)) : [];
  const isEarlier = detached.some((instanceId) => previousInstances.has(instanceId));
  return isEarlier ? [`${program.instanceId}: was started over, and is as it was before`] : [];
}

function unlessCompleted(
  instanceId: string,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const isCompleted = endOfFirst(instanceId, histories)?.type === "OrchestrationCompleted";
  return isCompleted ? [] : [`${instanceId}: detached, and has not completed`];
}

function endOfFirst(
  instanceId: string,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): HistoryEvent | undefined {
  return histories.get(`${instanceId}#1`)?.findLast(isTerminal);
}

/** A schedule does not end. */
export function hasEnded({ key, status }: StoredEnd): boolean {
  return status !== "Running" || isOfSchedule(key);
}

/** The instance says of its execution what the history says. */
function wrongStatus(
  { key, status }: StoredEnd,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const expected = endOf(histories.get(key) ?? []) ?? "Running";
  return status === expected ? [] : [`${key}: its status is ${status}, its history says ${expected}`];
}

/** The histories of every instance, replayed by the code in their order, come to what is stored. */
async function replayViolations(stored: Stored): Promise<readonly string[]> {
  const code = orchestrations(VERSIONS, undefined);
  const violations: string[] = [];
  const instances = Map.groupBy(stored.histories, ([key]) => key.slice(0, key.lastIndexOf("#")));
  for (const [key, executions] of instances) {
    // The entries of a later execution follow from the first one.
    if (executions[0]?.[0].endsWith("#1") !== true || isOfSchedule(key)) continue;
    const events = executions.flatMap(([, each]) => each);
    try {
      await replay(
        events.map((event) => stored.decode(event)),
        { orchestrations: code },
      );
    } catch (error) {
      violations.push(
        `${key}: its replay differs: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return violations;
}
