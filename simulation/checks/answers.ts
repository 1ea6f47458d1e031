/** Checks that an instance answers a question once, however often it was asked, in each of its lives. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { isAnswerKey } from "@duroxide-ts/core/stores";

type Histories = ReadonlyMap<string, readonly HistoryEvent[]>;

/** Returns the answers that were given again. No simulated run takes as long as an answer is kept. */
export function answeredTwice(decoded: Histories): readonly string[] {
  return [...decoded].flatMap(([key, events]) => {
    const at = key.lastIndexOf("#");
    const [instanceId, executionId] = [key.slice(0, at), Number(key.slice(at + 1))];
    const given = answersBefore(decoded, instanceId, executionId);
    const again: string[] = [];
    for (const answer of answersOf(events)) {
      if (given.has(answer)) again.push(`${key}: the question of ${answer} was answered twice`);
      given.add(answer);
    }
    return again;
  });
}

/** Answers with which the execution began; an operator may have begun it with those of an earlier one. */
function answersBefore(decoded: Histories, instanceId: string, executionId: number): Set<string> {
  const [started] = decoded.get(`${instanceId}#${executionId}`) ?? [];
  const revision = started?.type === "OrchestrationStarted" ? started.revision : undefined;
  if (revision?.verb === "restart" || executionId <= 1) return new Set();
  if (revision !== undefined) return answersBefore(decoded, instanceId, Number(revision.of));
  const before = decoded.get(`${instanceId}#${executionId - 1}`) ?? [];
  return new Set([...answersBefore(decoded, instanceId, executionId - 1), ...answersOf(before)]);
}

function answersOf(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "KeyValueSet" && isAnswerKey(event.key) ? [event.key] : [],
  );
}
