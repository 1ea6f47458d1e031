/** The options of a fetch, checked before it waits. Durations come out as whole milliseconds. */
import type { FetchOrchestrationOptions, FetchWorkOptions } from "../contract/provider.ts";
import { checkTagFilter, toDurationMs } from "./arguments.ts";

/** Throws `invalid-input` for a duration that is none. */
export function checkFetchOrchestration(options: FetchOrchestrationOptions): FetchOrchestrationOptions {
  return checkTimes("fetchOrchestrationItem", options);
}

/** Throws `invalid-input` for a duration that is none, and for tags that cannot be served. */
export function checkFetchWork(options: FetchWorkOptions): FetchWorkOptions {
  const operation = "fetchWorkItem";
  const checked: { -readonly [K in keyof FetchWorkOptions]: FetchWorkOptions[K] } = checkTimes(
    operation,
    options,
  );
  const { session, tagFilter } = options;
  checkTagFilter(operation, tagFilter);
  if (session === undefined) return checked;
  const lockTimeoutMs = toDurationMs(operation, "session.lockTimeoutMs", session.lockTimeoutMs);
  checked.session = { ...session, lockTimeoutMs };
  return checked;
}

function checkTimes<O extends FetchOrchestrationOptions | FetchWorkOptions>(
  operation: string,
  options: O,
): O {
  return {
    ...options,
    lockTimeoutMs: toDurationMs(operation, "lockTimeoutMs", options.lockTimeoutMs),
    pollTimeoutMs: toDurationMs(operation, "pollTimeoutMs", options.pollTimeoutMs),
  };
}
