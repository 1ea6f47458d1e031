/** What the author of a provider writes: how a fresh store is opened, what it claims, and hooks into it. */
import type { Clock } from "@duroxide-ts/core";
import type { Provider } from "@duroxide-ts/core/stores";

/** Opens stores of one kind. */
export interface ProviderFactory {
  /** For reports, such as "sqlite, in memory". */
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Opens a fresh store that shares nothing with any other: cases use the same ids over and over, in parallel. */
  open(options: OpenOptions): Promise<TestStore>;
}

/** What a kind of store claims. */
export interface Capabilities {
  /**
   * `virtual`: the provider takes the clock that `open` hands in, for everything. `system`: leases run in real time.
   */
  readonly clock: "virtual" | "system";
  /** Whether a fetch waits up to `pollTimeoutMs` for work, or returns at once. */
  readonly polling: "long" | "short";
  /** How long a short poll, or any single call, may take, ms; 100 by default. */
  readonly responseMs?: number;
  /** The lease that cases take by default, ms: 30,000 in virtual time, 5,000 in real time. */
  readonly lockMs?: number;
  /**
   * Whether each operation is one storage call, such as a local transaction, or may be several. A store with
   * several must offer `failStorageCall`, for what happens between them is where work is lost.
   */
  readonly storageCalls: "one" | "several";
  /**
   * `whole`, the default: a turn gets all visible messages of its instance. `completions-first`: completions and
   * the start of the next execution may also come alone, while older messages wait; what waits comes later, and
   * everything else is in order. A timer never comes alone while a message waits that came before it was due.
   */
  readonly batches?: "whole" | "completions-first";
  /** Acks return a `historyTag`, and a fetch with this tag leaves out the history that the caller has in memory. */
  readonly historyTags?: boolean;
}

/** Given to each `open`. */
export interface OpenOptions {
  /** Stands still until a case moves it where the capability is `virtual`; the system's otherwise. */
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
   * Makes the nth storage call from now on fail (1 is the next): `before` it reaches the store, or `after` the
   * store has carried it out, as a lost response does. Retries inside the provider count as calls.
   */
  failStorageCall?(nth: number, when: "before" | "after"): ArmedFault;
  /** Resolves when no storage call of any provider is in flight; needed where these are real I/O in virtual time. */
  idle?(): Promise<void>;
}

/** A fault that waits for its call. */
export interface ArmedFault {
  /** Whether its call has come. */
  readonly fired: boolean;
  /** From now on calls succeed again. */
  disarm(): void;
}
