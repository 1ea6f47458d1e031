/** The stored definition of a schedule, made from that of the code. */
import { durationMs } from "../define/duration.ts";
import { instantMs, type Schedule } from "../define/schedule.ts";
import { LimitExceededError } from "../errors/duroxide-error.ts";
import { encodePayload } from "../payload/encode-payload.ts";
import type { NamingCodec } from "../payload/limited-codec.ts";
import { hashOf, type StoredDefinition, type StoredSchedule } from "./stored-schedule.ts";

/** A definition that may be stored. */
export interface Defined {
  readonly definition: StoredDefinition;
  readonly hash: string;
  /** Why no run can be started. */
  readonly refusal: string | undefined;
}

/** The stored form. An input that is too large is left out: the due times fail, and say why. */
export function defined(given: Schedule, owner: string, codec: NamingCodec): Defined {
  const { name: _, orchestration: callee, input, at, ...rules } = given;
  const orchestration = typeof callee === "string" ? callee : callee.name;
  const encoded = encodedInput(codec, input, orchestration);
  const definition: StoredDefinition = {
    ...present(rules),
    ...(given.cron !== undefined && { timezone: given.timezone ?? "UTC" }),
    ...(at !== undefined && { at: instantsOf(at) }),
    overlap: given.overlap ?? "skip",
    catchUp: given.catchUp ?? "last",
    owner: given.owner ?? owner,
    orchestration,
    ...("text" in encoded && { input: encoded.text }),
  };
  return {
    definition,
    hash: hashOf(comparable(definition), input),
    refusal: "refusal" in encoded ? encoded.refusal : undefined,
  };
}

/** The schedule as it is stored first: it counts from its creation. */
export function newSchedule({ definition, hash, refusal }: Defined, nowMs: number): StoredSchedule {
  return {
    format: 1,
    definition,
    hash,
    replaced: [],
    ...(refusal !== undefined && { refusal }),
    createdAtMs: nowMs,
    changes: [],
    decidedMs: nowMs,
    failures: 0,
    running: [],
    queued: [],
    missed: [],
    backfills: [],
  };
}

function encodedInput(
  codec: NamingCodec,
  input: unknown,
  orchestration: string,
): { readonly text: string } | { readonly refusal: string } {
  try {
    return { text: encodePayload(codec, input, "orchestration-input", orchestration) };
  } catch (error) {
    if (LimitExceededError.is(error)) return { refusal: error.message };
    throw error;
  }
}

/** Ids of runs name seconds, so two instants in one second are one due time. */
function instantsOf(at: readonly (Date | number)[]): readonly number[] {
  const bySecond = new Map<number, number>();
  for (const ms of at.map((instant) => instantMs("at", instant)).sort((a, b) => a - b)) {
    const second = Math.floor(ms / 1_000);
    if (!bySecond.has(second)) bySecond.set(second, ms);
  }
  return [...bySecond.values()];
}

/** Durations in ms: an hour is sixty minutes. */
function comparable(definition: StoredDefinition): StoredDefinition {
  const { every, offset, jitter, catchUp } = definition;
  return {
    ...definition,
    ...(every !== undefined && { every: durationMs(every) }),
    ...(offset !== undefined && { offset: durationMs(offset) }),
    ...(jitter !== undefined && { jitter: durationMs(jitter) }),
    ...(typeof catchUp === "object" && { catchUp: { within: durationMs(catchUp.within) } }),
  };
}

/** The fields that are given. */
function present<T extends object>(value: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(given) as ReturnType<typeof present<T>>;
}
