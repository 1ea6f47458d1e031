/** Reads the instance and its oldest visible messages, for a turn of an instance that is not in memory. */
import { messageOf } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import { type MessageRow, toMessageRow } from "../documents/rows.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";
import { spec } from "../service/spec.ts";
import { MAX_MESSAGES, selectBatch } from "./select-batch.ts";

/** Hidden messages that a turn includes: those before their start, and those of a blocked batch. */
const VISIBLE = "(c.visibleAt <= @now OR c.duroxideTs.postponedFrom <= @now)";

const BOTH = `SELECT * FROM c WHERE c.type = 'instance' OR (c.type = 'orch_queue' AND ${VISIBLE})`;

/** The order time of a timer is in its message; the other kinds may not be left out (select-batch.ts). */
const OUT_OF_LINE = `(${(["TimerFired", "StartOrchestration", "ContinueAsNew", "CancelInstance"] as const)
  .map(hasKind)
  .join(" OR ")})`;

const OLDEST = `SELECT * FROM c WHERE c.type = 'orch_queue' AND ${VISIBLE} AND NOT ${OUT_OF_LINE}
  ORDER BY c.enqueuedAt`;

const ALL_OUT_OF_LINE = `SELECT * FROM c WHERE c.type = 'orch_queue' AND ${VISIBLE} AND ${OUT_OF_LINE}`;

export interface Partition {
  readonly instance: Instance | undefined;
  /** Rows by order time, at most as many as one turn takes. */
  readonly rows: readonly MessageRow[];
  readonly undecodable: readonly Undecodable[];
}

/** A row that cannot be decoded. */
export interface Undecodable {
  readonly document: Stored;
  readonly reason: string;
}

export async function readPartition(work: Work, instanceId: string): Promise<Partition> {
  const partition = await read(work, instanceId);
  work.memory.instances.read(instanceId);
  return partition;
}

async function read(work: Work, instanceId: string): Promise<Partition> {
  const nowMs = work.clock.now();
  const parameters = { "@now": nowMs };
  const limit = MAX_MESSAGES * 2;
  const { results, isAll } = await work.page<Stored>(instanceId, spec(BOTH, parameters), limit);
  const found = results.find(({ type }) => type === "instance");
  if (isAll) return toPartition(work, found, results, nowMs);
  // Rows that were read after the document exist while its ETag is unchanged.
  const document = found ?? (await work.read(instanceId, instanceDocumentId(instanceId)));
  const [oldest, outOfLine] = await Promise.all([
    work.page<Stored>(instanceId, spec(OLDEST, parameters), limit),
    work.query<Stored>(instanceId, ALL_OUT_OF_LINE, parameters),
  ]);
  return toPartition(work, document, [...oldest.results, ...outOfLine], nowMs);
}

function toPartition(
  work: Work,
  instance: Stored | undefined,
  results: readonly Stored[],
  nowMs: number,
): Partition {
  const rows: MessageRow[] = [];
  const undecodable: Undecodable[] = [];
  for (const document of results) {
    if (document["type"] !== "orch_queue" || isLockedByAnother(document, nowMs)) continue;
    try {
      rows.push(toMessageRow(document));
    } catch (error) {
      undecodable.push({ document, reason: messageOf(error) });
    }
  }
  const found = instance === undefined ? undefined : toInstance(work.operation, instance);
  return {
    instance: found,
    rows: selectBatch(rows, found?.notes.blocked !== undefined),
    undecodable,
  };
}

/** Rust locks messages one by one, beside the instance. */
function isLockedByAnother({ lockToken, lockedUntil }: Stored, nowMs: number): boolean {
  return typeof lockToken === "string" && typeof lockedUntil === "number" && lockedUntil > nowMs;
}
