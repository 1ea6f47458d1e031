/**
 * The next state of a stream, and the batches that it gets: without I/O.
 *
 * - extend-stream.ES1: What the bounds leave out is behind `first` in the write that exceeds them, so no reader sees more
 *   than a tenth too much; its batches are deleted later (sweep-stream.ts).
 * - extend-stream.ES2: The record of a stream has a bounded size, whatever was written: so many steps, restarts and marks.
 *   A step that is forgotten has its number in its name, and is found by that (forgotten-step.ts); a restart, by its batch.
 */
import {
  type AttemptOfAppend,
  attemptOf,
  type KnownStep,
  numberedStep,
  partsOf,
  type StreamBounds,
  type StreamChange,
  type StreamRestart,
  type StreamWriter,
  stepOf,
} from "@duroxide-ts/core/stores";
import {
  type Mark,
  MOST_RESTARTS,
  type StepNote,
  type StreamPart,
  type StreamState,
} from "../documents/stream.ts";

/** Values of one batch, bytes; a batch of operations holds several documents. */
const PART_BYTES = 500_000;
const MOST_STEPS = 100;
/** A mark for each so many parts of the bound, by which whole marks are left out. */
const MARKS_OF_BOUND = 20;

export interface Extended {
  readonly state: StreamState;
  readonly parts: readonly StreamPart[];
}

/** The values that are written, and the delivery of an activity that writes them, if one does. */
export interface Extension extends Omit<StreamChange, "stream"> {
  readonly writer?: StreamWriter;
}

export function extendStream(before: StreamState, change: Extension): Extended {
  const { bounds, writer, close, origin } = change;
  if (origin !== undefined) return copied(before, change, origin);
  const lastOf = (name: string): StepNote | undefined => before.steps.find(({ step }) => step === name);
  const known = writer && namedStep(before, writer, lastOf);
  const attempt = writer && attemptOf(writer, known?.last, before.next);
  const values = change.values.slice(attempt?.repeated ?? 0);
  // The number of values needs no small batches: `first` may lie within one.
  const finer = { maxItems: Number.POSITIVE_INFINITY, maxBytes: bounds.maxBytes / 2 };
  const parts: StreamPart[] = [];
  let { next, bytes } = before;
  let marks = before.marks;
  for (const part of partsOf(values, finer, (value) => Buffer.byteLength(value), PART_BYTES)) {
    const whose = { step: known?.step, attempt: attempt?.attempt ?? 1, since: attempt?.since ?? next };
    const voids = parts.length === 0 ? attempt?.voids : undefined;
    parts.push({ offset: next, values: part.values, ...whose, voids });
    next += part.values.length;
    bytes += part.bytes;
    marks = withMark(marks, [next, bytes], bounds);
  }
  const voids = values.length > 0 && known !== undefined ? attempt?.voids : undefined;
  const restart =
    voids === undefined || attempt === undefined || known === undefined
      ? []
      : [{ at: before.next, step: known.step, attempt: attempt.attempt, fromOffset: voids }];
  const state = {
    ...before,
    next,
    bytes,
    marks,
    closed: before.closed || close,
    steps: withStep(before.steps, writer, known, attempt, values.length),
    restarts: withRestart(before.restarts, restart),
  };
  const after = bounded(state, bounds);
  return { state: after, parts: parts.filter(({ offset, values: of }) => offset + of.length > after.first) };
}

/** A part of another stream under its own offset, of an import. */
function copied(
  before: StreamState,
  { values, close, bounds }: Extension,
  { offset, step, attempt, since, voids }: NonNullable<StreamChange["origin"]>,
): Extended {
  const next = offset + values.length;
  const bytes = before.bytes + values.reduce((total, value) => total + Buffer.byteLength(value), 0);
  const isNew = before.next === 0 && before.etag === "";
  const restart =
    voids === undefined || step === undefined ? [] : [{ at: offset, step, attempt, fromOffset: voids }];
  const state = {
    ...before,
    ...(isNew && { first: offset, swept: offset, marks: [[offset, 0] as const] }),
    next,
    bytes,
    closed: before.closed || close,
    restarts: withRestart(before.restarts, restart),
  };
  const marks = withMark(state.marks, [next, bytes], bounds);
  return { state: { ...state, marks }, parts: [{ offset, values, step, attempt, since, voids }] };
}

/** Returns whether steps may have written that the record does not have any more. */
export function mayForget({ steps }: StreamState): boolean {
  return steps.length >= MOST_STEPS;
}

/** Names the step; the name of an activity may be that of a forgotten call. */
function namedStep(
  before: StreamState,
  writer: StreamWriter,
  lastOf: (name: string) => StepNote | undefined,
): KnownStep {
  const known = stepOf(writer, lastOf);
  return known.last === undefined && mayForget(before) ? { ...known, step: numberedStep(writer) } : known;
}

function withStep(
  steps: readonly StepNote[],
  writer: StreamWriter | undefined,
  known: KnownStep | undefined,
  attempt: AttemptOfAppend | undefined,
  count: number,
): readonly StepNote[] {
  if (writer === undefined || known === undefined || attempt === undefined || count === 0) return steps;
  const { call, delivery } = writer;
  const written = writer.written + attempt.repeated + count;
  const note = { step: known.step, call, delivery, attempt: attempt.attempt, since: attempt.since, written };
  const all = [...steps.filter(({ step }) => step !== known.step), note];
  // Those with a number in their name are found without a note.
  const isFound = (each: StepNote): boolean => each.step.endsWith(`#${each.call}`);
  if (all.length > MOST_STEPS) all.splice(Math.max(0, all.findIndex(isFound)), 1);
  return all;
}

/** Merges earlier restarts of a step that begins again often into the one that follows them. */
function withRestart(
  restarts: readonly StreamRestart[],
  added: readonly StreamRestart[],
): readonly StreamRestart[] {
  const all = [...restarts, ...added];
  while (all.length > MOST_RESTARTS) {
    const at = all.findIndex((each, index) => all.slice(index + 1).some(({ step }) => step === each.step));
    const [removed] = all.splice(Math.max(0, at), 1);
    const next = all.findIndex(({ step }) => step === removed?.step);
    const follower = all[next];
    if (removed !== undefined && follower !== undefined)
      all[next] = { ...follower, fromOffset: removed.fromOffset };
  }
  return all;
}

function withMark(marks: readonly Mark[], mark: Mark, { maxBytes }: StreamBounds): readonly Mark[] {
  const [, last = 0] = marks.at(-1) ?? [0, 0];
  return mark[1] - last >= maxBytes / MARKS_OF_BOUND ? [...marks, mark] : marks;
}

/** extend-stream.ES1 */
function bounded(state: StreamState, { maxItems, maxBytes }: StreamBounds): StreamState {
  const { next, bytes, marks } = state;
  const large = marks.findLast(([, before]) => bytes - before >= maxBytes)?.[0] ?? 0;
  const first = Math.max(state.first, next - maxItems, large);
  if (first === state.first) return state;
  // The last one before `first` says how much the values from there on have.
  const from = Math.max(
    0,
    marks.findLastIndex(([offset]) => offset <= first),
  );
  return {
    ...state,
    first,
    marks: marks.slice(from),
    restarts: state.restarts.filter(({ at }) => at >= first),
  };
}
