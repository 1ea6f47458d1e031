/** The interface of the two ways to write leases: `by-procedure.ts` and `by-batch.ts`. */
import type { PartitionKey } from "@azure/cosmos";
import type { Deadline } from "../service/call.ts";
import type { DocumentState } from "./arguments.ts";
import type { LeasableDocument } from "./lease.ts";
import type { LeaseAnswer } from "./procedures/answers.ts";

/** A change of the lease of one document. */
export interface LeaseChange {
  readonly action: "acquire" | "break";
  readonly id: string;
  readonly partitionKey: PartitionKey;
  readonly holder: string;
  /** The same for all attempts of one call. */
  readonly attempt: string;
}

export interface NextSearch {
  readonly state: DocumentState;
  readonly limit: number;
  readonly holder: string;
  /** Undefined: all partitions. */
  readonly partitionKey: PartitionKey | undefined;
}

/** A document that was leased. */
export interface Taken {
  readonly document: LeasableDocument;
  readonly partitionKey: PartitionKey;
  /** The time before the request was sent, by the clock of this process. */
  readonly sinceMs: number;
}

export interface Leasing {
  /** Throws NoProcedures. */
  prepare(call: Deadline): Promise<void>;
  /** One attempt; `busy` after a concurrent write. */
  change(call: Deadline, change: LeaseChange): Promise<LeaseAnswer>;
  /** Fewer than the limit if there are no more, or if other holders took some at the same time. */
  next(call: Deadline, search: NextSearch): Promise<readonly Taken[]>;
}
