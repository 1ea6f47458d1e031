/** The orders in which queues may have what concurrent calls send. */
import { expect, it } from "vitest";
import { raised } from "../src/messages.ts";
import { Complaint } from "../src/model/expectation.ts";
import { type Answered, explain } from "../src/model/explain.ts";
import { emptyState, type State, withInstance } from "../src/model/state.ts";

const lock = (token: string) => ({ lock: { token, untilMs: 1_000 } });
const empty = emptyState(0, { clock: "virtual", polling: "long", storageCalls: "several" });
const before = withInstance(withInstance(empty, "a", lock("of a")), "b", lock("of b"));

/** A turn of the instance, which sends these. */
function committed(instance: string, ...sent: readonly (readonly [to: string, name: string])[]): Answered {
  const ack = {
    lockToken: `of ${instance}`,
    executionId: 1,
    historyDelta: [],
    workerItems: [],
    orchestratorItems: sent.map(([to, name]) => raised(to, name)),
    metadata: {},
    cancelledActivities: [],
  };
  return {
    call: { caller: "one", method: "ackOrchestrationItem", args: [ack] },
    answer: { kind: "returned", value: {} },
  };
}

function queueOf({ messages }: State, instance: string): string {
  return messages
    .flatMap(({ instanceId, item }) => (instanceId === instance && "name" in item ? [item.name] : []))
    .join(" ");
}

function ordersAfter(...answered: readonly Answered[]): readonly string[] {
  const states = explain([before], answered, 0);
  if (states instanceof Complaint) throw new Error(states.wanted);
  return states.map((state) => `${queueOf(state, "a")}, ${queueOf(state, "b")}`).toSorted();
}

it("differ between two queues, because a message to another instance arrives after the commit", () => {
  const ofA = committed("a", ["a", "1"], ["b", "2"]);
  const ofB = committed("b", ["b", "3"], ["a", "4"]);
  expect([...new Set(ordersAfter(ofA, ofB))]).toEqual(["1 4, 2 3", "1 4, 3 2", "4 1, 2 3", "4 1, 3 2"]);
});

it("keep what one call sends in its order", () => {
  const ofA = committed("a", ["b", "1"], ["b", "2"]);
  const ofB = committed("b", ["b", "3"]);
  expect([...new Set(ordersAfter(ofA, ofB))]).toEqual([", 1 2 3", ", 3 1 2"]);
});
