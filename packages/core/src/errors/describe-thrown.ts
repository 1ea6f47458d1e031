/**
 * Describes a thrown error with its stack and its causes, for the stored failure and the log. The size of a description
 * is bounded for any thrown value (docs/decisions/observers.md).
 */
import type { ThrownCause, ThrownDetails } from "../wire/error-details.ts";
import { decodeErrorDetails, encodeErrorDetails } from "../wire/error-details-codec.ts";
import { RemoteFailure } from "./duroxide-error.ts";
import { describePause } from "./retry-after.ts";
import { userFrames } from "./stack-frames.ts";
import {
  aggregated,
  attempt,
  isA,
  isError,
  saysFinal,
  thrownClassName,
  thrownData,
  thrownMessage,
  thrownName,
  thrownStack,
} from "./thrown-value.ts";

/** Length in UTF-16 units, like all bounds here. */
const LONGEST_DATA = 262_144;
const LONGEST_STACK = 4_096;
/** The longest text of a cause. */
const LONGEST_TEXT_BEHIND = 1_024;
/** The most units of stacks and causes together. */
const MOST_IN_ALL = 16_384;
/** The longest chain of causes. It also ends cycles. */
const MOST_CAUSES = 8;
const MOST_ERRORS = 16;
/** The fixed size of each error, so that a tree of errors without texts is bounded too. */
const COST = 64;

/** The remaining size of a description. */
interface Room {
  left: number;
}

/** Name, data, stack, causes of an error; `undefined` for any other value. */
export function describeThrown(thrown: unknown): ThrownDetails | undefined {
  if (!isError(thrown)) return undefined;
  if (isA(thrown, RemoteFailure)) return originOf(thrown);
  const room = { left: MOST_IN_ALL };
  const name = thrownName(thrown);
  const className = thrownClassName(thrown);
  const data = thrownData(thrown, LONGEST_DATA);
  return {
    name,
    ...(data !== undefined && { data }),
    ...(className !== undefined && className !== name && { class: className }),
    ...(saysFinal(thrown) && { retryable: false as const }),
    ...describePause(thrown),
    ...stackIn(thrown, room),
    ...behind(thrown, room, MOST_CAUSES),
  };
}

/** A failure that is rethrown keeps its description, because it must not grow at every level. */
function originOf(failure: RemoteFailure): ThrownDetails | undefined {
  const details = attempt(() => decodeErrorDetails(encodeErrorDetails(failure.details)));
  return details !== undefined && "Application" in details ? details.Application.thrown : undefined;
}

function stackIn(error: Error, room: Room): { readonly stack?: string } {
  const stack = thrownStack(error);
  const longest = Math.min(LONGEST_STACK, room.left);
  const frames = stack && userFrames(stack, thrownMessage(error), longest);
  if (!frames) return {};
  room.left -= frames.length;
  return { stack: frames };
}

function behind(error: Error, room: Room, depth: number): Pick<ThrownDetails, "cause" | "errors"> {
  if (depth === 0) return {};
  const given = attempt(() => (error.cause === undefined ? undefined : { value: error.cause }));
  const cause = given && describeCause(given.value, room, depth - 1);
  const errors = aggregated(error)
    ?.slice(0, MOST_ERRORS)
    .flatMap((each) => describeCause(each, room, depth - 1) ?? []);
  return { ...(cause && { cause }), ...(errors !== undefined && errors.length > 0 && { errors }) };
}

function describeCause(value: unknown, room: Room, depth: number): ThrownCause | undefined {
  if (room.left <= 0) return undefined;
  const message = thrownMessage(value, LONGEST_TEXT_BEHIND);
  room.left -= COST + message.length;
  if (!isError(value)) return { message };
  const name = thrownName(value, LONGEST_TEXT_BEHIND);
  // The details of a failure repeat its cause, and so does its stack.
  if (isA(value, RemoteFailure)) return { name, message, ...behind(value, room, depth) };
  const data = thrownData(value, LONGEST_TEXT_BEHIND);
  room.left -= name.length + (data?.length ?? 0);
  return {
    name,
    message,
    ...(data !== undefined && { data }),
    ...stackIn(value, room),
    ...behind(value, room, depth),
  };
}
