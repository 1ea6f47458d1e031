/** `dequeue`: takes the oldest message of its queue, also one that arrived before the call (runtime-semantics §2.5). */
import { arrival } from "./answers.ts";
import { inApiWords } from "./content.ts";
import type { ArrivalRequest } from "./event-wait.ts";
import { type CallKind, callKind } from "./kind.ts";

export const DEQUEUE: CallKind<ArrivalRequest, "ExternalSubscribedPersistent"> = callKind({
  name: "dequeue",
  schedules: "ExternalSubscribedPersistent",
  toEvent: ({ name }) => ({ name }),
  recorded: ({ name }) => ({ name }),
  describe: (content) => inApiWords("dequeue", content),
  answers: [arrival("QueueMessage", "ExternalEventPersistent")],
  arrival: "kept",
  drop: {
    event: "ExternalSubscribedPersistentCancelled",
    plural: "persistent waits",
  },
});
