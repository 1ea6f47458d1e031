/** Events and queue messages that no call of the current execution has received, or that did not fit. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import type { ShownArrival, StateView } from "../page/shapes/instance.ts";
import type { Payloads } from "../payloads/payloads.ts";

/** More are counted, not listed. */
const MOST = 100;

type UnreadArrival = InstanceTimeline["unread"][number];

export function shownUnread(
  timeline: InstanceTimeline,
  payloads: Payloads,
): Pick<StateView, "unread" | "unreadCount"> {
  const { unread } = timeline;
  const shown = unread.slice(0, MOST).map((arrival) => shownArrival(timeline, arrival, payloads));
  return { unread: shown, unreadCount: unread.length };
}

/** Returns those that did not fit the schema of their wait, newest first. */
export function shownSetAside(
  timeline: InstanceTimeline,
  payloads: Payloads,
): Pick<StateView, "setAside" | "setAsideCount" | "executionId"> {
  const { setAside, executionId } = timeline;
  const shown = setAside.slice(-MOST).reverse();
  return {
    setAside: shown.map((it) => ({
      ...shownArrival(timeline, it, payloads),
      misfit: reasonOf(it.misfit, payloads),
      ...(it.replacedBy !== undefined && { replacedBy: it.replacedBy }),
    })),
    setAsideCount: setAside.length,
    executionId,
  };
}

function reasonOf(text: string, payloads: Payloads): string {
  try {
    return String(payloads.decoded(text));
  } catch {
    return "(the codec cannot decode it)";
  }
}

function shownArrival(
  { instanceId, executionId }: InstanceTimeline,
  { kind, id, name, atMs, data }: UnreadArrival,
  payloads: Payloads,
): ShownArrival {
  const payload = payloads.show(data);
  const place = { id: instanceId, execution: String(executionId), event: String(id), part: "data" };
  return {
    kind,
    id,
    name,
    atMs,
    storedBytes: Buffer.byteLength(data),
    payload: payload.isCut ? { ...payload, load: `payload?${new URLSearchParams(place)}` } : payload,
  };
}
