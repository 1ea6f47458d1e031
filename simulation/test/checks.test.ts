/** That the checks of a simulation see what they are there for. */
import type { OrchestrationStatus } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { ReadOrder } from "../checks/read-order.ts";
import { wrongResult } from "../programs/expected.ts";
import type { Step } from "../programs/step.ts";

const RUNNING: OrchestrationStatus = {
  status: "Running",
  executionId: 1,
  customStatus: undefined,
  customStatusVersion: 0,
};
const NOT_FOUND: OrchestrationStatus = { status: "NotFound" };

describe("the model of programs", () => {
  const receive: Step = { do: "receive", from: "queue", name: "q" };
  const messages = ["0", "1"].map((value) => ({ to: "queue", name: "q", value }) as const);

  it("wants messages once and in their order", () => {
    expect(wrongResult([receive, receive], ["0", "1"], messages)).toBeUndefined();
    expect(wrongResult([receive, receive], ["0", "0"], messages)).toContain("message 1");
    expect(wrongResult([receive, receive], ["1", "0"], messages)).toContain("message 0");
  });

  it("lets any branch win a race, with its own value", () => {
    const race: Step = { do: "race", steps: [{ do: "timer", ms: 1 }, { do: "system" }] };
    expect(wrongResult([race], [{ index: 0, value: "timer" }], [])).toBeUndefined();
    expect(wrongResult([race], [{ index: 1, value: true }], [])).toBeUndefined();
    expect(wrongResult([race], [{ index: 1, value: "timer" }], [])).toBeDefined();
  });

  it("knows what earlier steps wrote", () => {
    const steps: Step[] = [{ do: "write", key: "a", value: 1 }, { do: "again" }, { do: "read", key: "a" }];
    expect(wrongResult(steps, [1, 1], [])).toBeUndefined();
    expect(wrongResult(steps, [1, "nothing"], [])).toContain("a to be 1");
  });
});

describe("the order of reads", () => {
  async function violationsOf(across: "processes" | "one process"): Promise<readonly string[]> {
    const violations: string[] = [];
    let step = 0;
    const reads = new ReadOrder({ across, step: () => step++, onViolation: (each) => violations.push(each) });
    await reads.observe("i", "a", async () => RUNNING);
    await reads.observe("i", "b", async () => NOT_FOUND);
    return violations;
  }

  it("has no older state in another process after a newer one", async () => {
    expect(await violationsOf("processes")).toHaveLength(1);
  });

  it("leaves processes apart whose reads may lag behind", async () => {
    expect(await violationsOf("one process")).toEqual([]);
  });

  it("takes reads at the same time in any order", async () => {
    const violations: string[] = [];
    const onViolation = (each: string): unknown => violations.push(each);
    const reads = new ReadOrder({ across: "processes", step: () => 1, onViolation });
    await reads.observe("i", "a", async () => RUNNING);
    await reads.observe("i", "b", async () => NOT_FOUND);
    expect(violations).toEqual([]);
  });
});
