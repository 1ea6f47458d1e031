/** The processes on one container, as the searches for work see them. */
import { ALONE, type PeerGroup } from "./peer-group.ts";

export type QueueName = "orch_queue" | "worker_queue";

/** Request of a process to a queue. */
export interface Group {
  readonly queue: QueueName;
  /** Equal where the question is equal: the versions supported, the tags taken, the names registered. */
  readonly asks: string;
}

export interface Members {
  /** Called before each query of a queue: a process that asks for nothing throughout a lease is no member. */
  noteAsked(group: Group): void;
  /** This process and the others that ask for the same groups, as last read from their documents. */
  peerGroup(): PeerGroup;
  /** Tells the others that this process asks for nothing any more. */
  close(): Promise<void>;
}

/** Members of a process that shares no work, and of a fetch that does not wait. */
export const alone: Members = {
  noteAsked: () => {},
  peerGroup: () => ALONE,
  close: async () => {},
};
