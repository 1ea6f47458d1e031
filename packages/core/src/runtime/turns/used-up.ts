/**
 * A turn whose attempts are used up, also those without other work in the process
 * (docs/decisions/attempts-and-blocked-work.md). It blocks its instance and does not end it: kills from outside, a
 * starved machine or a defect of the code in this deployment may be the cause, and none of them is what the instance
 * asked for.
 *
 * - used-up.U1: A turn that does end its process must not do so all the time. So it is tried again alone, after
 *   back-offs that double from FIRST_DELAY_MS to LONGEST_DELAY_MS. They are counted from when it was first blocked and
 *   by its lone runs, because a message for the instance brings the batch back before its delay is over.
 */
import { doubledMs } from "../../contract/clock.ts";
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { GiveBack } from "../locks/give-back.ts";
import { attemptsBefore, furtherLoneRuns, isExhaustedAlone } from "../trouble/lone-runs.ts";
import type { RuntimeParts } from "./parts.ts";

const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 3_600_000;

/** Whether the turn must not run now. */
export function isUsedUp(fetched: FetchedOrchestration, nowMs: number): boolean {
  return (
    isExhaustedAlone(fetched) && (fetched.blocked?.reason !== "attempts" || nowMs < nextTryMs(fetched, nowMs))
  );
}

/** The time at which it may run alone again, ms since the epoch (used-up.U1). */
function nextTryMs(fetched: FetchedOrchestration, nowMs: number): number {
  const { blocked } = fetched;
  let atMs = blocked?.reason === "attempts" ? blocked.sinceMs : nowMs;
  for (let runs = furtherLoneRuns(fetched); runs >= 0; runs--) {
    atMs += doubledMs(FIRST_DELAY_MS, LONGEST_DELAY_MS, runs);
  }
  return atMs;
}

/** `lastError`: what this process knows of the last attempt. */
export function blockUsedUp(
  { settings, blockedLog }: Pick<RuntimeParts, "settings" | "blockedLog">,
  fetched: FetchedOrchestration,
  lastError: string | undefined,
): GiveBack {
  const { instanceId, orchestrationName, version } = fetched.item;
  const nowMs = settings.clock.now();
  const delayMs = nextTryMs(fetched, nowMs) - nowMs;
  const why = lastError ?? "its process ended, or its turn took longer than its lock";
  const detail = `${attemptsBefore(fetched)} attempts of its turn failed (limit ${settings.maxAttempts}), the last of them alone in their process: ${why}; deploy code that does not, or terminate the instance`;
  blockedLog.tell(instanceId, (fetched.blocked?.attempts ?? 0) + 1, detail, {
    event: "orchestration_attempts_used_up",
    instance_id: instanceId,
    orchestration_name: orchestrationName,
    orchestration_version: version,
    delay_ms: delayMs,
  });
  return { delayMs, ignoreAttempt: true, blocked: { reason: "attempts", detail } };
}
