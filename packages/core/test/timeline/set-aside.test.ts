/** Messages that did not fit their wait, as the timeline shows them. */
import { expect, it } from "vitest";
import { timelineOf } from "../../src/index.ts";
import type { EventPayloads, EventType, HistoryEvent } from "../../src/stores/index.ts";

class History {
  readonly events: HistoryEvent[] = [];
  readonly #executionId: number;

  constructor(executionId: number, started: Partial<EventPayloads["OrchestrationStarted"]> = {}) {
    this.#executionId = executionId;
    const first = { name: "reads", version: "1.0.0", input: "0", parent_instance: null, parent_id: null };
    this.add("OrchestrationStarted", { ...first, ...started });
  }

  add<T extends EventType>(type: T, payload: EventPayloads[T]): this {
    const envelope = {
      event_id: this.events.length + 1,
      source_event_id: null,
      instance_id: "i",
      execution_id: this.#executionId,
      timestamp_ms: 1_000,
      duroxide_version: "0.1.32",
    };
    this.events.push({ ...envelope, type, ...(payload as object) } as HistoryEvent);
    return this;
  }

  get shown(): unknown {
    const { steps, unread, setAside } = timelineOf(this.events) ?? {};
    return {
      steps: steps?.map((step) => ("data" in step ? [step.id, step.data] : [step.id])),
      unread: unread?.map(({ id }) => id),
      setAside: setAside?.map(({ id, stepId, replacedBy }) => [id, stepId, replacedBy]),
    };
  }
}

const verdict = (event: number, wait: number) => ({ event, wait, misfit: '"no number"' });
const wait = { name: "q" };
const message = (data: string) => ({ name: "q", data });

it("A message that comes to an open wait leaves it to the next one", () => {
  const history = new History(1)
    .add("ExternalSubscribedPersistent", wait)
    .add("ExternalEventPersistent", { ...message('"a"'), set_aside: [verdict(3, 2)] })
    .add("ExternalEventPersistent", message("1"));
  expect(history.shown).toEqual({ steps: [[2, "1"]], unread: [], setAside: [[3, 2, undefined]] });
});

it("Messages that were there before the wait are passed over", () => {
  const history = new History(1)
    .add("ExternalEventPersistent", message('"a"'))
    .add("ExternalEventPersistent", message('"b"'))
    .add("ExternalEventPersistent", message("1"))
    .add("ExternalEventPersistent", message("2"))
    .add("ExternalSubscribedPersistent", { ...wait, set_aside: [verdict(2, 6), verdict(3, 6)] });
  expect(history.shown).toEqual({
    steps: [[6, "1"]],
    unread: [5],
    setAside: [
      [2, 6, undefined],
      [3, 6, undefined],
    ],
  });
});

it("A message names the one in whose place it was delivered, unless that is of another execution", () => {
  const begin = (executionId: number, of: number, kept?: number) =>
    new History(executionId, {
      ...(kept !== undefined && { revision: { verb: "retry", of: 1, kept, at_ms: 1 } }),
    })
      .add("ExternalSubscribed", { name: "e" })
      .add("ExternalEvent", { name: "e", data: "5", set_aside: [verdict(3, 2)] })
      .add("ExternalEvent", { name: "e", data: "6", replaces: { execution_id: of, event_id: 3 } });
  const replaced = { steps: [[2, "6"]], unread: [], setAside: [[3, 2, 4]] };
  expect(begin(1, 1).shown).toEqual(replaced);
  expect(begin(2, 1, 3).shown, "an execution that repeats the event").toEqual(replaced);
  expect(begin(2, 1).shown).toEqual({ ...replaced, setAside: [[3, 2, undefined]] });
});
