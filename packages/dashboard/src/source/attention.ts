/** Collects what needs attention. */
import type { Blocked } from "@duroxide-ts/core";
import type { InstanceSummary, Worker } from "@duroxide-ts/core/stores";
import type { Attention } from "../page/shapes/overview.ts";

/** Work that is due for longer waits for a worker. */
const LATE_MS = 60_000;
const MOST_BLOCKED = 5;

export interface Findings {
  readonly blocked: readonly InstanceSummary[];
  /** Starts that no process has the code for, and activities with a tag that no process serves: one for each reason. */
  readonly unserved: readonly Blocked[];
  readonly workers: readonly Worker[];
  readonly oldestDueMs: number | undefined;
  readonly letters: number;
}

export function attentionOf({ blocked, unserved, workers, oldestDueMs, letters }: Findings): Attention[] {
  const blocks = blocked.map(({ instanceId, blocked: block }) => ({
    instanceId,
    detail: block?.detail ?? "",
  }));
  const found: Attention[] = [blocks, unserved].flatMap((list) =>
    list.slice(0, MOST_BLOCKED).map(({ instanceId, detail }) => ({
      state: "blocked",
      text: `${instanceId} is blocked: ${detail}`,
      path: "instance",
      query: { id: instanceId },
    })),
  );
  if (oldestDueMs !== undefined && oldestDueMs > LATE_MS) {
    const text =
      workers.length === 0
        ? "Work is due and no worker has reported itself."
        : "Work is due for more than a minute.";
    found.push({ state: "failed", text, path: "work", query: { overdue: String(LATE_MS) } });
  }
  if (letters > 0) {
    found.push({
      state: "failed",
      text: "There are rows that no worker could read.",
      path: "work",
      query: { show: "dead" },
    });
  }
  return found;
}
