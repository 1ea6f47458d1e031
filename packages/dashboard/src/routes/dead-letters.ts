/** `GET /api/dead-letters`, and the two actions on one of them. */
import { Refused } from "@duroxide-ts/core/web";
import { textIn } from "../http/read-body.ts";
import type { DeadLettersView } from "../page/shapes/work.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf, type Call, type ReadRoute } from "./route.ts";

const ROWS = 50;

export const deadLetters: ReadRoute = {
  path: "dead-letters",
  async read({ source, query }): Promise<DeadLettersView> {
    const { admin, clock } = source;
    const continuation = query.get("continuation") || undefined;
    const page = await admin.deadLetters({
      limit: ROWS,
      ...(continuation !== undefined && { continuation }),
    });
    return {
      rows: page.deadLetters,
      ...(page.continuation !== undefined && { continuation: page.continuation }),
      nowMs: clock.now(),
    };
  },
};

export const requeue: ActRoute = { path: "requeue", act: (call) => change(call, "requeueDeadLetter") };
export const drop: ActRoute = { path: "drop", act: (call) => change(call, "dropDeadLetter") };

async function change(call: Call, verb: "requeueDeadLetter" | "dropDeadLetter"): Promise<object> {
  const { source, body } = call;
  const id = textIn(body, "id");
  const act = actOf(call);
  if (!(await source.acting.admin[verb](id, byHand(act)))) {
    throw new Refused(404, "not-found", "this dead letter is gone");
  }
  logAction(source, verb, id, act);
  return {};
}
