/**
 * `POST /instances/:id/events/:name` and `…/queues/:name`: messages of programs, and webhooks.
 *
 * - deliver.DE1: `verify` sees the bytes as they were sent, before anything is parsed or stored.
 * - deliver.DE2: All but `true` is a refusal. A function that forgets to return, or returns the `null` of a library, must
 *   not let strangers in.
 */
import { event, type SendOptions } from "@duroxide-ts/core";
import { json, Refused, readBytes } from "@duroxide-ts/core/web";
import { messageIdOf } from "../request/message-id.ts";
import { flagOf } from "../request/parameters.ts";
import { payloadOf } from "../request/payload.ts";
import { actingHandle, type Call } from "./call.ts";

export async function raise(call: Call): Promise<Response> {
  const { data, name, options } = await delivery(call);
  await actingHandle(call).raise(event(name, { keep: flagOf(call.url, "keep", false) }), data, options);
  return json({}, 202);
}

export async function enqueue(call: Call): Promise<Response> {
  const { data, name, options } = await delivery(call);
  await actingHandle(call).enqueue(name, data, options);
  return json({}, 202);
}

interface Delivered {
  readonly name: string;
  readonly data: unknown;
  readonly options: SendOptions;
}

async function delivery(call: Call): Promise<Delivered> {
  const { request, url, settings, segments } = call;
  const rawBody = await readBytes(request, settings.maxBodyBytes);
  await checkSignature(call, rawBody);
  const messageId = messageIdOf(request, url);
  const ifMissing = url.searchParams.get("ifMissing");
  return {
    name: segments[1] ?? "",
    data: payloadOf(request, rawBody),
    options: {
      ...(messageId !== undefined && { messageId }),
      ...(ifMissing !== null && { ifMissing: ifMissing as "fail" | "keep" }),
    },
  };
}

async function checkSignature({ request, settings }: Call, rawBody: Uint8Array<ArrayBuffer>): Promise<void> {
  const { verify, warnings } = settings;
  if (verify === undefined) return;
  const { url, method, headers, signal } = request;
  // The body of the request was read; libraries that read it themselves find it here.
  const again = new Request(url, { method, headers, signal, body: rawBody.slice() });
  try {
    const verdict: unknown = await verify({ request: again, rawBody });
    if (verdict === true) return;
    if (verdict !== false) {
      warnings.write(
        "verify_no_verdict",
        "verify returned neither true nor false, so the delivery is refused; return true where the signature is right",
      );
    }
  } catch (error) {
    // Libraries throw for a wrong signature; so does a mistake.
    warnings.write("verify_rejected", `verify rejected, so the delivery is refused: ${String(error)}`);
  }
  throw new Refused(401, "wrong-signature", "the signature of the delivery is not right");
}
