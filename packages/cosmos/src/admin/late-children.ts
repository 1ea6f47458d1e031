/**
 * Finds what a deletion did not see of children: their starts are queued, they have become instances since the tree was
 * read, or they have answered since. All of it goes with their parents, because none would receive a result.
 *
 * - late-children.C1: One query finds all. A turn removes the start of a child in the commit that names its instance,
 *   and both documents lie in one partition, so a child that exists is found as one or the other.
 * - late-children.C2: What is found is left if its parent exists again: it may belong to a later instance with that id.
 *   A parent that is absent afterwards was absent or deleted when its children were read. One that is marked does not
 *   exist.
 */
import type { Stored } from "../documents/body.ts";
import { toMessageRow } from "../documents/rows.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import { readNamed } from "../leases/read-instance.ts";
import type { Work } from "../memory/parts.ts";
import { deleteUnbegun, type Unbegun } from "./unbegun-child.ts";

const IS_ANSWER = `(${hasKind("SubOrchCompleted")} OR ${hasKind("SubOrchFailed")})`;

/** Reads every queued start of a child, so one query serves a whole deletion. */
const LATE = `SELECT * FROM c
  WHERE (c.type = 'orch_queue' AND ${hasKind("StartOrchestration")} AND CONTAINS(c.workItem, '"parent_instance":"'))
  OR (c.type = 'orch_queue' AND ARRAY_CONTAINS(@receivers, c.instanceId) AND ${IS_ANSWER})
  OR (c.type = 'instance' AND ARRAY_CONTAINS(@parents, c.parentInstanceId))`;

/** A request has a limited size, and a deletion of many may have any number of parents. */
const PARENTS_PER_QUERY = 500;

/** Remains of the children that a deletion did not see. */
export interface LateChildren {
  /** The number of messages that were deleted: of children that have not begun, and answers. */
  readonly messagesDeleted: number;
  /** The ids of instances that are to be deleted. */
  readonly begun: readonly string[];
}

/**
 * Deletes the messages of children of these instances, and names the children that have begun. `marked`: one of the
 * instances that is still to be deleted, with the answers in its queue.
 */
export async function deleteMessagesOfChildren(
  work: Work,
  parents: ReadonlySet<string>,
  marked?: string,
): Promise<LateChildren> {
  const ids = [...parents];
  let messagesDeleted = 0;
  const begun: string[] = [];
  for (let at = 0; at < ids.length; at += PARENTS_PER_QUERY) {
    const some = new Set(ids.slice(at, at + PARENTS_PER_QUERY));
    for (const { row, is, instanceId } of await rowsOfChildren(work, some, marked)) {
      const child = await deleteRow(work, instanceId, row, is);
      messagesDeleted += child.messagesDeleted;
      if (child.hasBegun && !parents.has(instanceId)) begun.push(instanceId);
    }
  }
  return { messagesDeleted, begun };
}

/** Returns the rows without those that may belong to a later instance (late-children.C2). */
async function rowsOfChildren(
  work: Work,
  parents: ReadonlySet<string>,
  marked: string | undefined,
): Promise<readonly LateRow[]> {
  const ids = [...parents];
  const existing = new Map<string, boolean>();
  const found: LateRow[] = [];
  const receivers = ids.filter((id) => id !== marked);
  for (const row of await work.queryAll<Stored>(LATE, { "@parents": ids, "@receivers": receivers })) {
    const late = lateIn(row);
    if (late === undefined || !parents.has(late.parent)) continue;
    const exists = existing.get(late.parent) ?? (await existsAgain(work, late.parent));
    existing.set(late.parent, exists);
    if (!exists) found.push({ ...late, row, instanceId: String(row["instanceId"]) });
  }
  return found;
}

async function existsAgain(work: Work, parent: string): Promise<boolean> {
  await work.fence(parent);
  return (await readNamed(work, parent)) !== undefined;
}

async function deleteRow(
  work: Work,
  instanceId: string,
  { id, _etag: ifMatch }: Stored,
  is: Late["is"],
): Promise<Unbegun> {
  if (is === "instance") return { messagesDeleted: 0, hasBegun: true };
  if (is === "start") return deleteUnbegun(work, instanceId, id);
  const { ok } = await work.batch(instanceId, [{ kind: "delete", id, ifMatch }]);
  return { messagesDeleted: ok ? 1 : 0, hasBegun: false };
}

interface Late {
  readonly is: "instance" | "start" | "answer";
  readonly parent: string;
}

interface LateRow extends Late {
  readonly row: Stored;
  readonly instanceId: string;
}

/** `undefined` for a row that cannot be decoded; a fetch sets it aside. */
function lateIn(row: Stored): Late | undefined {
  if (row["type"] === "instance") return { is: "instance", parent: String(row["parentInstanceId"]) };
  try {
    const { item } = toMessageRow(row);
    if (!("parent_instance" in item) || item.parent_instance == null) return undefined;
    return { is: item.kind === "StartOrchestration" ? "start" : "answer", parent: item.parent_instance };
  } catch {
    return undefined;
  }
}
