/** `GET /api/export`: the history of an instance for `replay`, as a file. */
import { exportHistory, type PayloadPlace } from "@duroxide-ts/core/testing";
import { historyFileName } from "../page/shapes/history-file.ts";
import type { Payloads } from "../payloads/payloads.ts";
import { parameter, type ReadRoute } from "./route.ts";

export const exported: ReadRoute = {
  path: "export",
  async read(call): Promise<Response> {
    const { client, payloads } = call.source;
    const instanceId = parameter(call, "id");
    const redact = (text: string, place: PayloadPlace): string => redacted(text, place, payloads);
    const body = await exportHistory(client, instanceId, payloads.redacts ? { redact } : {});
    return new Response(body, {
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="${historyFileName(instanceId)}"`,
      },
    });
  },
};

const PLAIN_FIELDS: ReadonlySet<string> = new Set(["message", "data", "last_error", "reason", "error"]);

function redacted(text: string, { event, field, name }: PayloadPlace, payloads: Payloads): string {
  if (event.startsWith("External")) return payloads.rewritten(text, `event.${name ?? ""}`);
  if (PLAIN_FIELDS.has(field)) return payloads.plain(text, `error.${field}`);
  return payloads.rewritten(text, event === "KeyValueSet" ? `kv.${name ?? ""}` : field);
}
