/** The differences of reading from Rust's, on purpose: docs/decisions/rust.md, item by item. */
import { describe, expect, it } from "vitest";
import {
  decodeErrorDetails,
  decodeWorkItem,
  encodeErrorDetails,
  encodeWorkItem,
} from "../../src/stores/index.ts";

const rewrite = (text: string): string => encodeWorkItem(decodeWorkItem(text));
const cancelWith = (extra: string): string => `{"CancelInstance":{"instance":"i","reason":"r",${extra}}}`;
const CANCEL = '{"CancelInstance":{"instance":"i","reason":"r"}}';

describe("accepted here, refused by Rust", () => {
  it("a repeated key: the last one counts", () => {
    expect(rewrite(cancelWith('"reason":"later"'))).toBe(
      '{"CancelInstance":{"instance":"i","reason":"later"}}',
    );
  });

  it("another spelling of a whole number", () => {
    expect(rewrite('{"TimerFired":{"instance":"i","execution_id":5.0,"id":-0,"fire_at_ms":1e3}}')).toBe(
      '{"TimerFired":{"instance":"i","execution_id":5,"id":0,"fire_at_ms":1000}}',
    );
  });

  it("an empty object for a kind without data", () => {
    const text = '{"Application":{"kind":{"Panicked":{}},"message":"m","retryable":false}}';
    expect(encodeErrorDetails(decodeErrorDetails(text))).toBe(
      '{"Application":{"kind":"Panicked","message":"m","retryable":false}}',
    );
  });

  it("nesting below the 128th level, in fields that are not read", () => {
    const text = cancelWith(`"x":${"[".repeat(500)}${"]".repeat(500)}`);
    expect(rewrite(text)).toBe(text);
  });
});

describe("refused here, accepted by Rust", () => {
  it("a lone surrogate in an unknown field of a work item", () => {
    expect(() => rewrite(cancelWith('"x":"\\ud800"'))).toThrow(
      expect.objectContaining({ code: "invalid-json" }),
    );
    expect(() => rewrite(cancelWith('"\\ud800":1'))).toThrow(
      expect.objectContaining({ code: "invalid-json" }),
    );
  });
});

describe("different when written again", () => {
  it("an unknown field named kind in a work item is lost", () => {
    expect(rewrite(cancelWith('"kind":5'))).toBe(CANCEL);
  });

  it("an unknown field keeps the value of a fraction, not its spelling", () => {
    expect(rewrite(cancelWith('"x":7.0'))).toBe(cancelWith('"x":7'));
    expect(rewrite(cancelWith('"x":1234567890123456.50'))).toBe(cancelWith('"x":1234567890123456.5'));
    expect(rewrite(cancelWith('"x":7.50'))).toBe(cancelWith('"x":7.5'));
  });
});
