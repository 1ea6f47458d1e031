/**
 * `dequeue`, and the wait for a kept event: takes the oldest message of its queue, also one that arrived before the call
 * (runtime-semantics §2.5).
 */
import { arrival } from "./answers.ts";
import { inApiWords } from "./content.ts";
import type { ArrivalRequest } from "./event-wait.ts";
import { type CallKind, callKind } from "./kind.ts";

export const DEQUEUE: CallKind<ArrivalRequest, "ExternalSubscribedPersistent"> = callKind({
  name: "dequeue",
  schedules: "ExternalSubscribedPersistent",
  toEvent: ({ name, isEvent }) => ({ name, ...(isEvent === true && { kept_event: true }) }),
  recorded: ({ name, kept_event }) => ({ name, isEvent: kept_event }),
  adopt: (request, { kept_event }) => {
    request.isEvent = kept_event;
  },
  describe: (content) => inApiWords(content.isEvent === true ? "waitForEvent" : "dequeue", content),
  answers: [arrival("QueueMessage", "ExternalEventPersistent")],
  arrival: "kept",
  drop: {
    event: "ExternalSubscribedPersistentCancelled",
    plural: "persistent waits",
  },
});
