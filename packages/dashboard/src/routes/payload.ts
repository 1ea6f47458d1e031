/**
 * `GET /api/payload`: the whole of a payload that was cut: of a step (`step`, `part`), of an event (`event`), or what an
 * event or a message brought (`event`, `part=data`).
 */

import { isArrival } from "@duroxide-ts/core/stores";
import { Refused } from "@duroxide-ts/core/web";
import { choiceIn } from "../http/choice-in.ts";
import type { ShownPayload } from "../page/shapes/payload.ts";
import { payloadsOf } from "../source/call-payloads.ts";
import { shownFields } from "../source/shown-events.ts";
import { type Call, parameter, positiveNumber, type ReadRoute } from "./route.ts";

export const payload: ReadRoute = {
  path: "payload",
  isLong: true,
  read: (call) => (call.query.has("event") ? ofEvent(call) : ofStep(call)),
};

async function ofStep(call: Call): Promise<ShownPayload> {
  const { admin, payloads } = call.source;
  const part = choiceIn('"part"', parameter(call, "part"), ["input", "output"]);
  const timeline = await admin.timeline(parameter(call, "id"), positiveNumber(call, "execution"));
  const stored = payloadsOf(timeline, Number(call.query.get("step")));
  const text = stored?.[part];
  if (text === undefined) throw new Refused(404, "not-found", "there is no such payload");
  return payloads.show(text, true);
}

async function ofEvent(call: Call): Promise<ShownPayload> {
  const { admin, payloads } = call.source;
  const instanceId = parameter(call, "id");
  const executionId = positiveNumber(call, "execution") ?? 1;
  const id = positiveNumber(call, "event");
  const events = await admin.history(instanceId, executionId);
  const event = events.find(({ event_id }) => Number(event_id) === id);
  if (event === undefined) throw new Refused(404, "not-found", "there is no such event");
  if (call.query.get("part") === "data" && isArrival(event)) return payloads.show(event.data, true);
  return shownFields(event, payloads, { instanceId, executionId }, true);
}
