/** `POST /api/raise` and `POST /api/enqueue`: an event or a queue message for an instance. */
import { payloadIn, textIn } from "../http/read-body.ts";
import { logAction } from "../source/verbs.ts";
import { type ActRoute, actOf, type Call } from "./route.ts";

export const raise: ActRoute = { path: "raise", act: (call) => send(call, "raise") };
export const enqueue: ActRoute = { path: "enqueue", act: (call) => send(call, "enqueue") };

async function send(call: Call, verb: "raise" | "enqueue"): Promise<object> {
  const { source, body } = call;
  const instanceId = textIn(body, "id");
  const name = textIn(body, "name");
  await source.acting
    .handle("unknown", instanceId)
    [verb](name, payloadIn(body, "data", source.payloads.isJson));
  const { user, reason } = actOf(call);
  logAction(source, verb, instanceId, { user, reason: `"${name}"${reason === "" ? "" : `: ${reason}`}` });
  return {};
}
