/** Does the same to many instances, some at a time, and tells how far it has come. */
import type { BulkProgress } from "../page/shapes/instances.ts";
import type { Pages } from "./bulk-targets.ts";
import type { Source } from "./source.ts";
import { type Act, type PlainVerb, perform } from "./verbs.ts";

/** The store joins those that are written together. */
const AT_A_TIME = 16;

export interface Run {
  readonly source: Source;
  readonly verb: PlainVerb;
  readonly act: Act;
  readonly targets: Pages;
  readonly signal: AbortSignal;
}

/** One instance that fails does not end the others. */
export async function* runBulk(run: Run): AsyncGenerator<BulkProgress, void, undefined> {
  const { targets, signal } = run;
  const { total } = targets;
  let [succeeded, failed] = [0, 0];
  let after: string | undefined;
  const progress = (refused: BulkProgress["refused"], done: boolean): BulkProgress => ({
    succeeded,
    failed,
    refused,
    done,
    ...(total !== undefined && { total }),
    ...(after !== undefined && { after }),
  });
  yield progress([], false);
  for await (const page of targets.pages()) {
    for (let n = 0; n < page.ids.length; n += AT_A_TIME) {
      if (signal.aborted) return;
      const refused = await doSome(run, page.ids.slice(n, n + AT_A_TIME));
      failed += refused.length;
      succeeded += Math.min(AT_A_TIME, page.ids.length - n) - refused.length;
      yield progress(refused, false);
    }
    after = page.after;
  }
  yield progress([], true);
}

async function doSome({ source, verb, act }: Run, ids: readonly string[]): Promise<BulkProgress["refused"]> {
  const outcomes = await Promise.allSettled(ids.map((id) => perform(source, verb, id, act)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === "fulfilled" ? [] : [{ id: ids[index] ?? "", message: messageOf(outcome.reason) }],
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
