/** What the functions of a deletion need. */
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/service.ts";

export interface Deleter {
  readonly memory: Memory;
  /** A message that is delivered may be what a fetch waits for. */
  readonly queues: FetchQueues;
  readonly call: Call;
}
