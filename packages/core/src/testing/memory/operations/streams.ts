/** Streams of instances (docs/reference/provider-contract.md §13.1): batches in memory, the oldest first. */
import { ProviderError } from "../../../contract/provider-error.ts";
import { hasEnded } from "../../../contract/status.ts";
import { type AttemptOfAppend, attemptOf, stepOf } from "../../../contract/stream-attempts.ts";
import {
  type AppendOutcome,
  mayDrop,
  partsOf,
  STREAM_PAGE_BYTES,
  type StreamAppend,
  type StreamBatch,
  type StreamChange,
  type StreamInfo,
  type StreamOrigin,
  type StreamPage,
  type StreamRead,
} from "../../../contract/streams.ts";
import { utf8Bytes } from "../../../wire/utf8.ts";
import { findLockedActivity } from "../locks.ts";
import { currentExecution, type Store, type StoredStream, type StreamRow } from "../store.ts";
import { takenBy } from "./taken-by.ts";

const OPERATION = "appendStream";

export function appendStream(store: Store, append: StreamAppend): AppendOutcome {
  const { instanceId, writer, values } = append;
  const { instanceId: owner } = findLockedActivity(store, OPERATION, writer.lockToken);
  if (owner !== instanceId) throw ProviderError.lockLost(OPERATION);
  const stream = streamOf(store, owner, append.stream);
  if (stream.closed) return "closed";
  const { step, last } = stepOf(writer, (name) => stream.batches.findLast((batch) => batch.step === name));
  const attempt = attemptOf(writer, last, stream.next);
  const { call, delivery, written } = writer;
  add(stream, { ...append, values: values.slice(attempt.repeated) }, attempt, {
    step,
    call,
    delivery,
    written: written + attempt.repeated,
  });
  stream.closed ||= append.close;
  return "stored";
}

/** Stores what a turn writes, but for closed streams. */
export function storeStreams(store: Store, instanceId: string, changes: readonly StreamChange[]): void {
  for (const change of changes) {
    const stream = streamOf(store, instanceId, change.stream);
    if (stream.closed) continue;
    if (change.origin !== undefined) copy(stream, change.values, change.origin);
    else add(stream, change, { attempt: 1, since: stream.next, repeated: 0, voids: undefined }, undefined);
    stream.closed = change.close;
  }
}

/** An ended instance that goes on writes to its streams again. */
export function openStreams(store: Store, instanceId: string): void {
  for (const stream of store.streams.get(instanceId)?.values() ?? []) stream.closed = false;
}

export function readStream(
  store: Store,
  { instanceId, stream: name, from }: StreamRead,
): StreamPage | undefined {
  const instance = store.instances.get(instanceId);
  if (instance === undefined) return takenBy(store, instanceId) === undefined ? undefined : WAITING;
  const life = `${instance.number}`;
  const isOver = hasEnded(currentExecution(store, instanceId)?.status);
  const stream = store.streams.get(instanceId)?.get(name);
  if (stream === undefined)
    return { state: isOver ? "ended" : "open", life, first: 0, next: 0, batches: [], restarts: [] };
  const { first, next, closed, batches } = stream;
  const state = closed || isOver ? "ended" : "open";
  const restarts = batches.flatMap(({ offset: at, step, attempt, voids: fromOffset }) =>
    at < from || step === undefined || fromOffset === undefined ? [] : [{ at, step, attempt, fromOffset }],
  );
  return { state, life, first, next, batches: pageOf(batches, from), restarts };
}

const WAITING: StreamPage = { state: "waiting", life: "", first: 0, next: 0, batches: [], restarts: [] };

function pageOf(rows: readonly StreamRow[], from: number): readonly StreamBatch[] {
  const batches: StreamBatch[] = [];
  let room = STREAM_PAGE_BYTES;
  for (const { offset, values, step, attempt, since, bytes } of rows) {
    if (offset + values.length <= from) continue;
    room -= bytes;
    if (room < 0 && batches.length > 0) break;
    batches.push({ offset, values, ...(step !== undefined && { step }), attempt, since });
  }
  return batches;
}

function streamOf(store: Store, instanceId: string, name: string): StoredStream {
  const ofInstance = store.streams.get(instanceId) ?? new Map<string, StoredStream>();
  store.streams.set(instanceId, ofInstance);
  const stream = ofInstance.get(name) ?? { first: 0, next: 0, bytes: 0, closed: false, batches: [] };
  ofInstance.set(name, stream);
  return stream;
}

/** A batch of another stream under its own offset, of an import. */
function copy(stream: StoredStream, values: readonly string[], origin: StreamOrigin): void {
  const { offset, step, attempt, since, voids } = origin;
  if (stream.next === 0) stream.first = offset;
  const bytes = values.reduce((total, value) => total + utf8Bytes(value), 0);
  const writer = { call: "", delivery: "", written: 0 };
  stream.batches.push({ offset, values, bytes, step, ...writer, attempt, since, voids });
  stream.next = offset + values.length;
  stream.bytes += bytes;
}

/** The streams of an instance, without their values. */
export function listStreams(store: Store, instanceId: string): readonly StreamInfo[] {
  const streams = store.instances.has(instanceId) ? store.streams.get(instanceId) : undefined;
  return [...(streams ?? [])].map(([stream, { first, next, closed }]) => ({ stream, first, next, closed }));
}

function add(
  stream: StoredStream,
  { values, bounds }: Pick<StreamChange, "values" | "bounds">,
  { attempt, since, voids }: AttemptOfAppend,
  from:
    | { readonly step: string; readonly call: string; readonly delivery: string; readonly written: number }
    | undefined,
): void {
  let { written = 0 } = from ?? {};
  for (const [index, part] of partsOf(values, bounds, utf8Bytes).entries()) {
    written += part.values.length;
    stream.batches.push({
      offset: stream.next,
      values: part.values,
      bytes: part.bytes,
      step: from?.step,
      call: from?.call ?? "",
      delivery: from?.delivery ?? "",
      attempt,
      since,
      written,
      voids: index === 0 ? voids : undefined,
    });
    stream.next += part.values.length;
    stream.bytes += part.bytes;
  }
  drop(stream, bounds);
}

function drop(stream: StoredStream, bounds: StreamChange["bounds"]): void {
  let dropped = 0;
  for (const oldest of stream.batches) {
    const kept = { items: stream.next - stream.first, bytes: stream.bytes };
    const size = { items: oldest.values.length, bytes: oldest.bytes };
    if (!mayDrop(kept, size, bounds)) break;
    stream.first += size.items;
    stream.bytes -= size.bytes;
    dropped++;
  }
  if (dropped > 0) stream.batches.splice(0, dropped);
}
