/**
 * Inputs of activities that repeat most of the input of an earlier call, as history stores them: the parts that are new,
 * and the id of the event that has the others (docs/decisions/payloads.md).
 *
 * - shared-inputs.S1: The earlier event is the one before of the same activity in the same execution. So one text for each
 *   activity is enough to read a history in its order, and a part of a history that has an event has its origin too.
 */
import type { EventOf, EventPayloads, HistoryEvent } from "./event.ts";
import type { U64 } from "./integer.ts";

type Scheduled = EventPayloads["ActivityScheduled"];

/** Shared parts below this length in all, in UTF-16 units like all lengths here, or below half, are not worth the fields. */
const LEAST_SHARED = 256;
/** Length of a text that is taken for the same place in both inputs. */
const ANCHOR = 24;
/** The farthest place at which the texts are compared again after a difference. */
const FARTHEST = 256;
const MOST_CUTS = 16;

/** Places at which the earlier input ends to be shared, three numbers for each place: units kept, left out, and put in instead. */
type Cuts = readonly number[];

interface Earlier {
  readonly id: U64;
  readonly input: string;
}

export class SharedInputs {
  /** The last long input of each activity (shared-inputs.S1). */
  #earlier: Map<string, Earlier> | undefined;

  /** The length of the remembered texts. */
  get length(): number {
    let length = 0;
    for (const { input } of this.#earlier?.values() ?? []) length += input.length;
    return length;
  }

  /** The payload of a new event, as it is stored. */
  shorten(payload: Scheduled, id: U64): Scheduled {
    const { name, input } = payload;
    const earlier = this.#earlier?.get(name);
    this.#remember(name, id, input);
    const difference = earlier && differenceOf(earlier.input, input);
    if (earlier === undefined || difference === undefined) return payload;
    return { ...payload, input: difference.added, input_of: earlier.id, input_cuts: difference.cuts };
  }

  /** The event with its whole input; as stored where the history does not have the event that it names. */
  whole(event: EventOf<"ActivityScheduled">): EventOf<"ActivityScheduled"> {
    const { input_of: of, input_cuts: cuts, ...rest } = event;
    const earlier = this.#earlier?.get(event.name);
    const isShared = of !== undefined && cuts !== undefined;
    if (isShared && earlier?.id !== of) return event;
    const input = isShared && earlier !== undefined ? joined(earlier.input, cuts, event.input) : event.input;
    this.#remember(event.name, event.event_id, input);
    return isShared ? { ...rest, input } : event;
  }

  #remember(name: string, id: U64, input: string): void {
    if (input.length < LEAST_SHARED) {
      this.#earlier?.delete(name);
      return;
    }
    this.#earlier ??= new Map();
    this.#earlier.set(name, { id, input });
  }
}

/** The events of one execution with whole inputs. */
export function wholeInputs(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  if (!events.some((event) => event.type === "ActivityScheduled" && event.input_of !== undefined))
    return events;
  const inputs = new SharedInputs();
  return events.map((event) => (event.type === "ActivityScheduled" ? inputs.whole(event) : event));
}

/** `undefined` if they have too little in common. */
function differenceOf(
  earlier: string,
  input: string,
): { readonly added: string; readonly cuts: Cuts } | undefined {
  const least = Math.max(LEAST_SHARED, input.length / 2);
  if (input.length < least) return undefined;
  const cuts: number[] = [];
  let added = "";
  let [at, from] = [0, 0];
  for (;;) {
    const kept = commonLength(earlier, at, input, from);
    [at, from] = [at + kept, from + kept];
    if (at === earlier.length && from === input.length) break;
    const next = cuts.length < 3 * (MOST_CUTS - 1) ? nextCommon(earlier, at, input, from) : undefined;
    const [nextAt, nextFrom] = next ?? [earlier.length, input.length];
    cuts.push(kept, nextAt - at, nextFrom - from);
    added += input.slice(from, nextFrom);
    [at, from] = [nextAt, nextFrom];
    if (input.length - added.length < least) return undefined;
  }
  return joined(earlier, cuts, added) === input ? { added, cuts } : undefined;
}

/** Never ends within a character of two units, because what is put in is stored as a text of its own. */
function commonLength(a: string, fromA: number, b: string, fromB: number): number {
  const most = Math.min(a.length - fromA, b.length - fromB);
  let length = 0;
  while (length < most && a.charCodeAt(fromA + length) === b.charCodeAt(fromB + length)) length++;
  return isInCharacter(a, fromA + length) || isInCharacter(b, fromB + length) ? length - 1 : length;
}

/** The nearest places behind a difference at which the texts agree again. */
function nextCommon(a: string, fromA: number, b: string, fromB: number): [number, number] | undefined {
  const window = b.slice(fromB, fromB + FARTHEST + ANCHOR);
  for (let at = fromA; at < fromA + FARTHEST && at + ANCHOR <= a.length; at++) {
    const found = window.indexOf(a.slice(at, at + ANCHOR));
    if (found >= 0 && !isInCharacter(a, at) && !isInCharacter(b, fromB + found)) return [at, fromB + found];
  }
  return undefined;
}

/** Whether a cut here would leave half of a character on each side. */
function isInCharacter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

/** Keeps what stands behind the last cut. */
function joined(earlier: string, cuts: readonly U64[], added: string): string {
  let text = "";
  let [at, from] = [0, 0];
  const numbers = cuts.map(Number);
  for (let cut = 0; cut + 2 < numbers.length; cut += 3) {
    const [kept = 0, left = 0, put = 0] = numbers.slice(cut, cut + 3);
    text += earlier.slice(at, at + kept) + added.slice(from, from + put);
    [at, from] = [at + kept + left, from + put];
  }
  return text + earlier.slice(at);
}
