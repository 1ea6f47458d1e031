/** `POST /api/start`: starts an instance; an id that is taken is refused. */
import { optionalTextIn, textIn } from "../http/read-body.ts";
import { logAction } from "../source/verbs.ts";
import type { ActRoute } from "./route.ts";

export const start: ActRoute = {
  path: "start",
  async act({ source, user, body }): Promise<{ readonly id: string }> {
    const version = optionalTextIn(body, "version");
    const instanceId = optionalTextIn(body, "id");
    const name = textIn(body, "name");
    const handle = await source.client.start(source.orchestrations.find(name, version) ?? name, {
      input: body["input"],
      ifExists: "fail",
      ...(version !== undefined && { version }),
      ...(instanceId !== undefined && { instanceId }),
    });
    const reason = optionalTextIn(body, "reason") ?? "";
    logAction(source, "start", handle.instanceId, { user: user.user, reason });
    return { id: handle.instanceId };
  },
};
