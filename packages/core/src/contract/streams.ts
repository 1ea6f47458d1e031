/**
 * Streams: what a store keeps of them, and the rules that every store shares (docs/decisions/streams.md). A stream is kept
 * in batches: values of one writer with consecutive offsets, stored together and dropped together.
 */
import { ProviderError } from "./provider-error.ts";

/** The values that a stream keeps at least; a tenth more at most. The oldest go. */
export interface StreamBounds {
  readonly maxItems: number;
  /** UTF-8 bytes of the values. */
  readonly maxBytes: number;
}

/** The values that a turn or an append adds to a stream. */
export interface StreamChange {
  /** Name of the stream. */
  readonly stream: string;
  /** Values in their order, as the codec wrote them. */
  readonly values: readonly string[];
  /** Whether the stream ends after them. */
  readonly close: boolean;
  readonly bounds: StreamBounds;
  /** Set for one batch of a stream that is copied, of an import: it keeps its place, and what is known of it. */
  readonly origin?: StreamOrigin;
}

/** The place of a batch in the stream that it is copied from, and its writer. */
export interface StreamOrigin {
  readonly offset: number;
  readonly step?: string;
  readonly attempt: number;
  readonly since: number;
  /** Offset of the first value of the attempt before, in the first batch of one that has taken its place. */
  readonly voids?: number;
}

/** A stream of an instance, without its values. */
export interface StreamInfo {
  readonly stream: string;
  /** Offset of the oldest value that is kept. */
  readonly first: number;
  /** Offset of the next value. */
  readonly next: number;
  readonly closed: boolean;
}

/** The values that a delivery of an activity adds to a stream of its instance. */
export interface StreamAppend extends StreamChange {
  readonly instanceId: string;
  readonly writer: StreamWriter;
}

/** One delivery of an activity, which writes to a stream. */
export interface StreamWriter {
  /** A text that only this call of the instance has; the same for all its deliveries and retries. */
  readonly call: string;
  /** Name of the activity. */
  readonly name: string;
  /** A text that no other delivery has. */
  readonly delivery: string;
  /** The least number that the delivery can have among those of its call, from 1. */
  readonly leastAttempt: number;
  /** The number of values that the delivery has written to the stream before; a repeated append stores nothing twice. */
  readonly written: number;
  /** Token of the activity. The append is refused with `lock-lost` once another fetch has the activity, or it is gone. */
  readonly lockToken: string;
}

/** `closed`: the stream was closed before; nothing is stored. */
export type AppendOutcome = "stored" | "closed";

/** Values with consecutive offsets. Those of one attempt of a step have its name. */
export interface StreamBatch {
  readonly offset: number;
  readonly values: readonly string[];
  /** Name of the step among those of the stream; absent for values of orchestration code. */
  readonly step?: string;
  /** 1 for orchestration code. */
  readonly attempt: number;
  /** Offset of the first value of the attempt. */
  readonly since: number;
}

/** An attempt of a step that has taken the place of another one. */
export interface StreamRestart {
  /** Offset of its first value. */
  readonly at: number;
  readonly step: string;
  readonly attempt: number;
  /** Offset of the first value of the attempt before. */
  readonly fromOffset: number;
}

/** Part of a stream, as of one moment. */
export interface StreamPage {
  /** `waiting`: the start is stored and not processed. `ended`: the stream is closed, or its instance has ended. */
  readonly state: "waiting" | "open" | "ended";
  /** A text that another instance of the same id does not have; empty while its start waits. */
  readonly life: string;
  /** Offset of the oldest value that is kept. */
  readonly first: number;
  /** Offset of the next value. */
  readonly next: number;
  /** The batches from the one on that has the offset, as many as fit a page; none only where there are no more. */
  readonly batches: readonly StreamBatch[];
  /** Attempts that begin at the offset or later, in their order. */
  readonly restarts: readonly StreamRestart[];
}

/** The part of a stream from an offset on. */
export interface StreamRead {
  readonly instanceId: string;
  readonly stream: string;
  readonly from: number;
}

/** A text that only this stream has, whatever instances are called. */
export function streamKey(instanceId: string, stream: string): string {
  return `${stream.length}:${stream}${instanceId}`;
}

/** The error of a store without streams, and so without progress. */
export function noStreams(operation: string, store: string): ProviderError {
  const message = `the store ${store} keeps no streams and no progress; use one that does`;
  return new ProviderError({ code: "unsupported", operation, message });
}

/** Values of a page, bytes; one batch at least. */
export const STREAM_PAGE_BYTES = 1_048_576;

/** Values that are stored together. */
export interface SizedValues {
  readonly values: readonly string[];
  /** UTF-8 bytes of the values. */
  readonly bytes: number;
}

/** Parts of at most a tenth of what the stream keeps, so that dropping whole parts keeps hardly more than that. */
export function partsOf(
  values: readonly string[],
  { maxItems, maxBytes }: StreamBounds,
  sizeOf: (value: string) => number,
  mostBytes: number = STREAM_PAGE_BYTES,
): readonly SizedValues[] {
  const mostItems = Math.max(1, Math.floor(maxItems / 10));
  const most = Math.min(maxBytes / 10, mostBytes);
  const parts: SizedValues[] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const value of values) {
    const size = sizeOf(value);
    if (part.length > 0 && (part.length >= mostItems || bytes + size > most)) {
      parts.push({ values: part, bytes });
      part = [];
      bytes = 0;
    }
    part.push(value);
    bytes += size;
  }
  if (part.length > 0) parts.push({ values: part, bytes });
  return parts;
}

/** Whether the stream keeps enough without its oldest batch. */
export function mayDrop(
  kept: { readonly items: number; readonly bytes: number },
  oldest: { readonly items: number; readonly bytes: number },
  { maxItems, maxBytes }: StreamBounds,
): boolean {
  return kept.items - oldest.items >= maxItems || kept.bytes - oldest.bytes >= maxBytes;
}
