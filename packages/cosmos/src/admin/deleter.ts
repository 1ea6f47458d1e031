/** Parts that the functions of a deletion need. */
import type { DeleteResult } from "@duroxide-ts/core";
import { NOTHING_DELETED } from "@duroxide-ts/core/stores";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/service.ts";

export interface Deleter {
  readonly memory: Memory;
  /** A message that is delivered may be what a fetch waits for. */
  readonly queues: FetchQueues;
  readonly call: Call;
}

export function deletedMessages(queueMessagesDeleted: number): DeleteResult {
  return { ...NOTHING_DELETED, queueMessagesDeleted };
}
