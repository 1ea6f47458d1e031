/** A page of a stream, as of one moment (docs/reference/provider-contract.md §13.1). A look in vain is one statement. */
import {
  hasEnded,
  STREAM_PAGE_BYTES,
  type StreamBatch,
  type StreamInfo,
  type StreamPage,
  type StreamRead,
  type StreamRestart,
} from "@duroxide-ts/core/stores";
import { snapshot } from "../commit/reader.ts";
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";

const STATE = `SELECT i.instance_key, i.orchestration_name, i.status, i.created_at, s.stream_key, s.first_offset,
    s.next_offset, s.closed
  FROM instances AS i LEFT JOIN streams AS s ON s.instance_key = i.instance_key AND s.name = ?2
  WHERE i.instance_id = ?1`;
const WAITING_START = "SELECT 1 FROM orchestrator_queue WHERE instance_key = ? AND begins = 1";
const SIZES = `SELECT first_offset, bytes FROM stream_batches WHERE stream_key = ?1 AND first_offset >= coalesce(
    (SELECT max(first_offset) FROM stream_batches WHERE stream_key = ?1 AND first_offset <= ?2), 0)
  ORDER BY first_offset LIMIT 1000`;
const BATCHES = `SELECT first_offset, step, attempt, since, batch FROM stream_batches
  WHERE stream_key = ? AND first_offset BETWEEN ? AND ? ORDER BY first_offset`;
const RESTARTS = `SELECT first_offset, step, attempt, voids FROM stream_batches
  WHERE stream_key = ? AND first_offset >= ? AND voids IS NOT NULL ORDER BY first_offset`;

interface StateRow {
  readonly instance_key: number;
  readonly orchestration_name: string | null;
  readonly status: string;
  readonly created_at: number;
  readonly stream_key: number | null;
  readonly first_offset: number | null;
  readonly next_offset: number | null;
  readonly closed: number | null;
}

interface BatchRow {
  readonly first_offset: number;
  readonly step: string | null;
  readonly attempt: number;
  readonly since: number;
  readonly batch: string;
}

interface RestartRow {
  readonly first_offset: number;
  readonly step: string;
  readonly attempt: number;
  readonly voids: number;
}

export function readStream(db: Database, read: StreamRead): StreamPage | undefined {
  const page = look(db, read);
  return page === undefined || page.next <= read.from ? page : snapshot(db, () => readPage(db, read));
}

/** The page without its values. */
function look(db: Database, { instanceId, stream }: StreamRead): (StreamPage & { key: number }) | undefined {
  const row = db.get<StateRow>(STATE, toText(instanceId), toText(stream));
  if (row === undefined) return undefined;
  const { instance_key, orchestration_name, status, created_at, stream_key } = row;
  const base = { first: 0, next: 0, batches: [], restarts: [], key: -1 };
  if (orchestration_name === null) {
    const waits = db.get(WAITING_START, instance_key) !== undefined;
    return waits ? { state: "waiting", life: "", ...base } : undefined;
  }
  const state = row.closed === 1 || hasEnded(status) ? "ended" : "open";
  const life = `${instance_key}.${created_at}`;
  if (stream_key === null) return { state, life, ...base };
  return { ...base, state, life, first: row.first_offset ?? 0, next: row.next_offset ?? 0, key: stream_key };
}

function readPage(db: Database, read: StreamRead): StreamPage | undefined {
  const page = look(db, read);
  if (page === undefined || page.next <= read.from) return page;
  const { key } = page;
  const sizes = db.all<{ first_offset: number; bytes: number }>(SIZES, key, read.from);
  let room = STREAM_PAGE_BYTES;
  const end = sizes.findIndex(({ bytes }) => {
    room -= bytes;
    return room < 0;
  });
  const last = sizes[end === -1 ? sizes.length - 1 : Math.max(0, end - 1)];
  const rows = db.all<BatchRow>(BATCHES, key, sizes[0]?.first_offset ?? 0, last?.first_offset ?? -1);
  const restarts = db.all<RestartRow>(RESTARTS, key, read.from);
  return { ...page, batches: rows.map(toBatch), restarts: restarts.map(toRestart) };
}

const ALL = `SELECT s.name, s.first_offset, s.next_offset, s.closed FROM streams AS s
  JOIN instances AS i ON i.instance_key = s.instance_key WHERE i.instance_id = ?`;

interface StreamInfoRow {
  readonly name: string;
  readonly first_offset: number;
  readonly next_offset: number;
  readonly closed: number;
}

/** The streams of an instance, without their values. */
export function listStreams(db: Database, instanceId: string): readonly StreamInfo[] {
  return db.all<StreamInfoRow>(ALL, toText(instanceId)).map((row) => ({
    stream: fromText(row.name),
    first: row.first_offset,
    next: row.next_offset,
    closed: row.closed === 1,
  }));
}

function toBatch({ first_offset: offset, step, attempt, since, batch }: BatchRow): StreamBatch {
  const values = JSON.parse(batch) as readonly string[];
  return { offset, values, ...(step !== null && { step: fromText(step) }), attempt, since };
}

function toRestart({ first_offset: at, step, attempt, voids }: RestartRow): StreamRestart {
  return { at, step: fromText(step), attempt, fromOffset: voids };
}
