/** What both ways to write leases can do: `by-procedure.ts` and `by-batch.ts`. */
import type { PartitionKey } from "@azure/cosmos";
import type { Patience } from "../service/call.ts";
import type { DocumentState } from "./arguments.ts";
import type { LeasableDocument } from "./lease.ts";
import type { LeaseAnswer } from "./procedures/answers.ts";

/** One document, and what is to become of its lease. */
export interface LeaseChange {
  readonly action: "acquire" | "break";
  readonly id: string;
  readonly partitionKey: PartitionKey;
  readonly holder: string;
  /** The same for all tries of one call. */
  readonly attempt: string;
}

export interface NextSearch {
  readonly state: DocumentState;
  readonly limit: number;
  readonly holder: string;
  /** Undefined: everywhere. */
  readonly partitionKey: PartitionKey | undefined;
}

/** A document that was leased. */
export interface Taken {
  readonly document: LeasableDocument;
  readonly partitionKey: PartitionKey;
  /** Before the request was sent, by the clock of this process. */
  readonly sinceMs: number;
}

export interface Leasing {
  /** Throws NoProcedures. */
  prepare(call: Patience): Promise<void>;
  /** One try; `busy` where another write came between. */
  change(call: Patience, change: LeaseChange): Promise<LeaseAnswer>;
  /** Fewer than the limit where there are no more, or where others took some at the same time. */
  next(call: Patience, search: NextSearch): Promise<readonly Taken[]>;
}
