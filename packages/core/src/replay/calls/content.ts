/**
 * The content of a durable call, and the content of the event that an earlier run recorded for it. Both have one type,
 * so one function compares them and one function describes them, for every kind of call.
 */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { samePayload } from "../../payload/same-payload.ts";
import { STEP_TAG } from "../../wire/known-code.ts";

/** Descriptions list the fields in this order. A field that a kind does not compare is absent. */
export interface Content {
  /** Name of the call for people. Never compared. */
  readonly label?: string | undefined;
  /** Whether its event follows the one that history has just matched. Never compared. */
  readonly isNext?: boolean;
  /** Whether the queue is that of a kept event. Never compared. */
  readonly isEvent?: boolean | undefined;
  /** Name of the activity, orchestration, event, queue or key. */
  readonly name?: string;
  readonly input?: string;
  /** Value of a key-value entry. */
  readonly value?: string;
  readonly session?: string | undefined;
  readonly tag?: string | undefined;
  /** Instance of a detached start. A child's id is taken from history, so it is not compared. */
  readonly instance?: string;
  /** A custom status; described, never compared. */
  readonly status?: string | null;
}

/**
 * Payloads are compared by value: another worker may have written the same value as another text
 * (docs/decisions/payloads.md).
 */
export function isSameContent(
  asked: Content,
  recorded: Content,
  codec: Pick<PayloadCodec, "decode">,
): boolean {
  return (
    asked.name === recorded.name &&
    asked.session === recorded.session &&
    asked.tag === recorded.tag &&
    asked.instance === recorded.instance &&
    samePayload(codec, payloadOf(asked), payloadOf(recorded))
  );
}

/** The text after the name of the call or of the event, such as ` "ship" with input "r1", tag "gpu"`. */
export function describeContent({ name, input, value, session, tag, instance }: Content): string {
  const isStep = tag === STEP_TAG;
  const parts = [
    name === undefined ? "" : ` "${name}"`,
    isStep ? ", a step" : "",
    isStep || input === undefined ? "" : ` with input ${shorten(input)}`,
    value === undefined ? "" : ` to ${shorten(value)}`,
    session === undefined ? "" : `, session "${session}"`,
    isStep || tag === undefined ? "" : `, tag "${tag}"`,
    instance === undefined ? "" : `, instance "${instance}"`,
  ];
  return parts.join("");
}

/**
 * The position of the difference if long texts differ only in the part that descriptions cut off; otherwise nothing.
 */
export function hiddenDifference(asked: Content, recorded: Content): string {
  const ours = payloadOf(asked);
  const theirs = payloadOf(recorded);
  if (ours === theirs || describeContent(asked) !== describeContent(recorded)) return "";
  let from = 0;
  while (ours[from] === theirs[from]) from++;
  const rests = [ours, theirs].map((text) => shorten(text.slice(from)));
  return `; they differ from character ${from + 1} on: ${rests.join(" and ")}`;
}

/** The call in the words of the API, such as `scheduleActivity("ship", "r1"), tag "gpu"`. */
export function inApiWords(api: string, content: Content): string {
  const { name = "", input, value, session, tag, instance } = content;
  const payload = input ?? value;
  const given = payload === undefined || payload === "null" ? "" : `, ${shortenForApi(payload)}`;
  const extras = Object.entries({ session, tag, instanceId: instance })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `, ${key} ${JSON.stringify(value)}`);
  return `${api}(${JSON.stringify(name)}${given})${extras.join("")}`;
}

/** A payload within the description of a call in the words of the API. */
export function shortenForApi(text: string): string {
  return text.length <= LONGEST_IN_API_WORDS ? text : `${text.slice(0, LONGEST_IN_API_WORDS - 1)}…`;
}

const LONGEST_IN_API_WORDS = 120;
const LONGEST_IN_MESSAGE = 80;

function shorten(text: string): string {
  return text.length <= LONGEST_IN_MESSAGE ? text : `${text.slice(0, LONGEST_IN_MESSAGE - 3)}…`;
}

function payloadOf({ input, value }: Content): string {
  return input ?? value ?? "";
}
