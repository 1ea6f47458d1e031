/** How errors are told apart: each class recognises its own, and call failures are told from mistakes of the code. */
import {
  ActivityFailedError,
  CancelledError,
  CompensationError,
  DuroxideError,
  InvalidInputError,
  isCallFailure,
  OrchestrationFailedError,
  ProviderError,
  SubOrchestrationFailedError,
  TimeoutError,
} from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { applicationFailure } from "../../src/errors/failure-details.ts";

const details = applicationFailure("ActivityFailed", "declined");

const ERRORS = [
  new ActivityFailedError("charge", details),
  new SubOrchestrationFailedError("child", details),
  new OrchestrationFailedError("i", details),
  new CancelledError("enough"),
  new InvalidInputError("no id"),
  new TimeoutError("too late"),
  new CompensationError([new Error("the bank is closed")], undefined),
] as const;

const CLASSES = [
  ActivityFailedError,
  SubOrchestrationFailedError,
  OrchestrationFailedError,
  CancelledError,
  InvalidInputError,
  TimeoutError,
  CompensationError,
] as const;

describe("the classes of errors", () => {
  it.each(CLASSES.map((type, index) => ({ type: type as typeof DuroxideError, own: ERRORS[index] })))(
    "recognise their own errors only: $type.name",
    ({ type, own }) => {
      expect(ERRORS.filter((error) => type.is(error))).toEqual([own]);
      expect(type.is(own, "refused"), "with another code").toBe(false);
    },
  );

  it("have a base that recognises all of them, also as a function without its class", () => {
    const { is } = DuroxideError as { readonly is: (value: unknown) => boolean };
    expect(ERRORS.filter((error) => DuroxideError.is(error))).toEqual(ERRORS);
    expect(ERRORS.filter((error) => is(error))).toEqual(ERRORS);
    expect(
      [new Error("x"), undefined, { code: "timeout" }].filter((value) => DuroxideError.is(value)),
    ).toEqual([]);
  });

  it("narrow to their class", () => {
    const [failed] = ERRORS;
    const error: unknown = failed;
    expect(ActivityFailedError.is(error) && error.activityName).toBe("charge");
  });
});

it("a call failure is a failure of an activity or a child, or a time limit", () => {
  expect(ERRORS.filter((error) => isCallFailure(error))).toEqual([ERRORS[0], ERRORS[1], ERRORS[5]]);
  expect(isCallFailure(new TypeError("a mistake"))).toBe(false);
});

it("an error of a store is recognised by its code", () => {
  const error = ProviderError.notFound("readHistory", "i");
  expect(ProviderError.is(error, "instance-not-found")).toBe(true);
  expect(ProviderError.is(error, "lock-lost")).toBe(false);
  expect(ProviderError.is(new TimeoutError("late"))).toBe(false);
});
