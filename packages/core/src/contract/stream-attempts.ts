/** The steps of a stream and the numbers of their attempts: the rules that every store shares (docs/decisions/streams.md). */
import { ProviderError } from "./provider-error.ts";
import type { StreamWriter } from "./streams.ts";

/** The fields that a store keeps of the last batch of a step. */
export interface LastOfStep {
  readonly call: string;
  readonly delivery: string;
  readonly attempt: number;
  readonly since: number;
  /** The number of values that the delivery has written, with this batch. */
  readonly written: number;
}

/** A step among those of a stream, and what it has written last. */
export interface KnownStep {
  readonly step: string;
  readonly last: LastOfStep | undefined;
}

/** The attempt to which the values of an append belong. */
export interface AttemptOfAppend {
  readonly attempt: number;
  readonly since: number;
  /** Values at the beginning that an earlier call has stored. */
  readonly repeated: number;
  /** Offset of the first value of the attempt before, where one begins that takes its place. */
  readonly voids: number | undefined;
}

/** The name of a call where another call of the same name was before it. */
export function numberedStep({ call, name }: Pick<StreamWriter, "call" | "name">): string {
  return `${name}#${call}`;
}

/**
 * A call has the name of its activity; with its number, where another call of the name has written to the stream before.
 * `lastOf` returns what a step has written last.
 */
export function stepOf(writer: StreamWriter, lastOf: (step: string) => LastOfStep | undefined): KnownStep {
  const { call, name } = writer;
  const ofName = lastOf(name);
  if (ofName?.call === call) return { step: name, last: ofName };
  const numbered = numberedStep(writer);
  const own = lastOf(numbered);
  return ofName === undefined && own === undefined
    ? { step: name, last: undefined }
    : { step: numbered, last: own };
}

/** The number of the attempt that a delivery is; `last` has written last of those of the call. */
export function attemptNumber(
  { delivery, leastAttempt }: Pick<StreamWriter, "delivery" | "leastAttempt">,
  last: Pick<LastOfStep, "delivery" | "attempt"> | undefined,
): number {
  if (last === undefined) return leastAttempt;
  return last.delivery === delivery ? last.attempt : Math.max(last.attempt + 1, leastAttempt);
}

/**
 * `last` is what the step of the call has written last; `next` the offset of the next value. `lock-lost` for a delivery that
 * goes on although another one has written since: what it wrote before is void, so its rest alone would be the attempt.
 */
export function attemptOf(writer: StreamWriter, last: LastOfStep | undefined, next: number): AttemptOfAppend {
  if (last !== undefined && last.delivery !== writer.delivery && writer.written > 0)
    throw ProviderError.lockLost("appendStream");
  const attempt = attemptNumber(writer, last);
  if (last === undefined || last.delivery !== writer.delivery)
    return { attempt, since: next, repeated: 0, voids: last?.since };
  return {
    attempt,
    since: last.since,
    repeated: Math.max(0, last.written - writer.written),
    voids: undefined,
  };
}
