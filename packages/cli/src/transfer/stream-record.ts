/** Streams of an instance in an export: all values that the store keeps, with their places and writers. */
import type { Provider } from "@duroxide-ts/core";
import type { StreamChange, StreamOrigin } from "@duroxide-ts/core/stores";

/** A batch with its place. */
export interface BatchRecord extends StreamOrigin {
  readonly values: readonly string[];
}

export interface StreamRecord {
  readonly stream: string;
  readonly closed: boolean;
  readonly batches: readonly BatchRecord[];
}

/** Nothing of a copy is dropped, whatever bounds the stream has. */
const NO_BOUNDS = { maxItems: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

export async function readStreams(provider: Provider, instanceId: string): Promise<readonly StreamRecord[]> {
  const records: StreamRecord[] = [];
  for (const { stream, closed, next } of (await provider.listStreams?.(instanceId)) ?? []) {
    records.push({ stream, closed, batches: await readBatches(provider, instanceId, stream, next) });
  }
  return records;
}

async function readBatches(
  provider: Provider,
  instanceId: string,
  stream: string,
  next: number,
): Promise<readonly BatchRecord[]> {
  const batches: BatchRecord[] = [];
  for (let from = 0; from < next; ) {
    const page = await provider.readStream?.({ instanceId, stream, from });
    if (page === undefined || page.batches.length === 0) break;
    const voids = new Map(page.restarts.map(({ at, fromOffset }) => [at, fromOffset]));
    for (const batch of page.batches) {
      const { offset, values } = batch;
      const isNew = offset >= from || from === 0;
      const fromOffset = voids.get(offset);
      if (isNew) batches.push({ ...batch, ...(fromOffset !== undefined && { voids: fromOffset }) });
      from = Math.max(from, offset + values.length);
    }
  }
  return batches;
}

/** One commit for each: a batch is up to 1 MiB, which is what a commit of every store holds. */
export function changesOf(streams: readonly StreamRecord[]): readonly StreamChange[] {
  return streams.flatMap(({ stream, closed, batches }): readonly StreamChange[] => {
    if (batches.length === 0) return [{ stream, values: [], close: closed, bounds: NO_BOUNDS }];
    return batches.map(({ values, ...origin }, index) => {
      const close = closed && index === batches.length - 1;
      return { stream, values, origin, close, bounds: NO_BOUNDS };
    });
  });
}

/** Whether a value of an export has the form of streams; what a store refuses, it says itself. */
export function areStreams(value: unknown): value is readonly StreamRecord[] {
  return Array.isArray(value) && value.every(isStream);
}

function isStream(value: unknown): boolean {
  const { stream, closed, batches } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof stream === "string" && typeof closed === "boolean" && Array.isArray(batches) && isRow(batches)
  );
}

/** Each batch begins where the one before it ends. */
function isRow(batches: readonly unknown[]): boolean {
  let next: number | undefined;
  for (const batch of batches) {
    const { offset, values, step, attempt, since, voids } = (batch ?? {}) as Readonly<
      Record<string, unknown>
    >;
    const areNumbers = [offset, attempt, since, voids ?? 0].every(
      (each) => Number.isSafeInteger(each) && Number(each) >= 0,
    );
    if (!areNumbers || (next !== undefined && offset !== next)) return false;
    if (!Array.isArray(values) || values.length === 0 || !values.every((each) => typeof each === "string"))
      return false;
    if (step !== undefined && typeof step !== "string") return false;
    next = Number(offset) + values.length;
  }
  return true;
}
