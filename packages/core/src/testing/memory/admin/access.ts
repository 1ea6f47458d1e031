/** How administrative operations reach the data of the provider. */
import type { InstanceRevision, RevisionOutcome } from "../../../contract/revision.ts";
import type { Store } from "../store.ts";

/** Runs an operation atomically; after a change, notifies waiting fetches and listeners. */
export interface Access {
  read<T>(operation: string, read: (store: Store) => T): T;
  change<T>(operation: string, change: (store: Store) => T): T;
  /** Revises an instance. A parameter, because this folder may not import the operations. */
  readonly revise: (store: Store, revision: InstanceRevision) => RevisionOutcome;
}
