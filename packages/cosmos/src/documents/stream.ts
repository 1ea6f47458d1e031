/**
 * Streams as documents in the partition of their instance (docs/decisions/streams.md). Their types are ours, and Rust
 * queries none of them. A batch is found by fields that have an index already: `executionId` is the number of its stream
 * and `eventId` the offset of its last value.
 */
import { createHash } from "node:crypto";
import type { LastOfStep, StreamRestart } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "./body.ts";
import { streamBatchDocumentId, streamDocumentId } from "./ids.ts";

/** The last write of a step: its name in the stream, and who has written it. */
export interface StepNote extends LastOfStep {
  readonly step: string;
}

/** The total size of the values before an offset. */
export type Mark = readonly [offset: number, bytes: number];

/** A stream as it was last read or written. */
export interface StreamState {
  readonly name: string;
  readonly first: number;
  readonly next: number;
  /** Bytes of all values that were ever written. */
  readonly bytes: number;
  readonly closed: boolean;
  /** Offset up to which batches were deleted. */
  readonly swept: number;
  readonly marks: readonly Mark[];
  /** The steps that have written last, the newest at the end. */
  readonly steps: readonly StepNote[];
  readonly restarts: readonly StreamRestart[];
  /** Empty before it is stored. */
  readonly etag: string;
}

/** A part of a stream, as it is stored. */
export interface StreamPart {
  readonly offset: number;
  readonly values: readonly string[];
  readonly step: string | undefined;
  readonly attempt: number;
  readonly since: number;
  /** Offset of the first value of the attempt before, in the first part of one that has taken its place. */
  readonly voids?: number | undefined;
}

/** Restarts of the record of a stream; those before are found by the parts that began them. */
export const MOST_RESTARTS = 50;

export function emptyStream(name: string): StreamState {
  const nothing = { marks: [[0, 0]], steps: [], restarts: [] } as const;
  return { name, first: 0, next: 0, bytes: 0, closed: false, swept: 0, ...nothing, etag: "" };
}

/** A number of 48 bits by which the batches of a stream are found. */
export function streamNumber(name: string): number {
  return createHash("sha256").update(name).digest().readUIntBE(0, 6);
}

export function streamBody(instanceId: string, { etag: _, ...state }: StreamState): Body {
  return { id: streamDocumentId(instanceId, state.name), instanceId, type: "stream", ...state };
}

export function batchBody(instanceId: string, name: string, part: StreamPart): Body {
  const { offset, values, step, attempt, since, voids } = part;
  return {
    id: streamBatchDocumentId(instanceId, name, offset),
    instanceId,
    type: "stream_batch",
    executionId: streamNumber(name),
    eventId: offset + values.length - 1,
    offset,
    values,
    ...(step !== undefined && { step }),
    attempt,
    since,
    ...(voids !== undefined && { voids }),
  };
}

export function toStreamState(stored: Stored): StreamState {
  const { name, first, next, bytes, closed, swept, marks, steps, restarts } =
    stored as unknown as StreamState;
  return { name, first, next, bytes, closed, swept, marks, steps, restarts, etag: stored._etag };
}

export function toStreamPart(stored: object): StreamPart {
  const { offset, values, step, attempt, since } = stored as StreamPart;
  return { offset, values, step, attempt, since };
}
