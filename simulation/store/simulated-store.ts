/** The interface of a store that a run needs. */
import type { HistoryEvent, Provider, Tags } from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";

/** The current execution of an instance, as `<instance>#<execution>`, and its status, such as `Running`. */
export interface StoredEnd {
  readonly key: string;
  readonly status: string;
}

/** The state of an instance that clients see, as it is stored. */
export interface ShownInstance {
  readonly instanceId: string;
  readonly executionId: number;
  readonly status: string;
  readonly output: string | null;
  readonly customStatus: string | null;
  readonly tags: Tags;
  readonly entries: ReadonlyMap<string, string>;
  /** The status of each execution that is listed, by its number. */
  readonly executions: ReadonlyMap<number, string>;
}

/** The contents of a store at an instant, read without the provider. */
export interface Stored {
  /** The events of each execution in their order, by `<instance>#<execution>`, as they are stored. */
  readonly histories: ReadonlyMap<string, readonly string[]>;
  decode(event: string): HistoryEvent;
  /** Contents that must not be there when nothing is left to do. */
  readonly leftovers: readonly string[];
  /** The end of each instance according to the store. */
  readonly ends: readonly StoredEnd[];
  /** Instances that clients see, and that no decided commit of several batches is about to change. */
  readonly instances: readonly ShownInstance[];
  /** Contents that must not be there at any instant, whatever is under way. */
  readonly contradictions: readonly string[];
}

/** The store as one process has it open. */
export interface Connection {
  readonly provider: Provider;
  close(): Promise<void>;
}

/**
 * A copy is kept; the store is replaced by one with nothing in it; it is replaced by the copy; it is about to lose what
 * is not durable.
 */
export type StoreChange = "saved" | "emptied" | "restored" | "losing power";

/** Use of a connection by its process. */
export type Role = "server" | "client";

export interface SimulatedStore {
  /** Opens the store for one process. May reject while faults last. */
  connect(machine: Machine, role: Role): Promise<Connection>;
  /** Faults that last: rates of loss, delays, refusals. */
  beginFaults(): void;
  endFaults(): void;
  /** One of the faults that come and go, such as a split; its name, `undefined` if none is enabled. */
  trouble(): string | undefined;
  /** Processes that have a store open that is replaced are to be ended. */
  onChange(listener: (change: StoreChange) => void): void;
  read(): Stored;
  /** Returns errors of the store itself, or of the requests to it, whatever it contains. */
  damage(): readonly string[];
  close(): Promise<void>;
}
