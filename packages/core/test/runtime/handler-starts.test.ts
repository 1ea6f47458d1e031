/**
 * Handlers that compute start in rounds of the event loop; others start together (handler-starts.HS1 to
 * handler-starts.HS3).
 */
import { expect, it } from "vitest";
import type { Clock } from "../../src/contract/clock.ts";
import { HandlerStarts } from "../../src/runtime/activities/handler-starts.ts";

/** A burst of handlers that each compute for `ms` before their first wait; how many started in each round. */
async function burst(count: number, ms: number): Promise<readonly number[]> {
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs, schedule: () => () => {} };
  const starts = new HandlerStarts(clock);
  const perRound: number[] = [0];
  let over = false;
  const countRounds = (): void => {
    if (over) return;
    perRound.push(0);
    setImmediate(countRounds);
  };
  setImmediate(countRounds);
  const handler = async (): Promise<void> => {
    nowMs += ms;
    perRound[perRound.length - 1] = (perRound.at(-1) ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: count }, () => starts.begin(handler)));
  over = true;
  return perRound.filter((started) => started > 0);
}

it("short ones start together (handler-starts.HS2)", async () => {
  expect(await burst(100, 0)).toEqual([100]);
});

it("those that compute start one round apart (handler-starts.HS1, handler-starts.HS3)", async () => {
  expect(await burst(5, 300)).toEqual([1, 1, 1, 1, 1]);
});

it("what they compute adds up (handler-starts.HS1)", async () => {
  expect(await burst(9, 4)).toEqual([3, 3, 3]);
});
