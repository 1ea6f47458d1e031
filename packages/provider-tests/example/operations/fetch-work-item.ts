/** Finds the oldest activity that the caller may run, and locks it together with its session (§10 to §12). */

import type { FetchedWork, FetchWorkOptions } from "@duroxide-ts/core";
import { acceptsTag, checkTagFilter } from "@duroxide-ts/core/stores";
import { requireDurations } from "../input.ts";
import { isValid, type Moment, type WorkerRow } from "../tables.ts";
import { readWorkItem } from "../texts.ts";
import { claimSession, isOpenTo } from "./sessions.ts";

export function fetchWorkItem(moment: Moment, options: FetchWorkOptions): FetchedWork | undefined {
  const { tables, nowMs, random } = moment;
  refuse(options);
  if (options.signal?.aborted) return undefined;
  for (const row of tables.workerQueue) {
    if (!isEligible(moment, row, options)) continue;
    const item = readWorkItem(row.text);
    if (item?.kind !== "ActivityExecute") {
      tables.workerQueue.delete(row);
      tables.quarantine.add(row);
      continue;
    }
    const lockToken = random.uuid();
    row.lock = { token: lockToken, untilMs: nowMs + options.lockTimeoutMs };
    row.attempts++;
    if (row.sessionId !== undefined && options.session !== undefined)
      claimSession(moment, row.sessionId, options.session);
    return { item, lockToken, attemptCount: row.attempts };
  }
  return undefined;
}

function refuse({ lockTimeoutMs, pollTimeoutMs, session, tagFilter }: FetchWorkOptions): void {
  const operation = "fetchWorkItem";
  requireDurations(operation, { lockTimeoutMs, pollTimeoutMs });
  if (session !== undefined) requireDurations(operation, { sessionLockTimeoutMs: session.lockTimeoutMs });
  checkTagFilter(operation, tagFilter);
}

function isEligible(moment: Moment, row: WorkerRow, { tagFilter, session }: FetchWorkOptions): boolean {
  const isFree = row.visibleAtMs <= moment.nowMs && !isValid(row.lock, moment.nowMs);
  return isFree && acceptsTag(tagFilter, row.tag) && isOpenTo(moment, row.sessionId, session);
}
