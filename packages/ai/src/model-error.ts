/**
 * Errors of model providers, for retries and history.
 *
 * - model-error.E1: An error has the message and the status, and not the request: the SDK's errors carry the whole prompt,
 *   which history would store with each failed attempt.
 */
import { NonRetryableError, RetryAfterError } from "@duroxide-ts/core";

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

/** Returns the error that a step throws for one of a provider. */
export function modelError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(`the model failed: ${textOf(thrown)}`);
  const error: ProviderError = thrown;
  if (FINAL.has(error.name)) return new NonRetryableError(error.message);
  if (error.isRetryable === undefined) return error;
  const status = typeof error.statusCode === "number" ? ` (${error.statusCode})` : "";
  const message = `${error.message}${status}`;
  if (error.isRetryable === false) return new NonRetryableError(message);
  const pause = pauseOf(error.responseHeaders ?? {});
  return pause === undefined ? new Error(message) : new RetryAfterError(pause, message);
}

/** The pause that the provider asks for. */
function pauseOf(headers: Readonly<Record<string, string>>): { readonly ms: number } | Date | undefined {
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (ms >= 0) return { ms };
  const after = headers["retry-after"] ?? "";
  const seconds = Number(after);
  if (after !== "" && seconds >= 0) return { ms: seconds * 1_000 };
  const date = new Date(after);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}
