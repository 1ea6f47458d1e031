/** `GET /api/streams`: the streams of an instance, the newest values of one, and the progress of its steps. */
import { ProviderError, type StreamItem } from "@duroxide-ts/core";
import type { ShownValue, StreamsView } from "../page/shapes/streams.ts";
import type { Source } from "../source/source.ts";
import { parameter, type ReadRoute } from "./route.ts";

/** The most values that the page shows. */
const MOST_VALUES = 200;

export const streams: ReadRoute = {
  path: "streams",
  isLong: true,
  async read(call): Promise<StreamsView> {
    const { source, query } = call;
    const instanceId = parameter(call, "id");
    const handle = source.client.undecoded().handle("unknown", instanceId);
    try {
      const [all, reports] = await Promise.all([handle.streams(), handle.progress()]);
      const wanted = query.get("stream");
      const shown = all.find(({ stream }) => stream === wanted) ?? all[0];
      return {
        streams: all.map(({ stream, first, next, closed }) => ({ stream, first, next, closed })),
        progress: reports.map(({ step, value, atMs, attempt }) => ({
          step,
          value: source.payloads.show(String(value)),
          atMs,
          attempt,
        })),
        values: shown === undefined ? [] : await newest(source, instanceId, shown),
        ...(shown !== undefined && { stream: shown.stream }),
        nowMs: source.clock.now(),
      };
    } catch (error) {
      if (!ProviderError.is(error, "unsupported")) throw error;
      return { streams: [], progress: [], values: [], nowMs: source.clock.now() };
    }
  },
};

/** The values that count, without those of attempts that others have replaced. */
async function newest(
  { client, payloads }: Source,
  instanceId: string,
  { stream, first, next }: { readonly stream: string; readonly first: number; readonly next: number },
): Promise<readonly ShownValue[]> {
  const handle = client.undecoded().handle("unknown", instanceId);
  const values: ShownValue[] = [];
  const from = Math.max(first, next - MOST_VALUES);
  for await (const item of handle.stream(stream, { from, wait: false }) as AsyncIterable<
    StreamItem<unknown>
  >) {
    if (item.offset === undefined) continue;
    const { offset, step, attempt, value } = item;
    const shown = payloads.show(String(value));
    values.push({ offset, attempt, value: shown, ...(step !== undefined && { step }) });
  }
  return values.slice(-MOST_VALUES);
}
