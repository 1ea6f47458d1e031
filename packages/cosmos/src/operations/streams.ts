/**
 * The methods of streams and of progress, of which the provider is made (docs/reference/provider-contract.md §13.1,
 * §13.2).
 */
import {
  type AppendOutcome,
  checkAppend,
  checkProgress,
  checkStreamRead,
  type ProgressReport,
  type StoredProgress,
  type StreamAppend,
  type StreamInfo,
  type StreamPage,
  type StreamRead,
  streamKey,
  toInstanceId,
} from "@duroxide-ts/core/stores";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS, WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { appendValues } from "../streams/append-values.ts";
import { readPage, streamsOf } from "../streams/read-page.ts";
import { progressIn, storeProgress } from "../streams/report-progress.ts";

export abstract class StreamMethods {
  /** How often a reader of a stream looks for other processes, ms: one query each. */
  readonly streamPollMs = 1_000;

  /** @internal */
  protected abstract call<T>(operation: string, act: (parts: Parts) => Promise<T>): Promise<T>;

  /** @internal */
  protected abstract get parts(): Parts;

  async appendStream(append: StreamAppend): Promise<AppendOutcome> {
    checkAppend("appendStream", append);
    const copy = { ...append, values: [...append.values] };
    return this.call("appendStream", (parts) =>
      appendValues(new Work(parts, "appendStream", WRITE_PATIENCE_MS), copy),
    );
  }

  async readStream(read: StreamRead): Promise<StreamPage | undefined> {
    checkStreamRead("readStream", read);
    const copy = { ...read, instanceId: read.instanceId.toWellFormed() };
    return this.call("readStream", (parts) => readPage(new Work(parts, "readStream", READ_TIMEOUT_MS), copy));
  }

  async listStreams(instanceId: string): Promise<readonly StreamInfo[]> {
    const id = toInstanceId("listStreams", instanceId).toWellFormed();
    return this.call("listStreams", (parts) =>
      streamsOf(new Work(parts, "listStreams", READ_TIMEOUT_MS), id),
    );
  }

  watchStream(instanceId: string, stream: string, listener: () => void): () => void {
    return this.parts.memory.streamWatchers.add(streamKey(instanceId, stream), listener);
  }

  async reportProgress(report: ProgressReport): Promise<void> {
    checkProgress("reportProgress", report);
    const copy = { ...report };
    return this.call("reportProgress", (parts) =>
      storeProgress(new Work(parts, "reportProgress", WRITE_PATIENCE_MS), copy),
    );
  }

  async readProgress(instanceId: string, call?: string): Promise<readonly StoredProgress[]> {
    const id = toInstanceId("readProgress", instanceId).toWellFormed();
    return this.call("readProgress", (parts) =>
      progressIn(new Work(parts, "readProgress", READ_TIMEOUT_MS), id, call),
    );
  }
}
