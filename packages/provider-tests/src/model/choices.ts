/** The choices of moves: the caller, the instance, the fetch, message or activity. */
import type {
  AbandonOptions,
  ActivityExecute,
  ActivityId,
  OrchestratorItem,
  RenewOptions,
} from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { activity, completion, continueItem, queueMessage, raised, startItem, timer } from "../messages.ts";
import type { CallerName } from "./call.ts";
import type { Durations } from "./durations.ts";
import type { FetchChoice, Situation } from "./situation.ts";

export const INSTANCES = ["i1", "i2", "i3"] as const;

export const anInstance: Arbitrary<string> = fc.constantFrom(...INSTANCES);
export const aCaller: Arbitrary<CallerName> = fc.constantFrom("one", "two");

/** Mostly one that still has its lock, sometimes a stale one. */
export const aFetch: Arbitrary<FetchChoice> = fc.record({
  isHeld: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  age: fc.nat(4),
});

const KINDS = ["start", "raise", "queue", "cancel", "continue", "completion", "timer"] as const;

/** Properties of a message, before it is known when it is sent. */
export interface MessageChoice {
  readonly instance: string;
  readonly kind: (typeof KINDS)[number];
  /** Whether a start names no version. */
  readonly isUnversioned: boolean;
  readonly timerMs: number;
}

export function aMessage({ timers }: Durations): Arbitrary<MessageChoice> {
  const kind = fc.oneof(
    { weight: 2, arbitrary: fc.constant("start" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...KINDS) },
  );
  return fc.record({
    instance: anInstance,
    kind,
    isUnversioned: fc.boolean(),
    timerMs: fc.constantFrom(...timers),
  });
}

/**
 * A start where the orchestration is not known yet: stores may drop or hide what arrives before the start, which other
 * cases test.
 */
export function messageOf(situation: Situation, choice: MessageChoice): OrchestratorItem {
  const { instance, isUnversioned, timerMs } = choice;
  const kind = situation.hasContext(instance) ? choice.kind : "start";
  const serial = situation.serial();
  switch (kind) {
    case "start":
      return isUnversioned
        ? situation.made(startItem, instance, { version: null })
        : situation.made(startItem, instance);
    case "raise":
      return situation.made(raised, instance, `event${serial}`);
    case "queue":
      return situation.made(queueMessage, instance, `message${serial}`);
    case "cancel":
      return { kind: "CancelInstance", instance, reason: `reason${serial}` };
    case "continue":
      return situation.made(continueItem, instance, { input: `${serial}` });
    case "completion":
      return situation.made(completion, instance, 2, `result${serial}`);
    case "timer":
      return situation.made(timer, instance, situation.instant(timerMs), serial);
  }
}

/** How work is given back; `isBlocked` where the store keeps that. */
export interface AbandonChoice {
  readonly delayMs: number;
  readonly ignoreAttempt: boolean;
  readonly isBlocked: boolean;
}

export function anAbandon({ delays }: Durations): Arbitrary<AbandonChoice> {
  return fc.record({
    delayMs: fc.constantFrom(...delays),
    ignoreAttempt: fc.boolean(),
    isBlocked: fc.boolean(),
  });
}

export function abandonOf({ isBlocked, ...options }: AbandonChoice): AbandonOptions {
  if (!isBlocked) return options;
  return { ...options, blocked: { reason: "nondeterminism", detail: "the code does not fit" } };
}

export const aRenewal: Arbitrary<RenewOptions | undefined> = fc.option(
  fc.record({ ignoreAttempt: fc.boolean(), alone: fc.boolean() }),
  { nil: undefined },
);

export interface ActivityChoice {
  readonly instance: string;
  readonly id: number;
  readonly execution: number;
  readonly tag: string | undefined;
  readonly session: string | undefined;
}

export const anActivity: Arbitrary<ActivityChoice> = fc.record({
  instance: anInstance,
  id: fc.integer({ min: 2, max: 4 }),
  execution: fc.integer({ min: 1, max: 2 }),
  tag: fc.option(fc.constantFrom("gpu", "cpu"), { nil: undefined }),
  session: fc.option(fc.constantFrom("s1", "s2"), { nil: undefined }),
});

export function activityOf(situation: Situation, choice: ActivityChoice): ActivityExecute {
  const { instance, id, execution, tag, session } = choice;
  return situation.made(activity, instance, id, {
    input: `${situation.serial()}`,
    ...(execution > 1 && { execution_id: execution }),
    ...(tag !== undefined && { tag }),
    ...(session !== undefined && { session_id: session }),
  });
}

export function idOf({ instance, execution, id }: ActivityChoice): ActivityId {
  return { instanceId: instance, executionId: execution, activityId: id };
}
