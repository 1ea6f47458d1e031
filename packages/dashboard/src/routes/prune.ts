/** `POST /api/prune`: deletes old executions of an instance. */
import { textIn, wholeNumberIn } from "../http/read-body.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf } from "./route.ts";

export const prune: ActRoute = {
  path: "prune",
  async act(call): Promise<object> {
    const { source, body } = call;
    const instanceId = textIn(body, "id");
    const act = actOf(call);
    const keepLast = wholeNumberIn(body, "keepLast");
    const result = await source.acting.admin.prune(instanceId, { keepLast, ...byHand(act) });
    logAction(source, "prune", instanceId, act);
    return result;
  },
};
