/** Sessions and one-time tokens end, whoever has seen them. */
import { systemRandom } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { Sessions } from "../../src/access/sessions.ts";

const HOUR_MS = 3_600_000;

describe("a session", () => {
  it("lasts while it is used, and ends twelve hours after its last request", async () => {
    const clock = new VirtualClock();
    const sessions = new Sessions(systemRandom, clock, undefined);
    const session = sessions.redeem(sessions.newToken()) ?? "";
    for (let n = 0; n < 3; n++) {
      await clock.advance(11 * HOUR_MS);
      expect(sessions.isSession(session)).toBe(true);
    }
    await clock.advance(12 * HOUR_MS);
    expect(sessions.isSession(session)).toBe(false);
  });

  it("ends when somebody signs out", () => {
    const sessions = new Sessions(systemRandom, new VirtualClock(), undefined);
    const session = sessions.redeem(sessions.newToken()) ?? "";
    sessions.end(session);
    expect(sessions.isSession(session)).toBe(false);
  });
});

it("a one-time token ends after a day, used or not; a chosen one does not", async () => {
  const clock = new VirtualClock();
  const sessions = new Sessions(systemRandom, clock, "correct horse battery staple");
  const token = sessions.newToken();
  await clock.advance(24 * HOUR_MS);
  expect(sessions.redeem(token)).toBeUndefined();
  expect(sessions.redeem("correct horse battery staple")).toBeDefined();
});
