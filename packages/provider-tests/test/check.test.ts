/** Each assertion of the kit fails when it should, in words that help, and counts either way. */
import { AssertionError } from "node:assert/strict";
import { ProviderError } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { Check } from "../src/check.ts";

/** Returns the error with which the assertion fails. */
function failureOf(assertion: (check: Check) => void): AssertionError {
  const check = new Check();
  try {
    assertion(check);
  } catch (error) {
    expect(check.count, "failed assertions count").toBe(1);
    if (error instanceof AssertionError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("an assertion", () => {
  it("passes silently when it holds, and counts", () => {
    const check = new Check();
    check.equal({ a: [1, { b: null }] }, { a: [1, { b: null }] }, "deeply equal");
    check.notEqual<unknown>({ a: 1 }, { a: 1, b: undefined }, "an explicit undefined is another object");
    check.isTrue(true, "true");
    check.present(0, "falsy, and present");
    check.absent(undefined, "absent");
    check.matches("Invalid lock token", /lock token/, "the wording");
    expect(check.count).toBe(6);
  });

  it.each<[string, (check: Check) => void]>([
    ["another value", (check) => check.equal(1, 2, "the sum")],
    ["a missing field", (check) => check.equal<object>({ a: 1 }, { a: 1, b: 2 }, "the sum")],
    ["another order", (check) => check.equal([1, 2], [2, 1], "the sum")],
    ["another type", (check) => check.equal<unknown>(1, "1", "the sum")],
    ["another entry of a map", (check) => check.equal(new Map([["a", 1]]), new Map([["a", 2]]), "the sum")],
    ["the same value", (check) => check.notEqual([1], [1], "the sum")],
    ["false", (check) => check.isTrue(false, "the sum")],
    ["nothing", (check) => check.present(undefined, "the sum")],
    ["something", (check) => check.absent(null, "the sum")],
    ["another wording", (check) => check.matches("not found", /running/, "the sum")],
  ])("fails with what was expected in words: %s", (_, assertion) => {
    expect(failureOf(assertion).message).toContain("the sum");
  });

  it("shows both values where two should be equal", () => {
    const failure = failureOf((check) => check.equal(["is"], ["should"], "the list"));
    expect([failure.actual, failure.expected]).toEqual([["is"], ["should"]]);
  });

  it("answers what is present, for a closer look", () => {
    expect(new Check().present("a" as string | undefined, "it")).toBe("a");
  });
});

describe("the assertion that a call is refused", () => {
  const lockLost = (): Promise<never> => Promise.reject(ProviderError.lockLost("ackWorkItem"));

  const tryAgain = (): Promise<never> =>
    Promise.reject(
      new ProviderError({ code: "closed", operation: "ackWorkItem", message: "closed", retryable: true }),
    );

  it("holds for one of the codes, and answers the error", async () => {
    const check = new Check();
    const error = await check.rejects(lockLost(), ["lock-lost", "invalid-input"], "the ack");
    expect([error.code, error.operation, check.count]).toEqual(["lock-lost", "ackWorkItem", 1]);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["that succeeds", () => Promise.resolve(), "the ack: expected an error, but it succeeded"],
    [
      "that fails in another way",
      () => Promise.reject(new TypeError("oops")),
      "the ack: expected a ProviderError, got TypeError: oops",
    ],
    ["with another code", lockLost, "the ack: expected the code closed or internal, got lock-lost"],
    ["that says of a lasting refusal that it is worth another try", tryAgain, "retryable is true"],
  ])("fails for a call %s", async (_, call, message) => {
    const check = new Check();
    await expect(check.rejects(call(), ["closed", "internal"], "the ack")).rejects.toThrow(message);
    expect(check.count).toBe(1);
  });
});
