/** The methods of a store for streams and progress: it has all of them, or none (docs/reference/provider-contract.md §13.1, §13.2). */
import type { ProgressReport, StoredProgress } from "./progress.ts";
import type { AppendOutcome, StreamAppend, StreamInfo, StreamPage, StreamRead } from "./streams.ts";

/** The part of a store that keeps streams and progress. */
export interface ProviderStreams {
  /**
   * Optional, with `readStream`: a store without streams has neither (§13.1). Adds values of a running activity to a stream
   * of its instance: all of them or none. `lock-lost` once another fetch has the activity, or it is gone.
   */
  appendStream?(append: StreamAppend): Promise<AppendOutcome>;

  /** A page of a stream; `undefined` for an instance that neither exists nor has a start that waits (§13.1). */
  readStream?(read: StreamRead): Promise<StreamPage | undefined>;

  /**
   * Optional, with `readProgress`: a store without both keeps no progress (§13.2). Replaces the last report of a call.
   * `lock-lost` as `appendStream`.
   */
  reportProgress?(report: ProgressReport): Promise<void>;

  /** The last report of each call of the instance, or of one call; none for an unknown one (§13.2). */
  readProgress?(instanceId: string, call?: string): Promise<readonly StoredProgress[]>;

  /** The streams of an instance, in any order; none of an unknown one (§13.1). */
  listStreams?(instanceId: string): Promise<readonly StreamInfo[]>;

  /** The time after which a reader that waits looks again, ms, where no listener tells it; `Infinity` if all do. */
  readonly streamPollMs?: number;

  /** The same as `watchInstance` for the values and the end of a stream, which that does not tell of. */
  watchStream?(instanceId: string, stream: string, listener: () => void): () => void;
}
