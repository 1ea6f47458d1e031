/**
 * A page of a stream (docs/reference/provider-contract.md §13.1). One query has the instance and its streams, so a look in
 * vain is one request; a second one reads the values.
 */
import {
  hasEnded,
  ProviderError,
  STREAM_PAGE_BYTES,
  type StreamBatch,
  type StreamInfo,
  type StreamPage,
  type StreamRead,
  type StreamRestart,
} from "@duroxide-ts/core/stores";
import { NOTES_FIELD } from "../documents/body.ts";
import { type Notes, runsOn } from "../documents/instance.ts";
import { MOST_RESTARTS, type StreamState, streamNumber, toStreamPart } from "../documents/stream.ts";
import { hasKind } from "../documents/work-item-kind.ts";
import type { Work } from "../memory/parts.ts";
import { spec } from "../service/spec.ts";

const STATE = `SELECT c.type, c._rid, c.orchestrationName, c.status, c.${NOTES_FIELD}.completedAt,
  c.${NOTES_FIELD}.deletion, c.name, c.first, c.next, c.closed, c.restarts FROM c
  WHERE c.type = 'instance' OR c.type = 'stream' OR (c.type = 'orch_queue' AND ${hasKind("StartOrchestration")})`;

const BATCHES = `SELECT c['offset'], c['values'], c.step, c.attempt, c.since FROM c WHERE c.type = 'stream_batch'
  AND c.executionId = @stream AND c.eventId >= @from ORDER BY c.eventId`;

const RESTARTS = `SELECT c['offset'], c.step, c.attempt, c.voids FROM c WHERE c.type = 'stream_batch'
  AND c.executionId = @stream AND c.eventId >= @from AND IS_DEFINED(c.voids) ORDER BY c.eventId`;

interface RestartRow {
  readonly offset: number;
  readonly step: string;
  readonly attempt: number;
  readonly voids: number;
}

/** More than fit a page, but for values of few bytes each in batches of their own. */
const MOST_BATCHES = 100;

interface StateRow
  extends Pick<StreamState, "name" | "first" | "next" | "closed" | "restarts">,
    Pick<Notes, "completedAt" | "deletion"> {
  readonly type: string;
  readonly _rid: string;
  readonly orchestrationName: string;
  readonly status: string;
}

/** `firstBefore` is where the stream began in an earlier look that missed values. */
export async function readPage(
  work: Work,
  read: StreamRead,
  firstBefore?: number,
): Promise<StreamPage | undefined> {
  const { instanceId, stream, from } = read;
  const rows = await work.query<StateRow>(instanceId, STATE);
  const instance = namedIn(rows);
  if (instance === undefined)
    return rows.some(({ type }) => type === "orch_queue")
      ? { ...NOTHING, state: "waiting", life: "" }
      : undefined;
  const isOver = hasEnded(instance.status) && !runsOn(instance.status, instance.completedAt);
  const found = rows.find(({ type, name }) => type === "stream" && name === stream);
  const state = isOver || found?.closed === true ? "ended" : "open";
  const life = instance._rid;
  if (found === undefined) return { ...NOTHING, state, life };
  const { first, next, restarts } = found;
  const page = { state, life, first, next } as const;
  if (next <= from) return { ...page, batches: [], restarts: [] };
  const batches = await batchesOf(work, instanceId, stream, { from: Math.max(from, first), next });
  if (batches === undefined) {
    if (first === firstBefore) throw valuesMissing(read, Math.max(from, first));
    // A sweep has deleted what the record had when it was read.
    return readPage(work, read, first);
  }
  const all =
    restarts.length < MOST_RESTARTS
      ? restarts
      : await restartsOf(work, instanceId, stream, { from: Math.max(from, first), next });
  return { ...page, batches, restarts: all.filter(({ at }) => at >= from) };
}

function valuesMissing({ instanceId, stream }: StreamRead, offset: number): ProviderError {
  return new ProviderError({
    code: "corrupt-data",
    operation: "readStream",
    message: `instance ${JSON.stringify(instanceId)}: the document with value ${offset} of stream ${JSON.stringify(stream)} is gone, although the stream has it. Read from a later offset, or repair the container`,
  });
}

/** Reads the restarts of the record, and those before that it has no room for (extend-stream.ES2). */
async function restartsOf(
  work: Work,
  instanceId: string,
  stream: string,
  { from, next }: { readonly from: number; readonly next: number },
): Promise<readonly StreamRestart[]> {
  const parameters = { "@stream": streamNumber(stream), "@from": from };
  const rows = await work.query<RestartRow>(instanceId, RESTARTS, parameters);
  return rows
    .filter(({ offset }) => offset < next)
    .map(({ offset: at, step, attempt, voids: fromOffset }) => ({ at, step, attempt, fromOffset }));
}

/** The streams of an instance; none of an unknown one. */
export async function streamsOf(work: Work, instanceId: string): Promise<readonly StreamInfo[]> {
  const rows = await work.query<StateRow>(instanceId, STATE);
  if (namedIn(rows) === undefined) return [];
  return rows
    .filter(({ type }) => type === "stream")
    .map(({ name: stream, first, next, closed }) => ({ stream, first, next, closed }));
}

const NOTHING = { first: 0, next: 0, batches: [], restarts: [] } as const;

function namedIn(rows: readonly StateRow[]): StateRow | undefined {
  return rows.find(
    ({ type, orchestrationName, deletion }) =>
      type === "instance" &&
      orchestrationName !== "" &&
      orchestrationName !== undefined &&
      deletion === undefined,
  );
}

/** `undefined` if the first of the values is not stored. */
async function batchesOf(
  work: Work,
  instanceId: string,
  stream: string,
  { from, next }: { readonly from: number; readonly next: number },
): Promise<readonly StreamBatch[] | undefined> {
  const asked = spec(BATCHES, { "@stream": streamNumber(stream), "@from": from });
  const { results } = await work.page<object>(instanceId, asked, MOST_BATCHES);
  const batches: StreamBatch[] = [];
  let room = STREAM_PAGE_BYTES;
  for (const { offset, values, step, attempt, since } of results.map(toStreamPart)) {
    // A batch that came after the record was read.
    if (offset >= next) break;
    const kept = values.slice(Math.max(0, from - offset));
    room -= kept.reduce((total, value) => total + Buffer.byteLength(value), 0);
    if (room < 0 && batches.length > 0) break;
    const at = Math.max(offset, from);
    batches.push({ offset: at, values: kept, ...(step !== undefined && { step }), attempt, since });
  }
  const [oldest] = batches;
  return oldest === undefined || oldest.offset > from ? undefined : batches;
}
