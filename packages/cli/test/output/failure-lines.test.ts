/** The lines of a stored failure. */
import type { ErrorDetails } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { failureLines } from "../../src/output/failure-lines.ts";

const cancelled = (message: string, thrown?: object): ErrorDetails =>
  ({
    Application: { kind: { Cancelled: { reason: "rain" } }, message, retryable: false, ...thrown },
  }) as ErrorDetails;

it("a cancellation has its reason", () => {
  expect(failureLines(cancelled(""))).toEqual(["canceled: rain"]);
});

it("a cancellation whose clean-up failed has its reason, then the error of the clean-up with its frames", () => {
  const thrown = { name: "CompensationError", stack: "    at undo (app.ts:1:2)" };
  expect(failureLines(cancelled("1 undo failed: the bank is closed", { thrown }))).toEqual([
    "canceled: rain",
    "clean-up failed: CompensationError: 1 undo failed: the bank is closed",
    "    at undo (app.ts:1:2)",
  ]);
});
