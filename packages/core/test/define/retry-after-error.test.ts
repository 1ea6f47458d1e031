import { describe, expect, it } from "vitest";
import { RetryAfterError } from "../../src/define/retry-after-error.ts";
import { thrownFailure } from "../../src/errors/failure-details.ts";

describe("an error that asks for a pause", () => {
  it("refuses a pause that is none", () => {
    for (const pause of [
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      new Date(Number.NaN),
      "5",
      undefined,
      {},
    ]) {
      expect(() => new RetryAfterError(pause as number)).toThrow(/RetryAfterError: the (pause|date)/);
    }
  });

  it("says when to try again", () => {
    expect(new RetryAfterError({ seconds: 30 }).message).toBe("try again after 30000 ms");
    expect(new RetryAfterError(new Date(0)).message).toBe("try again at 1970-01-01T00:00:00.000Z");
  });

  it("is known by its fields, because another copy of the package may have thrown it", () => {
    const details = (retryAfter: unknown) =>
      thrownFailure("ActivityFailed", Object.assign(new Error("x"), { retryAfter }));
    const thrown = (retryAfter: unknown) => {
      const failure = details(retryAfter);
      return "Application" in failure ? failure.Application.thrown : undefined;
    };
    expect(thrown({ ms: 5 })).toMatchObject({ retry_after_ms: 5 });
    expect(thrown({ atMs: 7 })).toMatchObject({ retry_at_ms: 7 });
    for (const other of [5, "5", null, { ms: -1 }, { ms: 0.5 }, { atMs: "7" }]) {
      expect(thrown(other)).not.toHaveProperty("retry_after_ms");
      expect(thrown(other)).not.toHaveProperty("retry_at_ms");
    }
  });
});
