/** The choice of the turn that runs next where the limit is reached (turn-slots.TS1). */
import { expect, it } from "vitest";
import { TurnSlots } from "../../src/runtime/turns/turn-slots.ts";

it("a turn that leaves passes its place to the turn that has waited longest (turn-slots.TS1)", async () => {
  const slots = new TurnSlots(1);
  const entered: string[] = [];
  expect(slots.enter()).toBeUndefined();
  void slots.enter()?.then(() => entered.push("first"));
  void slots.enter()?.then(() => entered.push("second"));

  slots.leave();
  expect([slots.busy, slots.tryEnter()]).toEqual([1, false]);
  await Promise.resolve();
  expect(entered).toEqual(["first"]);

  slots.leave();
  await Promise.resolve();
  expect(entered).toEqual(["first", "second"]);
  slots.leave();
  expect([slots.busy, slots.tryEnter()]).toEqual([0, true]);
});
