/** Warns of calls, errors and rejections that the code never awaited: nearly always a mistake in the code. */
import type { LogFields } from "../../define/logger.ts";
import { inBrackets, thrownLocation } from "../../errors/source-location.ts";
import { thrownStack, thrownText } from "../../errors/thrown-value.ts";
import { callSiteOf, keepNoting } from "../calls/call-sites.ts";
import type { DurableCall } from "../calls/durable-call.ts";
import type { HistoryIndex } from "../history/history-index.ts";
import type { IgnoredCall } from "./next-execution.ts";
import type { LostArrivals } from "./open-calls.ts";
import { type Identity, identityFields, type Outcome, type Surroundings } from "./program.ts";

/** The part of an execution that warnings read. */
export interface Warned {
  readonly identity: Identity;
  readonly surroundings: Surroundings;
}

interface EndedCode extends Warned {
  readonly unawaitedCalls: readonly DurableCall[];
  readonly next: { readonly ignoredCalls: readonly IgnoredCall[] };
  readonly outcome: Outcome | undefined;
}

/** The most names in one message, because a loop may have made thousands of calls. */
const MOST_NAMED = 5;

/** Warns of calls that are dropped unanswered and were never awaited: an `await` is missing. */
export function warnOfUnawaited(live: EndedCode, index: HistoryIndex): void {
  const { unawaitedCalls: calls } = live;
  if (calls.length === 0) return;
  const text = `the orchestration ended without awaiting ${count(calls)}: ${list(calls, index)}`;
  warn(live, { event: "calls_never_awaited", calls: calls.length }, text);
}

/**
 * Warns of messages that went to waits which have lost a `Promise.race`, because the code looks for them in a later wait, and
 * of questions for which it has no handler.
 */
export function warnOfUnheard(
  live: Warned,
  { unheard: calls, questions }: Pick<LostArrivals, "unheard" | "questions">,
  index: HistoryIndex,
): void {
  for (const question of questions) warnOfQuestion(live, question);
  if (calls.length === 0) return;
  const text = `a message was delivered to ${list(calls, index)}, which had lost a Promise.race; it is lost unless the code awaits that wait again. Use ctx.race: it drops the waits that lose`;
  warn(live, { event: "message_unheard", calls: calls.length }, text);
}

function warnOfQuestion(live: Warned, question: string): void {
  const text = `nothing answers the question "${question}"; its askers wait. Register a handler with ctx.answer before the first await, or correct the name`;
  warn(live, { event: "question_without_handler", question }, text);
}

/** Warns of calls after continue-as-new, which are not carried out, and of a lost error. */
export function warnOfWorkAfterContinuation(live: EndedCode): void {
  const { next, outcome } = live;
  const { ignoredCalls: calls } = next;
  if (calls.length > 0) {
    const named = calls.map((call) => `${call.what}${inBrackets(callSiteOf(call))}`);
    const text = `the orchestration made ${count(calls)} after continueAsNew, not carried out: ${first(named)}`;
    warn(live, { event: "calls_after_continue_as_new", calls: calls.length }, text);
  }
  if (outcome?.kind !== "threw") return;
  const { error } = outcome;
  const text = `the orchestration threw after continueAsNew; it continues, and this is lost: ${thrownText(error)}`;
  warn(live, { event: "error_after_continue_as_new" }, `${text}${inBrackets(thrownLocation(error))}`);
}

/** Warns of a clean-up that failed or took too long: what it was to undo may be left. */
export function warnOfCleanUp(live: Warned, error: unknown): void {
  const stack = thrownStack(error);
  const text = `the clean-up of a cancelled instance failed: ${thrownText(error)}`;
  warn(live, { event: "clean_up_failed", stack }, `${text}${inBrackets(thrownLocation(error))}`);
}

/** Called during Node's report of the rejection, so it passes only plain fields that every logger can write. */
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

function count({ length }: readonly unknown[]): string {
  return length === 1 ? "1 call" : `${length} calls`;
}

function list(calls: readonly DurableCall[], index: HistoryIndex): string {
  const named = calls.slice(0, MOST_NAMED + 1).map((call) => {
    const name = call.eventId === undefined ? undefined : index.schedule(call.eventId)?.name;
    return `${call.kind.name}${name === undefined || name === "" ? "" : ` ${name}`}${inBrackets(callSiteOf(call))}`;
  });
  return first(named);
}

function first(named: readonly string[]): string {
  return `${named.slice(0, MOST_NAMED).join(", ")}${named.length > MOST_NAMED ? ", …" : ""}`;
}
