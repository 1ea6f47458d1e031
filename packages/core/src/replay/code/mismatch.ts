/** Says how an action and an event of history differ, so that the two can be told apart by eye. */
import { inBrackets, thrownLocation } from "../../errors/source-location.ts";
import { thrownText } from "../../errors/thrown-value.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { type Action, type ActionEvent, isRecordOf } from "../calls/action.ts";
import { callSiteOf } from "../calls/call-sites.ts";
import type { Continuation, Outcome } from "./program.ts";

/** Why the event cannot be what an earlier run of this action wrote; `undefined` when it can. */
export function mismatch(
  action: Action,
  event: ActionEvent,
  codec: Pick<PayloadCodec, "decode">,
): string | undefined {
  if (isRecordOf(action, event, codec)) return undefined;
  const asked = fieldsOfAction(action);
  const recorded = fieldsOfEvent(event);
  const location = "call" in action ? callSiteOf(action.call) : undefined;
  return (
    `the code asks for ${action.kind}${describe(asked)}${inBrackets(location)}, ` +
    `history has ${describeEvent(event)}${hiddenDifference(asked, recorded)}`
  );
}

/** The event with what it records. */
export function describeEvent(event: ActionEvent): string {
  return `event ${event.event_id} ${event.type}${describe(fieldsOfEvent(event))}`;
}

/** What the code does where it asks for nothing. */
export function stateOf(outcome: Outcome | undefined, continuation: Continuation | undefined): string {
  if (outcome?.kind === "returned") return "the code has returned";
  if (outcome?.kind === "threw") {
    const { error } = outcome;
    return `the code has thrown ${thrownText(error)}${inBrackets(thrownLocation(error) ?? callSiteOf(error))}`;
  }
  return continuation === undefined ? "the code asks for nothing" : "the code continues as new";
}

/** What is compared, and in which order it is written. */
interface Fields {
  readonly name?: string;
  readonly input?: string;
  readonly value?: string;
  readonly session?: string | undefined;
  readonly tag?: string | undefined;
  readonly instance?: string;
}

function fieldsOfAction(action: Action): Fields {
  switch (action.kind) {
    case "activity":
      return { name: action.name, input: action.input, session: action.sessionId, tag: action.tag };
    case "detached":
      return { name: action.name, input: action.input, instance: action.instanceId };
    case "sub-orchestration":
      return { name: action.name, input: action.input };
    case "wait":
    case "dequeue":
      return { name: action.name };
    case "kv-set":
      return { name: action.key, value: action.value };
    case "kv-clear":
      return { name: action.key };
    default:
      return {};
  }
}

function fieldsOfEvent(event: ActionEvent): Fields {
  switch (event.type) {
    case "ActivityScheduled": {
      const { name, input, session_id, tag } = event;
      return { name, input, session: session_id ?? undefined, tag: tag ?? undefined };
    }
    case "OrchestrationChained":
      return { name: event.name, input: event.input, instance: event.instance };
    case "SubOrchestrationScheduled":
      return { name: event.name, input: event.input };
    case "ExternalSubscribed":
    case "ExternalSubscribedPersistent":
      return { name: event.name };
    case "KeyValueSet":
      return { name: event.key, value: event.value };
    case "KeyValueCleared":
      return { name: event.key };
    default:
      return {};
  }
}

function describe({ name, input, value, session, tag, instance }: Fields): string {
  const parts = [
    name === undefined ? "" : ` "${name}"`,
    input === undefined ? "" : ` with input ${shorten(input)}`,
    value === undefined ? "" : ` to ${shorten(value)}`,
    session === undefined ? "" : `, session "${session}"`,
    tag === undefined ? "" : `, tag "${tag}"`,
    instance === undefined ? "" : `, instance "${instance}"`,
  ];
  return parts.join("");
}

const LONGEST_TEXT = 80;

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 3)}…`;
}

/** Where long texts differ only in what is cut off. */
function hiddenDifference(asked: Fields, recorded: Fields): string {
  const ours = asked.input ?? asked.value ?? "";
  const theirs = recorded.input ?? recorded.value ?? "";
  if (ours === theirs || describe(asked) !== describe(recorded)) return "";
  let from = 0;
  while (ours[from] === theirs[from]) from++;
  const rests = [ours, theirs].map((text) => shorten(text.slice(from)));
  return `; they differ from character ${from + 1} on: ${rests.join(" and ")}`;
}
