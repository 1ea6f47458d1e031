/** Undos whose scope was stopped: their code goes on no more (undo-stack.US2). */
import { expect, it } from "vitest";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { UndoStack } from "../../src/replay/code/undo-stack.ts";

it("an undo that was stopped begins again, and one that has ended does not", async () => {
  const stack = new UndoStack({ contextIn: () => ({}) as OrchestrationContext });
  const begun: string[] = [];
  const undo = (name: string, isStopped: boolean) => ({
    saga: {},
    undo: async () => {
      begun.push(name);
      if (isStopped && begun.length === 2) await new Promise(() => {});
    },
  });
  stack.push(undo("first", true));
  stack.push(undo("last", false));
  void stack.runAll("a failure");
  await new Promise(setImmediate);
  stack.openScope().stop();
  void stack.runAll("a cancellation");
  await new Promise(setImmediate);
  expect(begun).toEqual(["last", "first", "first"]);
  expect(stack.isEmpty).toBe(true);
});
