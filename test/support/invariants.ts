/** A test fails when an invariant did not hold meanwhile, also where its error was handled. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, afterEach, beforeAll } from "vitest";

const CHANNEL = "duroxide:invariant";
const violations: unknown[] = [];
const note = (error: unknown): void => void violations.push(error);

beforeAll(() => subscribe(CHANNEL, note));
afterEach(() => {
  const [first] = violations.splice(0);
  if (first !== undefined) throw first;
});
afterAll(() => {
  unsubscribe(CHANNEL, note);
});
