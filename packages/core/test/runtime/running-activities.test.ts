/** Which hand-out is the work that runs already (the invariants A1 and A2 of RunningActivities). */
import { describe, expect, it } from "vitest";
import type { FetchedWork } from "../../src/contract/provider.ts";
import { RunningActivities } from "../../src/runtime/running-activities.ts";

const handOut = (attemptCount: number, changes: Partial<FetchedWork["item"]> = {}): FetchedWork => ({
  item: { kind: "ActivityExecute", instance: "i", execution_id: 1, id: 2, name: "a", input: "1", ...changes },
  lockToken: `lock-${attemptCount}`,
  attemptCount,
});
const outcome = { kind: "ActivityCompleted", instance: "i", execution_id: 1, id: 2, result: "1" } as const;

describe("an activity that is handed out again while it runs", () => {
  it("gives its lock to the run (A1)", async () => {
    const running = new RunningActivities();
    const adopted: string[] = [];
    using run = running.enter(handOut(1), async ({ lockToken }) => void adopted.push(lockToken));

    expect(await running.adopt(handOut(2))).toBe(true);
    expect(await running.adopt(handOut(2))).toBe(true);
    expect(adopted).toEqual(["lock-2", "lock-2"]);
    expect(run.signal.aborted).toBe(false);
  });

  it.each([
    ["another input", handOut(2, { input: "2" })],
    ["another name", handOut(2, { name: "b" })],
    ["a first hand-out", handOut(1)],
  ])("is other work with %s: the old run is cancelled (A2)", async (_what, again) => {
    const running = new RunningActivities();
    using run = running.enter(handOut(1), async () => {});

    expect(await running.adopt(again)).toBe(false);
    expect(run.signal.aborted).toBe(true);
  });

  it("is not the run of another instance or execution", async () => {
    const running = new RunningActivities();
    using _run = running.enter(handOut(1), async () => {});

    expect(await running.adopt(handOut(2, { instance: "j" }))).toBe(false);
    expect(await running.adopt(handOut(2, { execution_id: 2 }))).toBe(false);
  });

  it("is not given to a run that has ended or was cancelled", async () => {
    const running = new RunningActivities();
    running.enter(handOut(1), async () => {})[Symbol.dispose]();
    expect(await running.adopt(handOut(2))).toBe(false);

    using run = running.enter(handOut(2), async () => {});
    run.cancel(new Error("cancelled"));
    expect(await running.adopt(handOut(3))).toBe(false);
  });
});

describe("an outcome that is kept", () => {
  it("is for the next hand-out of the same work, once (A1, A2)", () => {
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
