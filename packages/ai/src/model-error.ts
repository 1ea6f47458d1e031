/**
 * Errors of model providers, for retries and history.
 *
 * - model-error.E1: An error has the message and the status, and not the request: the SDK's errors carry the whole prompt,
 *   which history would store with each failed attempt.
 */
import { NonRetryableError, RetryAfterError } from "@duroxide-ts/core";

/** Longest pause that is waited for, ms. A longer one is that of a quota of days, which a person has to know of. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Errors of the SDK that the same call meets again. */
const FINAL: ReadonlySet<string> = new Set([
  "AI_InvalidPromptError",
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_UnsupportedFunctionalityError",
]);

/** The fields of errors of the SDK and of its gateway. */
interface ProviderError extends Error {
  readonly isRetryable?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
}

/** Returns the error that a step throws for one of a provider. `nowMs` is the time of the machine. */
export function modelError(thrown: unknown, nowMs: number): unknown {
  if (!(thrown instanceof Error)) return new Error(`the model failed: ${textOf(thrown)}`);
  const error: ProviderError = thrown;
  if (FINAL.has(error.name)) return new NonRetryableError(error.message);
  if (error.isRetryable === undefined) return error;
  const status = typeof error.statusCode === "number" ? ` (${error.statusCode})` : "";
  const message = `${error.message}${status}`;
  if (error.isRetryable === false) return new NonRetryableError(message);
  const ms = pauseMs(error.responseHeaders ?? {}, nowMs);
  if (ms === undefined) return new Error(message);
  return ms > LONGEST_PAUSE_MS ? new NonRetryableError(message) : new RetryAfterError({ ms }, message);
}

/** The pause that the provider asks for, ms. */
function pauseMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (ms >= 0) return ms;
  const after = headers["retry-after"] ?? "";
  if (after === "") return undefined;
  const seconds = Number(after);
  if (seconds >= 0) return seconds * 1_000;
  const atMs = new Date(after).getTime();
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}
