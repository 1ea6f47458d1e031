/**
 * Streams as rows (docs/reference/provider-contract.md §13.1): a row for each stream, and one for each of its batches, whose
 * values are a JSON list of texts.
 *
 * - stream-rows.SR1: `next_offset` and `bytes` of a stream are those of its batches, and change in the transaction that
 *   adds or drops them. So offsets have no gaps but at the beginning, and no append counts rows.
 * - stream-rows.SR2: A call keeps its name among the steps of a stream: that of its activity, or the one with its number
 *   where another call of the name was before it. So the last batch of a call is found by an index.
 */
import {
  type AttemptOfAppend,
  attemptOf,
  type LastOfStep,
  mayDrop,
  partsOf,
  type StreamBounds,
  type StreamOrigin,
  type StreamWriter,
  stepOf,
} from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { Database } from "../connection/database.ts";
import { toOptionalText, toText } from "../rows/codec.ts";

/** The row of a stream. */
export interface StreamRow {
  readonly stream_key: number;
  readonly first_offset: number;
  readonly next_offset: number;
  readonly bytes: number;
  readonly closed: number;
}

const FIND = `SELECT stream_key, first_offset, next_offset, bytes, closed FROM streams
  WHERE instance_key = ? AND name = ?`;
const ADD = "INSERT INTO streams (instance_key, name) VALUES (?, ?)";
const SAVE = `UPDATE streams SET first_offset = ?, next_offset = ?, bytes = ?, closed = ? WHERE stream_key = ?`;
const ADD_BATCH = `INSERT INTO stream_batches
    (stream_key, first_offset, items, bytes, step, call, delivery, attempt, since, written, voids, batch)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const LAST_OF_STEP = `SELECT call, delivery, attempt, since, written FROM stream_batches
  WHERE stream_key = ? AND step = ? ORDER BY first_offset DESC LIMIT 1`;
const OLDEST = `SELECT id, items, bytes FROM stream_batches WHERE stream_key = ? ORDER BY first_offset LIMIT 1`;
const DROP = "DELETE FROM stream_batches WHERE id = ?";
const DELETE = "DELETE FROM streams WHERE instance_key = ? RETURNING stream_key";
const DELETE_BATCHES = "DELETE FROM stream_batches WHERE stream_key = ?";
const OPEN = "UPDATE streams SET closed = 0 WHERE instance_key = ?";

/** Values that are added to a stream, and their writer. */
export interface Addition {
  readonly values: readonly string[];
  readonly close: boolean;
  readonly bounds: StreamBounds;
  readonly writer?: StreamWriter;
  readonly origin?: StreamOrigin;
}

/** The stream of the instance; a new one is added. `name` is a column. */
export function streamOf(db: Database, instanceKey: number, name: string): StreamRow {
  const found = db.get<StreamRow>(FIND, instanceKey, name);
  if (found !== undefined) return found;
  const key = db.insert(ADD, instanceKey, name);
  return { stream_key: key, first_offset: 0, next_offset: 0, bytes: 0, closed: 0 };
}

/** stream-rows.SR1 */
export function addTo(tx: Transaction, stream: StreamRow, addition: Addition): void {
  const { db } = tx;
  const { values, close, bounds, writer, origin } = addition;
  if (origin !== undefined) {
    copyTo(db, stream, addition, origin);
    return;
  }
  // stream-rows.SR2
  const lastOf = (step: string): LastOfStep | undefined =>
    db.get(LAST_OF_STEP, stream.stream_key, toText(step));
  const known = writer && stepOf(writer, lastOf);
  const attempt = writer && attemptOf(writer, known?.last, stream.next_offset);
  let { next_offset: next, bytes } = stream;
  let written = (writer?.written ?? 0) + (attempt?.repeated ?? 0);
  for (const [index, part] of partsOf(values.slice(attempt?.repeated ?? 0), bounds, utf8Bytes).entries()) {
    written += part.values.length;
    addBatch(db, stream, next, {
      ...part,
      step: known?.step,
      writer,
      written,
      attempt: attempt ?? { attempt: 1, since: next, repeated: 0, voids: undefined },
      begins: index === 0,
    });
    next += part.values.length;
    bytes += part.bytes;
  }
  const dropped = drop(db, stream, { items: next - stream.first_offset, bytes }, bounds);
  const first = stream.first_offset + dropped.items;
  db.run(SAVE, first, next, bytes - dropped.bytes, close ? 1 : stream.closed, stream.stream_key);
}

/** A batch of another stream under its own offset, of an import. */
function copyTo(
  db: Database,
  stream: StreamRow,
  { values, close }: Addition,
  { offset, step, attempt, since, voids }: StreamOrigin,
): void {
  const bytes = values.reduce((total, value) => total + utf8Bytes(value), 0);
  addBatch(db, stream, offset, {
    values,
    bytes,
    step,
    writer: undefined,
    written: 0,
    attempt: { attempt, since, repeated: 0, voids },
    begins: true,
  });
  const first = stream.next_offset === 0 ? offset : stream.first_offset;
  const next = offset + values.length;
  db.run(SAVE, first, next, stream.bytes + bytes, close ? 1 : stream.closed, stream.stream_key);
}

/** Deletes the streams of an instance. */
export function deleteStreams({ db }: Transaction, instanceKey: number): void {
  for (const { stream_key } of db.all<StreamRow>(DELETE, instanceKey)) db.run(DELETE_BATCHES, stream_key);
}

/** An ended instance that goes on writes to its streams again. */
export function openStreams({ db }: Transaction, instanceKey: number): void {
  db.run(OPEN, instanceKey);
}

interface NewBatch {
  readonly values: readonly string[];
  readonly bytes: number;
  readonly step: string | undefined;
  readonly writer: StreamWriter | undefined;
  readonly written: number;
  readonly attempt: AttemptOfAppend;
  readonly begins: boolean;
}

function addBatch(
  db: Database,
  { stream_key: key }: StreamRow,
  offset: number,
  { values, bytes, step, writer, written, attempt, begins }: NewBatch,
): void {
  const voids = begins ? attempt.voids : undefined;
  db.run(
    ADD_BATCH,
    key,
    offset,
    values.length,
    bytes,
    toOptionalText(step),
    writer?.call ?? null,
    writer?.delivery ?? null,
    attempt.attempt,
    attempt.since,
    written,
    voids ?? null,
    JSON.stringify(values),
  );
}

interface Size {
  readonly items: number;
  readonly bytes: number;
}

/** Returns what was dropped. */
function drop(db: Database, { stream_key: key }: StreamRow, all: Size, bounds: StreamBounds): Size {
  let kept = all;
  while (kept.items > bounds.maxItems || kept.bytes > bounds.maxBytes) {
    const oldest = db.get<Size & { readonly id: number }>(OLDEST, key);
    if (oldest === undefined || !mayDrop(kept, oldest, bounds)) break;
    db.run(DROP, oldest.id);
    kept = { items: kept.items - oldest.items, bytes: kept.bytes - oldest.bytes };
  }
  return { items: all.items - kept.items, bytes: all.bytes - kept.bytes };
}

function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}
