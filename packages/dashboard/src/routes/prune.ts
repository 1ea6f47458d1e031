/** `POST /api/prune`: deletes old executions of an instance. */
import { optionalTextIn, textIn, wholeNumberIn } from "../http/read-body.ts";
import { logAction } from "../source/verbs.ts";
import type { ActRoute } from "./route.ts";

export const prune: ActRoute = {
  path: "prune",
  async act({ source, user, body }): Promise<object> {
    const instanceId = textIn(body, "id");
    const result = await source.admin.prune(instanceId, { keepLast: wholeNumberIn(body, "keepLast") });
    logAction(source, "prune", instanceId, { user: user.user, reason: optionalTextIn(body, "reason") ?? "" });
    return result;
  },
};
