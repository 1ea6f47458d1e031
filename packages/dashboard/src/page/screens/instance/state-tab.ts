/** The state of the instance: custom status and entries; what it has not received; the size of its history. */
import type { VNode } from "preact";
import { apiPath } from "../../browser/api.ts";
import { serverNow } from "../../browser/clock.ts";
import { bytes, distance, number, visible } from "../../browser/format.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Empty, Loading, Trouble } from "../../parts/parts.ts";
import { PayloadView } from "../../parts/payload-view.ts";
import type { ShownArrival, StateView } from "../../shapes/instance.ts";
import { SetAsideList } from "./set-aside-list.ts";

export function StateTab({
  instanceId,
  version,
}: {
  readonly instanceId: string;
  readonly version: number;
}): VNode {
  const path = apiPath("state", { id: instanceId, v: version });
  const { data, error, readAtMs } = useResource<StateView>(path, { keep: true });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the state" }) : h(Trouble, { error, readAtMs });
  const { customStatus, entries, stats, unread, unreadCount, setAside } = data;
  const isEmpty = customStatus === undefined && entries.length === 0;
  return h(
    "div",
    { class: "state" },
    h(Trouble, { error, readAtMs }),
    customStatus === undefined ? null : h(PayloadView, { title: "Custom status", payload: customStatus }),
    ...entries.map(({ key, value }) => h(PayloadView, { key, title: visible(key), payload: value })),
    isEmpty
      ? h(Empty, { title: "No state" }, "The orchestration sets no custom status and no entries.")
      : null,
    unread.length === 0 ? null : h(UnreadList, { unread, count: unreadCount }),
    setAside.length === 0 ? null : h(SetAsideList, { instanceId, state: data }),
    stats === undefined
      ? null
      : h(
          "p",
          { class: "quiet" },
          `${number(stats.historyEvents)} events, ${bytes(stats.historyBytes)} of history, ${number(stats.kvKeys)} entries.`,
        ),
  );
}

/** Oldest first, as the code would receive them. */
function UnreadList({
  unread,
  count,
}: {
  readonly unread: readonly ShownArrival[];
  readonly count: number;
}): VNode {
  const isMore = count > unread.length;
  const nowMs = serverNow();
  return h(
    "section",
    { class: "unread", "aria-label": "Not received" },
    h("h2", {}, "Not received"),
    h(
      "p",
      { class: "quiet" },
      `${number(count)} ${count === 1 ? "event or message" : "events and messages"} that no call of the code has received.`,
      isMore ? ` The oldest ${unread.length} are listed.` : "",
    ),
    ...unread.map(({ kind, id, name, atMs, storedBytes, payload }) =>
      h(PayloadView, {
        key: id,
        title: `${kind} ${visible(name)}`,
        note: `${distance(atMs, nowMs)}, ${bytes(storedBytes)} stored`,
        payload,
      }),
    ),
  );
}
