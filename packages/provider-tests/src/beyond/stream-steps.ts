/** Steps of the cases about streams. */
import type {
  AppendOutcome,
  FetchedWork,
  StreamAppend,
  StreamChange,
  StreamPage,
} from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { activity } from "../messages.ts";
import { createInstance, given, mustFetchWork } from "../steps.ts";

const BOUNDS = { maxItems: 1_000, maxBytes: 1_000_000 } as const;

/** Returns what a turn writes to the stream `s`. */
export function written(values: readonly string[], more: Partial<StreamChange> = {}): StreamChange {
  return { stream: "s", values, close: false, bounds: BOUNDS, ...more };
}

/** The instance `a` with activities of these ids, and the first of them under a lock. */
export async function writing(context: CaseContext, ...ids: readonly number[]): Promise<FetchedWork> {
  await createInstance(context, "a", { workerItems: ids.map((id) => activity("a", id)) });
  return mustFetchWork(context);
}

interface Append extends Partial<StreamChange> {
  /** Name of the delivery, `d1` by default. */
  readonly delivery?: string;
  readonly written?: number;
  readonly leastAttempt?: number;
}

/** Returns what an activity writes to the stream `s`, by default as its first delivery and before anything else. */
export function appendOf(
  { item, lockToken }: FetchedWork,
  values: readonly string[],
  { delivery = "d1", written: before = 0, leastAttempt = 1, ...change }: Append = {},
): StreamAppend {
  const writer = {
    call: String(item.id),
    name: item.name,
    delivery,
    leastAttempt,
    written: before,
    lockToken,
  };
  return { ...written(values, change), instanceId: item.instance, writer };
}

export function append(
  { provider }: CaseContext,
  fetched: FetchedWork,
  values: readonly string[],
  more: Append = {},
): Promise<AppendOutcome> {
  return given(provider.appendStream, "no streams").call(provider, appendOf(fetched, values, more));
}

/** The first page from an offset on; `undefined` for an unknown instance. */
export function pageFrom(
  { provider }: CaseContext,
  from = 0,
  instanceId = "a",
  stream = "s",
): Promise<StreamPage | undefined> {
  return given(provider.readStream, "no streams").call(provider, { instanceId, stream, from });
}

/** All values from an offset on, over as many pages as there are. */
export async function valuesFrom(context: CaseContext, from = 0, stream = "s"): Promise<readonly string[]> {
  const values: string[] = [];
  for (let at = from; ; ) {
    const page = given(await pageFrom(context, at, "a", stream), "no instance");
    const end = given(page, "a page").batches.reduce((_, each) => each.offset + each.values.length, at);
    for (const { offset, values: texts } of page.batches)
      values.push(...texts.slice(Math.max(0, at - offset)));
    if (end <= at || end >= page.next) return values;
    at = end;
  }
}

/** Values with their steps and attempts, such as `work/2:b`; those of code have neither. */
export async function shownFrom(context: CaseContext, from = 0): Promise<readonly string[]> {
  const { batches } = given(await pageFrom(context, from), "no instance");
  return batches.flatMap(({ values, step, attempt }) =>
    values.map((value) => (step === undefined ? value : `${step}/${attempt}:${value}`)),
  );
}
