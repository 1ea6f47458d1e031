/**
 * `POST /api/bulk`: an action on many instances. The answer is a line of JSON for each step of progress, and ends when
 * all are done; the end of the request ends the action, after the instances that are under way.
 */
import { Refused } from "../http/answers.ts";
import { type Body, flagIn, optionalTextIn, textIn } from "../http/read-body.ts";
import { FILTER_KEYS, filterFrom } from "../page/shapes/filter.ts";
import { instancesOf, type Targets } from "../source/bulk-targets.ts";
import { type Run, runBulk } from "../source/run-bulk.ts";
import { isPlain } from "../source/verbs.ts";
import { type ActRoute, actOf, type Call } from "./route.ts";

export const bulk: ActRoute = {
  path: "bulk",
  async act(call): Promise<Response> {
    const { source, body } = call;
    const verb = textIn(body, "verb");
    if (!isPlain(verb)) throw new Refused(400, "invalid-input", `there is no action "${verb}" for many`);
    const act = { ...actOf(call), force: flagIn(body, "force") };
    const targets = await instancesOf(source, wanted(body));
    return new Response(lines(call, { source, verb, act, targets }), {
      headers: { "content-type": "application/jsonl; charset=utf-8" },
    });
  },
};

function wanted(body: Body): Targets {
  const { ids, filter } = body;
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return { ids };
  if (typeof filter !== "object" || filter === null) {
    throw new Refused(400, "invalid-input", 'give "ids" or a "filter"');
  }
  const parameters = new URLSearchParams();
  for (const key of FILTER_KEYS) {
    const value: unknown = (filter as Record<string, unknown>)[key];
    if (typeof value === "string") parameters.set(key, value);
  }
  const after = optionalTextIn(body, "after");
  return { filter: filterFrom(parameters), ...(after !== undefined && { after }) };
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
