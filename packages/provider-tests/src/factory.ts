/** The interface for authors of providers: opening a fresh store, its capabilities, and its hooks. */
import type { Clock } from "@duroxide-ts/core";
import type { Provider } from "@duroxide-ts/core/stores";

/** Opens stores of one kind. */
export interface ProviderFactory {
  /** Name for reports, such as "sqlite, in memory". */
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Opens a fresh store that shares no data with others, because cases use the same ids concurrently. */
  open(options: OpenOptions): Promise<TestStore>;
}

/** The declared properties of a kind of store. */
export interface Capabilities {
  /**
   * `virtual`: the provider takes all times from the clock that `open` gets. `system`: leases run in real time.
   */
  readonly clock: "virtual" | "system";
  /** Whether a fetch waits up to `pollTimeoutMs` for work, or returns at once. */
  readonly polling: "long" | "short";
  /** How long a short poll, or any single call, may take, ms; 100 by default. */
  readonly responseMs?: number;
  /** The lease that cases take by default, ms: 30,000 in virtual time, 5,000 in real time. */
  readonly lockMs?: number;
  /**
   * Whether each operation is one storage call, such as a local transaction, or may be several. A store with several
   * must implement `failStorageCall`, because a failure between two calls may lose work.
   */
  readonly storageCalls: "one" | "several";
  /**
   * `whole`, the default: a turn gets all visible messages of its instance. `completions-first`: a batch may contain
   * only completions and the start of the next execution, while older messages wait for a later batch, one of the next
   * 24; all other messages are in order. A timer is never delivered before a message that arrived before the timer was due.
   */
  readonly batches?: "whole" | "completions-first";
  /** Acks return a `historyTag`, and a fetch with this tag leaves out the history that the caller has in memory. */
  readonly historyTags?: boolean;
}

/** The argument of `open`. */
export interface OpenOptions {
  /** Clock that cases advance, with the capability `virtual`; otherwise the system's. */
  readonly clock: Clock;
  /** Unique for each store, short, of letters, digits and dashes: a name for a file, a schema, a container. */
  readonly storeId: string;
}

/** A fresh store with one provider on it. Disposing closes every provider and removes the store. */
export interface TestStore extends AsyncDisposable {
  readonly provider: Provider;
  /** Another provider on the same store, as another process would open it. */
  openAnother?(): Promise<Provider>;
  /** Makes every stored event of the instance undecodable: JSON of an unknown shape is enough. */
  corruptHistory?(instanceId: string): Promise<void>;
  /** The highest stored attempt count over the instance's rows in the orchestrator queue. */
  maxAttemptCount?(instanceId: string): Promise<number>;
  /** Writes a visible row that cannot be decoded, older than everything that is enqueued later. */
  putUndecodableRow?(queue: "orchestrator" | "worker", instanceId: string): Promise<void>;
  /**
   * Makes the nth storage call from now on fail (1 is the next): `before` it reaches the store, or `after` the store
   * has executed it, like a lost response. Retries inside the provider count as calls.
   */
  failStorageCall?(nth: number, when: "before" | "after"): ArmedFault;
  /** Resolves when no storage call of any provider is in flight; needed for real I/O in virtual time. */
  idle?(): Promise<void>;
}

/** A fault for a later call. */
export interface ArmedFault {
  /** Whether its call has been made. */
  readonly fired: boolean;
  /** Removes the fault: later calls succeed. */
  disarm(): void;
}
