/**
 * Activities with a tag that no process serves. No process ever takes them, so none can mark them as blocked; they are
 * found where the rows of the queue and the reports of the workers are read together
 * (docs/decisions/attempts-and-blocked-work.md).
 */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { QueuedWork, Worker } from "../contract/queries.ts";
import type { Blocked } from "../contract/status.ts";
import { PERMIT_TAG, STEP_TAG } from "../wire/known-code.ts";

/**
 * Time for which a store leaves work of an unknown name to other processes, ms
 * (docs/decisions/attempts-and-blocked-work.md).
 */
const OVERDUE_MS = 10_000;

/** How many of the oldest rows are read. Rows that no process takes are among them in the end. */
interface Range {
  readonly instanceId?: string;
  readonly limit: number;
  readonly pages: number;
}

const OF_ALL: Range = { limit: 1_000, pages: 10 };

/** The blocked activities with such a tag, in the order in which they were queued. */
export async function* unservedActivities(
  admin: ProviderAdmin,
  { pages: most, ...range }: Range = OF_ALL,
): AsyncGenerator<Blocked, void, undefined> {
  let served: ServedTags | undefined;
  let continuation: string | undefined;
  for (let pages = 0; pages < most; pages++) {
    const page = await admin.listWork({
      kind: "worker",
      overdueByMs: OVERDUE_MS,
      ...range,
      ...(continuation !== undefined && { continuation }),
    });
    for (const row of page.work) {
      // A step is left to a process by the code of its orchestration, which blocks it by name.
      if (row.tag === undefined || row.tag === STEP_TAG || row.tag === PERMIT_TAG) continue;
      served ??= new ServedTags(await admin.listWorkers());
      const blocked = served.has(row.tag) ? undefined : toBlocked(row, row.tag);
      if (blocked !== undefined) yield blocked;
    }
    continuation = page.continuation;
    if (continuation === undefined) return;
  }
}

/** The same of one instance, as a list. A status may be asked often, also of an instance with thousands of activities. */
export async function unservedOf(admin: ProviderAdmin, instanceId: string): Promise<readonly Blocked[]> {
  const found: Blocked[] = [];
  const oldest: Range = { instanceId, limit: 100, pages: 1 };
  for await (const blocked of unservedActivities(admin, oldest)) found.push(blocked);
  return found;
}

/** The tags that the processes of a store take. Where no process reports itself, nothing is known of its tags. */
class ServedTags {
  readonly #tags: ReadonlySet<string>;

  constructor(workers: readonly Worker[]) {
    const serving = workers.filter(({ activitySlots }) => activitySlots.all > 0);
    this.#tags = new Set(workers.length === 0 ? ["*"] : serving.flatMap(({ tags = [] }) => tags));
  }

  has(tag: string): boolean {
    return this.#tags.has("*") || this.#tags.has(tag);
  }
}

function toBlocked(row: QueuedWork, tag: string): Blocked | undefined {
  const { instanceId, executionId, eventId, name, visibleAtMs } = row;
  if (executionId === undefined || eventId === undefined || name === undefined) return undefined;
  return {
    instanceId,
    activity: { executionId, activityId: eventId, name },
    reason: "unserved-tag",
    detail: `no process serves tag ${JSON.stringify(tag)}; start one whose workerTagFilter has it (a process with reportWorker: false does not count)`,
    sinceMs: visibleAtMs,
    attempts: 0,
    nextTryAtMs: visibleAtMs,
  };
}
