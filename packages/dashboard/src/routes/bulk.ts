/**
 * `POST /api/bulk`: an action on many instances. The answer is a line of JSON for each step of progress, and ends when
 * all are done; the end of the request ends the action, after the instances that are under way.
 */
import { Refused } from "@duroxide-ts/core/web";
import { choiceIn } from "../http/choice-in.ts";
import { type Body, flagIn, optionalTextIn, textIn } from "../http/read-body.ts";
import type { BulkRequest } from "../page/shapes/instances.ts";
import { instancesOf, type Targets } from "../source/bulk-targets.ts";
import { type Run, runBulk } from "../source/run-bulk.ts";
import { checkedFilter } from "../source/store-filter.ts";
import { isPlain } from "../source/verbs.ts";
import { type ActRoute, actOf, type Call } from "./route.ts";

export const bulk: ActRoute = {
  path: "bulk",
  async act(call): Promise<Response> {
    const { source, body } = call;
    const verb = textIn(body, "verb");
    if (!isPlain(verb)) throw new Refused(400, "invalid-input", `there is no action "${verb}" for many`);
    for (const field of Object.keys(body)) choiceIn("a field of the body", field, FIELDS);
    const act = { ...actOf(call), force: flagIn(body, "force") };
    const targets = await instancesOf(source, wanted(body));
    return new Response(lines(call, { source, verb, act, targets }), {
      headers: { "content-type": "application/jsonl; charset=utf-8" },
    });
  },
};

const FIELDS: readonly (keyof BulkRequest)[] = ["verb", "reason", "force", "ids", "filter", "after"];

function wanted(body: Body): Targets {
  const { ids, filter } = body;
  const isOne = (ids === undefined) !== (filter === undefined);
  if (isOne && Array.isArray(ids) && ids.every((id) => typeof id === "string")) return { ids };
  if (!isOne || typeof filter !== "object" || filter === null || Array.isArray(filter)) {
    throw new Refused(400, "invalid-input", 'give either "ids", a list of texts, or a "filter", an object');
  }
  const after = optionalTextIn(body, "after");
  return { filter: checkedFilter(Object.entries(filter)), ...(after !== undefined && { after }) };
}

function lines(call: Call, run: Omit<Run, "signal">): ReadableStream<Uint8Array<ArrayBuffer>> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, call.signal]);
  const progress = runBulk({ ...run, signal });
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await progress.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
    },
    cancel: () => gone.abort(),
  });
}
