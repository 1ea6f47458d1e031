/** Does the same to many instances, a page at a time, and tells how far it has come. */
import { messageOf, withoutQuotation } from "@duroxide-ts/core/stores";
import type { BulkProgress } from "../page/shapes/instances.ts";
import type { Pages } from "./bulk-targets.ts";
import type { Source } from "./source.ts";
import { type Act, type PlainVerb, perform } from "./verbs.ts";

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
    if (signal.aborted) return;
    const refused = await doAll(run, page.ids);
    failed += refused.length;
    succeeded += page.ids.length - refused.length;
    after = page.after;
    yield progress(refused, false);
  }
  yield progress([], true);
}

async function doAll({ source, verb, act }: Run, ids: readonly string[]): Promise<BulkProgress["refused"]> {
  const outcomes = await Promise.allSettled(ids.map((id) => perform(source, verb, id, act)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === "fulfilled"
      ? []
      : [
          {
            id: ids[index] ?? "",
            message: messageOf(source.redacts ? withoutQuotation(outcome.reason) : outcome.reason),
          },
        ],
  );
}
