/** `GET /api/history`: a page of events, as they are stored, with decoded payloads. */
import { type HistoryEvent, saturatedNumber } from "@duroxide-ts/core/stores";
import type { HistoryPage, HistoryRow } from "../page/shapes/instance.ts";
import { type Place, shownFields } from "../source/shown-events.ts";
import type { Source } from "../source/source.ts";
import { parameter, positiveNumber, type ReadRoute } from "./route.ts";

const MOST_ROWS = 200;

export const history: ReadRoute = {
  path: "history",
  isLong: true,
  async read(call): Promise<HistoryPage> {
    const { source } = call;
    const instanceId = parameter(call, "id");
    const events = await source.admin.history(instanceId, positiveNumber(call, "execution"));
    const place = { instanceId, executionId: Number(events[0]?.execution_id ?? 1) };
    const from = (positiveNumber(call, "from") ?? 1) - 1;
    const rows = events.slice(from, from + MOST_ROWS).map((event) => rowOf(event, source, place));
    return { rows, total: events.length };
  },
};

function rowOf(event: HistoryEvent, { payloads }: Source, place: Place): HistoryRow {
  const name = "name" in event ? event.name : "key" in event ? event.key : undefined;
  return {
    id: Number(event.event_id),
    type: event.type,
    atMs: saturatedNumber(event.timestamp_ms),
    ...(event.source_event_id !== null && { source: Number(event.source_event_id) }),
    ...(name !== undefined && { name }),
    fields: shownFields(event, payloads, place),
  };
}
