/** `POST /instances/:id/ask/:name`: a question, and its answer. */
import { json, Refused, readBytes } from "@duroxide-ts/core/web";
import { messageIdOf } from "../request/message-id.ts";
import { payloadOf } from "../request/payload.ts";
import { MOST_WAIT_MS, waitMs, whileWanted } from "../request/waiting.ts";
import { actingHandle, type Call } from "./call.ts";

export async function ask(call: Call): Promise<Response> {
  const { request, url, settings, segments } = call;
  const timeout = waitMs(url) ?? MOST_WAIT_MS;
  const messageId = messageIdOf(request, url);
  const input = payloadOf(request, await readBytes(request, settings.maxBodyBytes));
  const answer = await whileWanted(request, settings.stopping, (signal) =>
    actingHandle(call)
      .ask(segments[1] ?? "", input, { timeout, signal, ...(messageId !== undefined && { messageId }) })
      .catch((error: unknown) => {
        if (settings.stopping?.aborted !== true || request.signal.aborted) throw error;
        throw new Refused(
          503,
          "stopping",
          "the server stops; repeat the question with the same Idempotency-Key",
        );
      }),
  );
  return json(answer ?? null);
}
