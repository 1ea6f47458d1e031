/** Error details: docs/reference/wire-format.md §4; and what a WireError tells about a document that is none. */
import { describe, expect, it } from "vitest";
import { errorCategory } from "../../src/index.ts";
import {
  decodeErrorDetails,
  decodeEvent,
  decodeWorkItem,
  displayMessage,
  type ErrorDetails,
  encodeErrorDetails,
  WireError,
} from "../../src/stores/index.ts";
import { errorVectors } from "./vectors.ts";

/** Whether it can be retried, as Rust derives it from the stored fields. */
function isRetryable(details: ErrorDetails): boolean {
  if ("Application" in details) return details.Application.retryable;
  return "Infrastructure" in details && details.Infrastructure.retryable;
}

const application = (body: string): string => `{"Application":${body}}`;

describe.each(errorVectors)("the failure $name", ({ raw, ...vector }) => {
  it("is written back byte for byte", () => {
    expect(encodeErrorDetails(decodeErrorDetails(raw))).toBe(raw);
  });

  it("has Rust's category, retryability and text", () => {
    const details = decodeErrorDetails(raw);
    expect(errorCategory(details)).toBe(vector.category);
    expect(isRetryable(details)).toBe(vector.isRetryable);
    expect(displayMessage(details)).toBe(vector.displayMessage);
  });
});

describe("what Rust does not write but reads", () => {
  it.each([
    ["a kind as an object", '{"kind":{"Panicked":null},"message":"m","retryable":true}'],
    ["a positional array", '["Panicked","m",true]'],
  ])("%s is read as the canonical form", (_what, body) => {
    expect(decodeErrorDetails(application(body))).toEqual({
      Application: { kind: "Panicked", message: "m", retryable: true },
    });
  });

  it("a subject of poison may be an array too", () => {
    const text = '{"Poison":[1,2,{"Activity":["i",1,"Act",7]},"m"]}';
    expect(decodeErrorDetails(text)).toEqual({
      Poison: {
        attempt_count: 1,
        max_attempts: 2,
        message_type: { Activity: { instance: "i", execution_id: 1, activity_name: "Act", activity_id: 7 } },
        message: "m",
      },
    });
  });
});

describe("what no version writes", () => {
  it.each([
    ["a kind with data that it does not have", '{"kind":{"Panicked":5},"message":"m","retryable":true}'],
    ["a kind without the data that it has", '{"kind":"Cancelled","message":"m","retryable":true}'],
    [
      "a kind with two tags",
      '{"kind":{"Panicked":null,"ActivityFailed":null},"message":"m","retryable":true}',
    ],
    ["a kind with no tag", '{"kind":{},"message":"m","retryable":true}'],
  ])("%s is refused", (_what, body) => {
    expect(() => decodeErrorDetails(application(body))).toThrow(
      expect.objectContaining({ code: "invalid-value", path: expect.stringMatching(/^Application\.kind/) }),
    );
  });

  it("a category without its fields is refused", () => {
    expect(() => decodeErrorDetails('"Poison"')).toThrow(expect.objectContaining({ code: "invalid-value" }));
  });
});

describe("what a TypeScript worker adds about a thrown error", () => {
  const withThrown = (thrown: string): string =>
    `{"Application":{"kind":"ActivityFailed","message":"m","retryable":false,"thrown":${thrown}}}`;

  it("is kept", () => {
    const text = withThrown('{"name":"RangeError","data":"{\\"limit\\":5}"}');
    expect(encodeErrorDetails(decodeErrorDetails(text))).toBe(text);
  });

  it.each(["null", "5", '{"name":7}', "[]"])(
    "is ignored as a field of another program when it is %s",
    (thrown) => {
      expect(decodeErrorDetails(withThrown(thrown))).toEqual({
        Application: { kind: "ActivityFailed", message: "m", retryable: false },
      });
    },
  );
});

describe("a WireError", () => {
  const caught = (run: () => unknown): unknown => {
    try {
      run();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it("names the document, the field, what was expected and what was found", () => {
    const text =
      '{"ActivityFailed":{"instance":"i","execution_id":1,"id":2,"details":{"Application":{"kind":"Timeout","message":"m","retryable":false}}}}';
    const error = caught(() => decodeWorkItem(text));
    expect(WireError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: "unknown-variant",
      path: "ActivityFailed.details.Application.kind",
      message:
        'work item ActivityFailed.details.Application.kind: unknown variant "Timeout"; expected one of ActivityFailed, OrchestrationFailed, Panicked, Cancelled',
    });
  });

  it("numbers the members of arrays", () => {
    const text =
      '{"ContinueAsNew":{"instance":"i","orchestration":"o","input":"","carry_forward_events":[["a","b"],["c"]]}}';
    expect(caught(() => decodeWorkItem(text))).toMatchObject({
      code: "invalid-value",
      path: "ContinueAsNew.carry_forward_events[1]",
    });
  });

  it("abbreviates what was found", () => {
    const error = caught(() => decodeErrorDetails(JSON.stringify({ Application: { kind: 1, message: "" } })));
    expect(error).toMatchObject({ path: "Application.kind" });
    const long = caught(() => decodeErrorDetails(JSON.stringify({ Infrastructure: "x".repeat(10_000) })));
    expect((long as Error).message.length).toBeLessThan(200);
  });

  it("keeps the parser's complaint as its cause", () => {
    expect(caught(() => decodeEvent("{"))).toMatchObject({
      code: "invalid-json",
      cause: expect.any(SyntaxError),
    });
  });

  it("is recognised by its name, not by its class", () => {
    expect(WireError.is(Object.assign(new Error("other copy"), { name: "WireError", path: "" }))).toBe(true);
    expect(WireError.is(new Error("no"))).toBe(false);
    expect(WireError.is({ name: "WireError", path: "" })).toBe(false);
  });
});
