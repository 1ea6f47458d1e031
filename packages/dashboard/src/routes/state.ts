/**
 * `GET /api/state`: custom status and entries of an instance, what it has not received, and the size of its current
 * execution.
 */
import type { StateView } from "../page/shapes/instance.ts";
import type { Source } from "../source/source.ts";
import { shownUnread } from "../source/unread-arrivals.ts";
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
      decoded(source, instanceId),
    ]);
    return {
      ...own,
      ...shownUnread(timeline, source.payloads),
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

type Own = Pick<StateView, "entries" | "customStatus" | "fault">;

async function decoded({ client, payloads }: Source, instanceId: string): Promise<Own> {
  const handle = client.handle("unknown", instanceId);
  try {
    const [entries, status] = await Promise.all([handle.entries(), handle.status()]);
    const shown = [...entries].map(([key, value]) => ({
      key,
      value: payloads.showValue(value),
    }));
    const hasStatus = status.status !== "NotFound" && status.customStatus !== undefined;
    return {
      entries: shown,
      ...(hasStatus && { customStatus: payloads.showValue(status.customStatus) }),
    };
  } catch (error) {
    if (!(error instanceof Error) || error.name === "ProviderError") throw error;
    return { entries: [], fault: "The codec cannot decode what this instance stored." };
  }
}
