/** The records of streams, which this process mostly knows. A record that another writer has changed has another ETag. */

import { streamKey } from "@duroxide-ts/core/stores";
import { streamDocumentId } from "../documents/ids.ts";
import { emptyStream, type StreamState, toStreamState } from "../documents/stream.ts";
import type { Work } from "../memory/parts.ts";

/** Returns it as remembered, else as stored; an empty one that is not stored yet. */
export async function knownStream(work: Work, instanceId: string, stream: string): Promise<StreamState> {
  const key = streamKey(instanceId, stream);
  const remembered = work.memory.streams.get(key);
  if (remembered !== undefined) return remembered;
  const stored = await work.read(instanceId, streamDocumentId(instanceId, stream));
  const state = stored === undefined ? emptyStream(stream) : toStreamState(stored);
  if (stored !== undefined) work.memory.streams.set(key, state);
  return state;
}

/** It was written, with this ETag. */
export function wroteStream({ memory }: Work, instanceId: string, state: StreamState, etag: string): void {
  const key = streamKey(instanceId, state.name);
  if (etag === "") memory.streams.delete(key);
  else memory.streams.set(key, { ...state, etag });
  memory.streamWatchers.notify([key]);
}

export function forgetStream({ memory }: Work, instanceId: string, stream: string): void {
  memory.streams.delete(streamKey(instanceId, stream));
}
