/** Replaces parts of payloads before tools show them: the dashboard, and the command line for agents. */
import { types } from "node:util";
import { quietPromise } from "../errors/quiet-promises.ts";

/**
 * Called for the value of each payload and for everything within it, outer values first. `path` is the place:
 * `input`, `input.card.number`, `result.items.0`, `kv.total`, `status`, `event.approved`, `error.message`. Returns the
 * value itself, or what is shown in its place. A value for which it throws, or answers with a promise, is not shown.
 *
 * @example
 * ```ts
 * const redact = (path: string, value: unknown) => (/\.(card|iban)$/.test(path) ? "•••" : value);
 * ```
 */
export type RedactPayload = (path: string, value: unknown) => unknown;

const UNREDACTED = "(redact failed)";

/** Deeper values are replaced whole, so that the recursion ends before the stack does. */
const DEEPEST = 200;

/** The value after `redact` has seen it and everything within it. `path` is its own place; `depth` is for the recursion. */
export function redactValue(value: unknown, path: string, redact: RedactPayload, depth = 0): unknown {
  const replaced = replacement(value, path, redact);
  if (!Object.is(replaced, value)) return replaced;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "(nested too deeply to be redacted)";
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => redactValue(item, `${path}.${index}`, redact, depth + 1));
  }
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]) => [
    key,
    redactValue(inner, `${path}.${key}`, redact, depth + 1),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** A value that `redact` could not judge is not shown, and everything else is. */
function replacement(value: unknown, path: string, redact: RedactPayload): unknown {
  try {
    const replaced = redact(path, value);
    if (!types.isPromise(replaced)) return replaced;
    quietPromise(replaced);
    return UNREDACTED;
  } catch {
    return UNREDACTED;
  }
}
