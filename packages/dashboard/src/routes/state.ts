/**
 * `GET /api/state`: custom status and entries of an instance, what it has not received, and the size of its current
 * execution.
 */
import type { StateView } from "../page/shapes/instance.ts";
import type { Source } from "../source/source.ts";
import { shownSetAside, shownUnread } from "../source/unread-arrivals.ts";
import { parameter, type ReadRoute } from "./route.ts";

export const state: ReadRoute = {
  path: "state",
  isLong: true,
  async read(call): Promise<StateView> {
    const instanceId = parameter(call, "id");
    const { source } = call;
    const [stats, timeline, own] = await Promise.all([
      source.client.handle("unknown", instanceId).stats(),
      source.admin.timeline(instanceId),
      stored(source, instanceId),
    ]);
    return {
      ...own,
      ...shownUnread(timeline, source.payloads),
      ...shownSetAside(timeline, source.payloads),
      ...(stats !== undefined && {
        stats: {
          historyEvents: stats.historyEventCount,
          historyBytes: stats.historySizeBytes,
          kvKeys: stats.kvUserKeyCount,
        },
      }),
    };
  },
};

type Own = Pick<StateView, "entries" | "customStatus">;

async function stored({ client, payloads }: Source, instanceId: string): Promise<Own> {
  const handle = client.undecoded().handle("unknown", instanceId);
  const [entries, status] = await Promise.all([handle.entries(), handle.status()]);
  const custom = status.status === "NotFound" ? undefined : status.customStatus;
  return {
    entries: [...entries].map(([key, value]) => ({ key, value: payloads.show(String(value)) })),
    ...(custom !== undefined && { customStatus: payloads.show(String(custom)) }),
  };
}
