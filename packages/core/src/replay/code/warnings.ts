/** Warns of what is lost at the end of an execution and was not asked for: nearly always a mistake in the code. */
import type { LogFields } from "../../define/logger.ts";
import { inBrackets, thrownLocation } from "../../errors/source-location.ts";
import { thrownStack, thrownText } from "../../errors/thrown-value.ts";
import { callSiteOf, keepNoting } from "../calls/call-sites.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { HistoryIndex } from "../history/history-index.ts";
import { type Identity, identityFields, type Outcome, type Surroundings } from "./program.ts";

/** What is warned of, as far as it is looked at here. */
interface Warned {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
}

interface EndedCode extends Warned {
  readonly unawaitedCalls: readonly DurableCall[];
  readonly callsAfterContinuation: readonly DurableCall[];
  readonly outcome: Outcome | undefined;
}

/** Names in one message; a loop may have left thousands of calls. */
const MOST_NAMED = 5;

/** Calls that are dropped unanswered, and whose result the code has never asked for: an `await` is missing. */
export function warnOfUnawaited(live: EndedCode, index: HistoryIndex): void {
  const { unawaitedCalls: calls } = live;
  if (calls.length === 0) return;
  const text = `the orchestration ended with ${count(calls)} that nobody awaited: ${list(calls, index)}`;
  warn(live, { event: "calls_never_awaited", calls: calls.length }, text);
}

/** Nothing that comes after continue-as-new is carried out, and an error is lost. */
export function warnOfWorkAfterContinuation(live: EndedCode, index: HistoryIndex): void {
  const { callsAfterContinuation: calls, outcome } = live;
  if (calls.length > 0) {
    const text = `the orchestration made ${count(calls)} after continueAsNew, never carried out: ${list(calls, index)}`;
    warn(live, { event: "calls_after_continue_as_new", calls: calls.length }, text);
  }
  if (outcome?.kind !== "threw") return;
  const { error } = outcome;
  const text = `the orchestration threw after continueAsNew; it continues, and this is lost: ${thrownText(error)}`;
  warn(live, { event: "error_after_continue_as_new" }, `${text}${inBrackets(thrownLocation(error))}`);
}

/** Called from within Node's report of the rejection, so it takes nothing along that a logger may stumble over. */
export function warnOfRejection(live: Warned, error: unknown): void {
  const location = thrownLocation(error) ?? callSiteOf(error);
  const text = `the orchestration ended without awaiting a promise that was rejected with ${thrownText(error)}`;
  const stack = thrownStack(error);
  warn(live, { event: "rejection_never_awaited", location, stack }, `${text}${inBrackets(location)}`);
}

function warn({ identity, surroundings }: Warned, fields: LogFields, text: string): void {
  keepNoting(identity.program);
  surroundings.logger.warn({ ...identityFields(identity), ...fields }, text);
}

function count({ length }: readonly DurableCall[]): string {
  return length === 1 ? "1 call" : `${length} calls`;
}

function list(calls: readonly DurableCall[], index: HistoryIndex): string {
  const named = calls.slice(0, MOST_NAMED).map((call) => {
    const name = call.eventId === undefined ? undefined : index.schedule(call.eventId)?.name;
    return `${call.kind.name}${name === undefined || name === "" ? "" : ` ${name}`}${inBrackets(callSiteOf(call))}`;
  });
  return `${named.join(", ")}${calls.length > MOST_NAMED ? ", …" : ""}`;
}
