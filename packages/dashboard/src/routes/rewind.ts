/** `POST /api/rewind`: cuts the history of an instance behind an event. */
import { optionalTextIn, textIn, wholeNumberIn } from "../http/read-body.ts";
import { logAction } from "../source/verbs.ts";
import type { ActRoute } from "./route.ts";

export const rewind: ActRoute = {
  path: "rewind",
  async act({ source, user, body }): Promise<object> {
    const instanceId = textIn(body, "id");
    const toEvent = wholeNumberIn(body, "toEvent");
    const reason = optionalTextIn(body, "reason");
    const result = await source.admin.rewind(instanceId, {
      toEvent,
      by: user.user,
      ...(reason !== undefined && { reason }),
    });
    logAction(source, "rewind", instanceId, { user: user.user, reason: reason ?? "" });
    return result;
  },
};
