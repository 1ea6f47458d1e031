/** The names that printed scripts use: with these in scope a printed script runs again. */
import { type Provider, ProviderError, type ProviderErrorCode } from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import * as messages from "../messages.ts";

/** The builders of messages and events, two callers, time, and a check of expected errors. */
export type ScriptScope = typeof messages & {
  readonly one: Provider;
  readonly two: Provider;
  /** Milliseconds since the epoch, by the clock of the case. */
  now(): number;
  /** Lets this many milliseconds pass. */
  pass(ms: number): Promise<void>;
  /** The code with which the call rejects; throws if it does not. */
  refused(call: Promise<unknown>): Promise<ProviderErrorCode>;
};

/** Returns the scope of a kept script: `const { one, two, pass, startItem, turnOf } = await scriptScope(context)`. */
export async function scriptScope(context: CaseContext): Promise<ScriptScope> {
  const another = context.store.openAnother === undefined ? context : await context.openAnother();
  return {
    ...messages,
    one: context.provider,
    two: another.provider,
    now: () => context.time.now(),
    pass: (ms) => context.time.pass(ms),
    refused,
  };
}

/** The code with which the call rejects. */
async function refused(call: Promise<unknown>): Promise<ProviderErrorCode> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (ProviderError.is(error)) return error.code;
  throw error ?? new Error("the call was expected to be refused, but it succeeded");
}
