/** `POST /api/start`: starts an instance; an id that is taken is refused. */
import { instantIn } from "@duroxide-ts/core/web";
import { optionalTextIn, payloadIn, textIn } from "../http/read-body.ts";
import { logAction } from "../source/verbs.ts";
import { type ActRoute, actOf } from "./route.ts";

export const start: ActRoute = {
  path: "start",
  async act(call): Promise<{ readonly id: string }> {
    const { source, body } = call;
    const version = optionalTextIn(body, "version");
    const instanceId = optionalTextIn(body, "id");
    const name = textIn(body, "name");
    const after = optionalTextIn(body, "after");
    const known = source.orchestrations.find(name, version);
    const handle = await source.acting.start(known ?? name, {
      input: payloadIn(body, "input", source.payloads.isJson && known?.schema === undefined),
      ifExists: "fail",
      ...(version !== undefined && { version }),
      ...(instanceId !== undefined && { instanceId }),
      ...(after !== undefined && { after: new Date(instantIn("after", after)) }),
    });
    logAction(source, "start", handle.instanceId, actOf(call));
    return { id: handle.instanceId };
  },
};
