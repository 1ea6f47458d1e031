/**
 * Defines what an environment needs of a kind of store: to open a fresh one, to connect to it, and to know when it is
 * at rest.
 */
import type { Clock, Provider, Random } from "@duroxide-ts/core";

export interface StoreKind {
  /** Name in the names of tests. */
  readonly name: string;
  /** `real` where the store's own waiting cannot be moved by a test. */
  readonly time: "virtual" | "real";
  /** One that shares nothing with any other. */
  open(options: StoreOptions): Promise<OpenedStore>;
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** SQLite keeps it in a file, so that it outlives its provider. Other stores always do. */
  readonly file: boolean;
}

/** Disposing removes what is stored. */
export interface OpenedStore extends AsyncDisposable {
  /** Path of SQLite's file. */
  readonly path?: string;
  /** Undefined where the store is in this process, and virtual time needs to wait for nothing. */
  readonly traffic?: Traffic;
  /** A provider that knows nothing but what is stored, as a process opens one that has just started. */
  connect(): Promise<Provider & AsyncDisposable>;
}

/** Requests to another process. */
export interface Traffic {
  /** How many are on their way. */
  readonly inFlight: number;
  /** Resolves when none is. */
  idle(): Promise<void>;
}
