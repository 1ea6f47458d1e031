/** Assertions whose messages show the request and what came, because a failure is read in a table, far from the code. */
import { deepStrictEqual } from "node:assert/strict";
import type { Reply } from "./client/reply.ts";

/** Throws unless the reply has this status and, where given, this sub-status. Gives the reply back. */
export function expectStatus(reply: Reply, status: number, substatus?: number): Reply {
  const wanted = substatus === undefined ? `${status}` : `${status}/${substatus}`;
  const came = substatus === undefined ? `${reply.status}` : `${reply.status}/${reply.substatus}`;
  if (wanted !== came)
    throw new Error(`${reply.request}: expected ${wanted}, got ${came} ${excerptOf(reply)}`);
  return reply;
}

/** Expects any status of success, for steps on the way to the subject of a check. */
export function expectSuccess(reply: Reply): Reply {
  if (reply.status < 200 || reply.status > 299)
    throw new Error(`${reply.request}: expected success, got ${reply.status} ${excerptOf(reply)}`);
  return reply;
}

function excerptOf({ text }: Reply): string {
  return text.slice(0, 400).replace(/\s+/g, " ").slice(0, 240);
}

/** Throws unless the condition holds. `what` is a whole sentence about what should have been. */
export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  try {
    deepStrictEqual(actual, expected);
  } catch {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

export function expectMatch(actual: string | undefined, pattern: RegExp, what: string): void {
  if (actual === undefined || !pattern.test(actual))
    throw new Error(`${what}: expected ${String(pattern)}, got ${JSON.stringify(actual)}`);
}

/** Throws unless `actual` is within `tolerance` (a fraction) of `expected`. */
export function expectNear(actual: number, expected: number, tolerance: number, what: string): void {
  const isNear = Math.abs(actual - expected) <= Math.abs(expected) * tolerance + 0.005;
  if (!isNear) throw new Error(`${what}: expected ${expected} (within ${tolerance * 100} %), got ${actual}`);
}

/** The error that `act` throws; throws where it throws none. */
export async function errorOf(act: () => Promise<unknown>): Promise<Error & { code?: unknown }> {
  let result: unknown;
  try {
    result = await act();
  } catch (error) {
    if (error instanceof Error) return error;
    return Object.assign(new Error(JSON.stringify(error)), error as object);
  }
  throw new Error(`expected an error, got ${JSON.stringify(result)?.slice(0, 200)}`);
}
