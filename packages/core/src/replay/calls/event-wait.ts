/** `waitForEvent`: takes the next arrival of its name; an arrival without a wait is lost (runtime-semantics §2.4). */
import { arrival } from "./answers.ts";
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

/** The request of a wait or a dequeue. */
export interface ArrivalRequest extends Content {
  readonly name: string;
  /** Whether it is the wait for a kept event; taken from history once there is an event. */
  isEvent?: boolean | undefined;
}

export const EVENT_WAIT: CallKind<ArrivalRequest, "ExternalSubscribed"> = callKind({
  name: "wait",
  schedules: "ExternalSubscribed",
  toEvent: ({ name }) => ({ name }),
  recorded: ({ name }) => ({ name }),
  describe: (content) => inApiWords("waitForEvent", content),
  answers: [arrival("ExternalRaised", "ExternalEvent")],
  arrival: "lost",
  drop: { event: "ExternalSubscribedCancelled", plural: "external waits" },
});
