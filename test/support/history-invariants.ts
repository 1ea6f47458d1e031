/** Checks what must hold of a stored history, in any store, however often its writers were interrupted. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isTerminal } from "@duroxide-ts/core/stores";

/** `key` names the execution in the violations, such as `<instance>#<execution>`. */
export function violationsInHistory(key: string, events: readonly HistoryEvent[]): readonly string[] {
  return [...gaps(key, events), ...endings(key, events), ...answers(key, events)];
}

function gaps(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const misplaced = events.findIndex(({ event_id }, index) => event_id !== index + 1);
  return misplaced < 0
    ? []
    : [`${key}: the event in place ${misplaced + 1} has the id ${events[misplaced]?.event_id}`];
}

function endings(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const ends = events.filter(isTerminal).length;
  return ends > 1 ? [`${key}: ended ${ends} times`] : [];
}

/** The kind of event that asks, and the kinds that answer it. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ActivityScheduled: ["ActivityCompleted", "ActivityFailed"],
  SubOrchestrationScheduled: ["SubOrchestrationCompleted", "SubOrchestrationFailed"],
  TimerCreated: ["TimerFired"],
};

/** Checks that what was asked for was answered once, and what was given up, once or not at all. */
function answers(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const answerTypes = new Set(Object.values(ANSWERS).flat());
  const given = events.filter(({ type }) => answerTypes.has(type));
  const givenUp = new Set(
    events
      .filter(({ type }) => type === "ActivityCancelRequested" || type === "SubOrchestrationCancelRequested")
      .map(({ source_event_id }) => source_event_id),
  );
  // A timer that lost a race against a message leaves no trace.
  const races = events.some(
    ({ type }) => type === "ExternalSubscribedPersistent" || type === "ExternalSubscribed",
  );
  // A cancellation ends the open children too, without an event for each.
  const isCancelled = events.some(({ type }) => type === "OrchestrationCancelRequested");
  const isDropped = ({ event_id, type }: HistoryEvent): boolean =>
    givenUp.has(event_id) ||
    (races && type === "TimerCreated") ||
    (isCancelled && type === "SubOrchestrationScheduled");
  const asked = events.filter(({ type }) => type in ANSWERS);
  const wrong = asked.flatMap((event) => {
    const { event_id, type } = event;
    const count = given.filter(
      (answer) => answer.source_event_id === event_id && ANSWERS[type]?.includes(answer.type),
    ).length;
    const isRight = count === 1 || (count === 0 && isDropped(event));
    return isRight ? [] : [`${key}: event ${event_id}, ${type}, was answered ${count} times`];
  });
  const ids = new Set(asked.map(({ event_id }) => event_id));
  const stray = given.filter(({ source_event_id }) => !ids.has(source_event_id ?? 0));
  return [
    ...wrong,
    ...stray.map(({ event_id, type }) => `${key}: no call asked for event ${event_id}, ${type}`),
  ];
}
