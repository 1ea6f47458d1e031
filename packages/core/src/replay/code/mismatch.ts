/** Describes how an action and an event of history differ. */
import { inBrackets, thrownLocation } from "../../errors/source-location.ts";
import { thrownText } from "../../errors/thrown-value.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { callSiteOf } from "../calls/call-sites.ts";
import { type Content, describeContent, hiddenDifference, isSameContent } from "../calls/content.ts";
import type { Action } from "../calls/durable-call.ts";
import type { Continuation } from "../history/outgoing.ts";
import type { Outcome } from "./program.ts";

/** The state of the code. */
export interface CodeState {
  readonly outcome: Outcome | undefined;
  readonly continuation: Continuation | undefined;
}

/** Why an earlier run of this action cannot have written the event; `undefined` if it can. */
export function mismatch(
  { kind, request, call }: Action,
  event: HistoryEvent,
  recorded: Content,
  codec: Pick<PayloadCodec, "decode">,
): string | undefined {
  if (kind.schedules === event.type && isSameContent(request, recorded, codec)) return undefined;
  const location = call && callSiteOf(call);
  return (
    `the code asks for ${kind.name}${describeContent(request)}${inBrackets(location)}, ` +
    `history has ${describeEvent(event, recorded)}${hiddenDifference(request, recorded)}`
  );
}

/** The event with its content. */
export function describeEvent({ event_id, type }: HistoryEvent, recorded: Content): string {
  return `event ${event_id} ${type}${describeContent(recorded)}`;
}

/** Says what the code does if it makes no call. */
export function stateOf({ outcome, continuation }: CodeState): string {
  if (outcome?.kind === "returned") return "the code has returned";
  if (outcome?.kind === "threw") {
    const { error } = outcome;
    return `the code has thrown ${thrownText(error)}${inBrackets(thrownLocation(error) ?? callSiteOf(error))}`;
  }
  return continuation === undefined ? "the code asks for nothing" : "the code continues as new";
}
