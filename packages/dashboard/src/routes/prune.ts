/** `POST /api/prune`: deletes old executions of an instance. */
import { optionalTextIn, textIn, wholeNumberIn } from "../http/read-body.ts";
import { byHand, logAction } from "../source/verbs.ts";
import type { ActRoute } from "./route.ts";

export const prune: ActRoute = {
  path: "prune",
  async act({ source, user, body }): Promise<object> {
    const instanceId = textIn(body, "id");
    const act = { user: user.user, reason: optionalTextIn(body, "reason") ?? "" };
    const keepLast = wholeNumberIn(body, "keepLast");
    const result = await source.admin.prune(instanceId, { keepLast, ...byHand(act) });
    logAction(source, "prune", instanceId, act);
    return result;
  },
};
