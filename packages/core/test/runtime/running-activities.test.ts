/**
 * Recognition of the hand-out that is the work that runs already (the invariants running-activities.A1 and
 * running-activities.A2).
 */
import { describe, expect, it } from "vitest";
import type { FetchedWork } from "../../src/contract/provider.ts";
import { RunningActivities } from "../../src/runtime/running/running-activities.ts";

const handOut = (attemptCount: number, changes: Partial<FetchedWork["item"]> = {}): FetchedWork => ({
  item: { kind: "ActivityExecute", instance: "i", execution_id: 1, id: 2, name: "a", input: "1", ...changes },
  lockToken: `lock-${attemptCount}`,
  attemptCount,
});
const outcome = { kind: "ActivityCompleted", instance: "i", execution_id: 1, id: 2, result: "1" } as const;

/** A lock that notes what is done with it. */
function noting(notes: string[] = []) {
  return {
    notes,
    token: "t",
    isLost: false,
    replace: async ({ lockToken }: FetchedWork) => void notes.push(`replace ${lockToken}`),
    forgive: async () => void notes.push("forgive"),
  };
}

describe("an activity that is handed out again while it runs", () => {
  it("gives its lock to the run (running-activities.A1)", async () => {
    const running = new RunningActivities();
    const lock = noting();
    using run = running.enter(handOut(1), lock);

    expect(await running.claim(handOut(2))).toBe("adopted");
    expect(await running.claim(handOut(2))).toBe("adopted");
    expect(lock.notes).toEqual(["replace lock-2", "replace lock-2"]);
    expect(run.cancellation.requested).toBe(false);
  });

  it.each([
    ["another input", handOut(2, { input: "2" })],
    ["another name", handOut(2, { name: "b" })],
    ["a first hand-out", handOut(1)],
  ])("is other work with %s: the old run is cancelled (running-activities.A2)", async (_what, again) => {
    const running = new RunningActivities();
    using run = running.enter(handOut(1), noting());

    expect(await running.claim(again)).toBe("free");
    expect(run.cancellation.requested).toBe(true);
  });

  it("is not the run of another instance or execution", async () => {
    const running = new RunningActivities();
    using _run = running.enter(handOut(1), noting());

    expect(await running.claim(handOut(2, { instance: "j" }))).toBe("free");
    expect(await running.claim(handOut(2, { execution_id: 2 }))).toBe("free");
  });

  it("runs anew when the run has ended", async () => {
    const running = new RunningActivities();
    running.enter(handOut(1), noting())[Symbol.dispose]();

    expect(await running.claim(handOut(2))).toBe("free");
  });

  it("does not run beside a handler that goes on after its run was given up (running-activities.A1)", async () => {
    const running = new RunningActivities();
    const run = running.enter(handOut(1), noting());
    {
      using _slot = run;
      run.handlerBegan();
      run.cancellation.request(new Error("cancelled"));
      expect(await running.claim(handOut(2))).toBe("still-running");
    }
    expect(await running.claim(handOut(2))).toBe("still-running");

    run.handlerEnded();
    expect(await running.claim(handOut(2))).toBe("free");
  });
});

describe("a shutdown that cuts runs off", () => {
  it("takes their attempts back, and not those of runs that were given up before", async () => {
    const running = new RunningActivities();
    const [current, before] = [noting(), noting()];
    using _run = running.enter(handOut(1), current);
    const past = running.enter(handOut(1, { id: 9 }), before);
    past.handlerBegan();
    past[Symbol.dispose]();
    await running.forgiveAll();

    expect([current.notes, before.notes]).toEqual([["forgive"], []]);
  });
});

describe("an outcome that is kept", () => {
  it("is for the next hand-out of the same work, once (running-activities.A1, running-activities.A2)", () => {
    const running = new RunningActivities();
    running.keep(handOut(1), outcome, 1_000);

    expect(running.takeOutcome(handOut(2, { id: 3 }), 0)).toBeUndefined();
    expect(running.takeOutcome(handOut(2), 0)).toBe(outcome);
    expect(running.takeOutcome(handOut(3), 0)).toBeUndefined();
  });

  it("is not for other work under the same identity", () => {
    for (const again of [handOut(1), handOut(2, { input: "2" })]) {
      const running = new RunningActivities();
      running.keep(handOut(1), outcome, 1_000);
      expect(running.takeOutcome(again, 0)).toBeUndefined();
    }
  });

  it("is dropped after its time", () => {
    const running = new RunningActivities();
    running.keep(handOut(1), outcome, 1_000);

    expect(running.takeOutcome(handOut(2), 1_000)).toBeUndefined();
  });
});

it("the end of a handler whose run was given up is not the end of other work with its ids", async () => {
  const running = new RunningActivities();
  const earlier = running.enter(handOut(1), noting());
  earlier.handlerBegan();
  earlier[Symbol.dispose]();
  // The instance was deleted, and its id is in use again.
  using _later = running.enter(handOut(1, { input: "2" }), noting());
  earlier.handlerEnded();

  expect(running.count).toBe(1);
  expect(await running.claim(handOut(2, { input: "2" }))).toBe("adopted");
});
