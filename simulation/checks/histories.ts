/**
 * The invariants of a stored history at any time, for any writer and however often the writer was interrupted.
 *
 * - histories.E1: Events are numbered from 1 without a gap, but for failures that a retry has taken out of the events
 *   that it repeats.
 * - histories.E2: An execution ends once. After its end come the drops of what it had not awaited, and nothing else.
 * - histories.E3: What was scheduled is answered at most once, and nothing is answered that was not scheduled.
 * - histories.E4: A timer does not fire before its time, where the clocks of all processes agree. So does no instance
 *   end by its timeout.
 * - histories.E5: A message is there once, however often its client has sent it. Each message of a program has a
 *   content of its own.
 */
import { askedQuestion, type HistoryEvent, isTerminal, type U64 } from "@duroxide-ts/core/stores";

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ActivityScheduled: ["ActivityCompleted", "ActivityFailed"],
  SubOrchestrationScheduled: ["SubOrchestrationCompleted", "SubOrchestrationFailed"],
  TimerCreated: ["TimerFired"],
};

const ASKED_BY: ReadonlyMap<string, string> = new Map(
  Object.entries(ANSWERS).flatMap(([asked, answers]) => answers.map((answer) => [answer, asked])),
);

/** `key` is `<instance>#<execution>`. */
export function historyViolations(
  key: string,
  events: readonly HistoryEvent[],
  clocksAgree: boolean,
): readonly string[] {
  const violations: string[] = [];
  const asked = new Map<U64, HistoryEvent>();
  const answered = new Set<U64>();
  const arrived = new Set<string>();
  let hasEnded = false;
  const repeatedUntil = lastRepeated(events[0]);
  let lastId: U64 = 0;
  for (const event of events) {
    const { event_id: id, type, source_event_id: source = 0 } = event;
    const follows = Number(id) === Number(lastId) + 1 || (id > lastId && id <= repeatedUntil);
    if (!follows) violations.push(`${key}: event ${id} follows event ${lastId}`);
    lastId = id;
    if (hasEnded && !type.includes("Cancel"))
      violations.push(`${key}: event ${id}, ${type}, follows its end`);
    hasEnded ||= isTerminal(event);
    // Two askers of one question send the same message in the same millisecond.
    if (type === "ExternalEventPersistent" && askedQuestion(event.name) === undefined) {
      const message = `${event.name} ${event.data}`;
      if (arrived.has(message)) violations.push(`${key}: event ${id} is message ${message} again`);
      arrived.add(message);
    }
    if (
      clocksAgree &&
      type === "OrchestrationCancelRequested" &&
      event.timestamp_ms < (event.deadline_ms ?? 0)
    ) {
      violations.push(`${key}: event ${id}, ${type}, came before the timeout`);
    }
    if (type in ANSWERS) asked.set(id, event);
    const askedType = ASKED_BY.get(type);
    if (askedType === undefined) continue;
    const question = asked.get(source ?? 0);
    if (question?.type !== askedType) violations.push(`${key}: event ${id}, ${type}, answers nothing`);
    if (answered.has(source ?? 0))
      violations.push(`${key}: event ${source} was answered twice, by event ${id} too`);
    answered.add(source ?? 0);
    if (clocksAgree && question?.type === "TimerCreated" && event.timestamp_ms < question.fire_at_ms) {
      violations.push(`${key}: event ${id}, ${type}, came before its time`);
    }
  }
  return violations;
}

/** The id of the last event that is of the execution before, which was changed by hand; 0 if none is. */
function lastRepeated(first: HistoryEvent | undefined): U64 {
  return first?.type === "OrchestrationStarted" ? (first.revision?.kept ?? 0) : 0;
}

/** `undefined` while it runs. */
export function endOf(events: readonly HistoryEvent[]): string | undefined {
  return events.findLast(isTerminal)?.type.slice("Orchestration".length);
}
