/** `POST /instances/:id/cancel`: asks an instance to end. */
import { NotDeliveredError } from "@duroxide-ts/core";
import { hasEnded } from "@duroxide-ts/core/stores";
import { json, Refused, readBytes } from "@duroxide-ts/core/web";
import { parsed } from "../request/payload.ts";
import { actingHandle, type Call, instanceIdOf } from "./call.ts";
import { existing } from "./instance.ts";

export async function cancel(call: Call): Promise<Response> {
  const reason = await reasonOf(call);
  // A cancellation that nobody can take would wait for an instance that is started later under this id.
  const found = await existing(call);
  if (hasEnded(found.status)) throw new NotDeliveredError("ended", instanceIdOf(call), "has ended");
  await actingHandle(call).cancel(reason);
  return json({}, 202);
}

async function reasonOf({ request, settings }: Call): Promise<string> {
  const bytes = await readBytes(request, settings.maxBodyBytes);
  const body: unknown = bytes.byteLength === 0 ? {} : parsed(bytes);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const reason: unknown = isObject ? Reflect.get(body, "reason") : null;
  if (reason === undefined) return "";
  if (typeof reason === "string") return reason;
  throw new Refused(
    400,
    "invalid-input",
    'the body of a cancellation is JSON such as { "reason": "sold out" }',
  );
}
