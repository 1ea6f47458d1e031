/** `POST /api/rewind`: cuts the history of an instance behind an event. */
import { textIn, wholeNumberIn } from "../http/read-body.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf } from "./route.ts";

export const rewind: ActRoute = {
  path: "rewind",
  async act(call): Promise<object> {
    const { source, body } = call;
    const instanceId = textIn(body, "id");
    const toEvent = wholeNumberIn(body, "toEvent");
    const act = actOf(call);
    const result = await source.acting.admin.rewind(instanceId, { toEvent, ...byHand(act) });
    logAction(source, "rewind", instanceId, act);
    return result;
  },
};
