/** `POST /api/redeliver`: delivers a message again that did not fit its wait. */
import { payloadIn, textIn, wholeNumberIn } from "../http/read-body.ts";
import { byHand, logAction } from "../source/verbs.ts";
import { type ActRoute, actOf } from "./route.ts";

export const redeliver: ActRoute = {
  path: "redeliver",
  async act(call): Promise<object> {
    const { source, body } = call;
    const instanceId = textIn(body, "id");
    const message = payloadIn(body, "data", source.payloads.isJson);
    const act = actOf(call);
    const result = await source.acting.admin.redeliver(instanceId, {
      eventId: wholeNumberIn(body, "event"),
      executionId: wholeNumberIn(body, "execution"),
      ...(message !== undefined && { message }),
      ...byHand(act),
    });
    logAction(source, "redeliver", instanceId, act);
    return result;
  },
};
