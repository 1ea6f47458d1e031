/** What must hold when all programs have had their time and no fault is left. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { replay } from "@duroxide-ts/core/testing";
import { orchestrations, VERSIONS } from "../programs/carry-out.ts";
import { wrongResult } from "../programs/expected.ts";
import type { Driver } from "../run/driver.ts";
import type { Stored, StoredEnd } from "../run/simulated-store.ts";
import { endOf, historyViolations } from "./histories.ts";

export async function endViolations(
  stored: Stored,
  drivers: readonly Driver[],
  { clocksAgree }: { readonly clocksAgree: boolean },
): Promise<readonly string[]> {
  const decoded = new Map(
    [...stored.histories].map(([key, events]) => [key, events.map((event) => stored.decode(event))]),
  );
  return [
    ...drivers.flatMap(wrongEnding),
    ...[...decoded].flatMap(([key, events]) => historyViolations(key, events, clocksAgree)),
    ...stored.ends().flatMap((end) => wrongStatus(end, decoded)),
    ...stored.leftovers(),
    ...(await replayViolations(stored)),
  ];
}

function wrongEnding({ program, ending, mayBeCancelled, isStarted }: Driver): readonly string[] {
  const { instanceId, steps, messages } = program;
  if (!isStarted) return [`${instanceId}: was not started in time`];
  if (ending === undefined) return [`${instanceId}: has not ended in time`];
  if (ending.status === "Failed") {
    const isRight = mayBeCancelled && /cancel/i.test(ending.message);
    return isRight ? [] : [`${instanceId}: failed: ${ending.message}`];
  }
  const wrong = wrongResult(steps, ending.output, messages);
  return wrong === undefined ? [] : [`${instanceId}: ${wrong}`];
}

/** The instance says of its execution what the history says. */
function wrongStatus(
  { key, status }: StoredEnd,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const expected = endOf(histories.get(key) ?? []) ?? "Running";
  return status === expected ? [] : [`${key}: its status is ${status}, its history says ${expected}`];
}

/** Every history, replayed by the code, comes to what is stored. */
async function replayViolations(stored: Stored): Promise<readonly string[]> {
  const code = orchestrations(VERSIONS);
  const violations: string[] = [];
  for (const [key, events] of stored.histories) {
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
