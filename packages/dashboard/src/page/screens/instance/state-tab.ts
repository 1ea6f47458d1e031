/** What the instance shows to the outside: custom status and entries; and the size of its history. */
import type { VNode } from "preact";
import { apiPath } from "../../browser/api.ts";
import { bytes, number, visible } from "../../browser/format.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Empty, Loading, Notice, Trouble } from "../../parts/parts.ts";
import { PayloadView } from "../../parts/payload-view.ts";
import type { StateView } from "../../shapes/instance.ts";

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
  const { customStatus, entries, fault, stats } = data;
  const isEmpty = customStatus === undefined && entries.length === 0 && fault === undefined;
  return h(
    "div",
    { class: "state" },
    h(Trouble, { error, readAtMs }),
    fault === undefined ? null : h(Notice, { state: "failed", title: "Not readable" }, h("p", {}, fault)),
    customStatus === undefined ? null : h(PayloadView, { title: "Custom status", payload: customStatus }),
    ...entries.map(({ key, value }) => h(PayloadView, { key, title: visible(key), payload: value })),
    isEmpty
      ? h(Empty, { title: "No state" }, "The orchestration sets no custom status and no entries.")
      : null,
    stats === undefined
      ? null
      : h(
          "p",
          { class: "quiet" },
          `${number(stats.historyEvents)} events, ${bytes(stats.historyBytes)} of history, ${number(stats.kvKeys)} entries.`,
        ),
  );
}
