/** Places for sessions (SP1, SP2 of session-slots.ts). */
import { expect, it } from "vitest";
import { SessionSlots } from "../../src/runtime/session-slots.ts";

it("a session keeps its place until its last activity has ended (SP1)", () => {
  const slots = new SessionSlots(1);
  const [one, two] = [slots.enter("s"), slots.enter("s")];
  expect([one, two]).not.toContain(undefined);
  one?.[Symbol.dispose]();
  expect(slots.isFull).toBe(true);
  two?.[Symbol.dispose]();
  expect(slots.isFull).toBe(false);
});

it("of two sessions that were fetched for the last place, one gets it (SP2)", () => {
  const slots = new SessionSlots(1);
  expect(slots.isFull).toBe(false);
  expect(slots.enter("a")).toBeDefined();
  expect(slots.enter("b")).toBeUndefined();
  expect(slots.enter(undefined)).toBeDefined();
});
