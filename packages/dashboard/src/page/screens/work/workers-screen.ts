/** The processes that work on the store. */
import type { Worker as WorkerRow } from "@duroxide-ts/core";
import type { VNode } from "preact";
import { visible } from "../../browser/format.ts";
import { href } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Badge, Empty, Link, Loading, Time, Trouble } from "../../parts/parts.ts";
import type { WorkersView } from "../../shapes/work.ts";

const REFRESH_MS = 5_000;
/** A process reports itself every 30 s. */
const SILENT_MS = 75_000;

export function WorkersScreen(): VNode {
  const { data, error, readAtMs } = useResource<WorkersView>("workers", { everyMs: REFRESH_MS });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the workers" }) : h(Trouble, { error, readAtMs });
  return h(
    "div",
    { class: "screen" },
    h("div", { class: "heading" }, h("h1", {}, "Workers")),
    h(Trouble, { error, readAtMs }),
    data.rows.length === 0
      ? h(Empty, {
          title: "No worker has reported itself",
          children: "A process that runs Runtime.start on this store appears here within half a minute.",
          command: "node worker.js",
        })
      : h(
          "div",
          { class: "workers" },
          ...data.rows.map((worker) => h(Worker, { key: worker.workerId, worker, nowMs: data.nowMs })),
        ),
  );
}

function Worker({ worker, nowMs }: { readonly worker: WorkerRow; readonly nowMs: number }): VNode {
  const { host, pid, orchestrations, activities, tags, turns, activitySlots } = worker;
  const isSilent = nowMs - worker.lastSeenAtMs > SILENT_MS;
  return h(
    "article",
    { class: "worker" },
    h(
      "header",
      {},
      h("h2", {}, h("bdi", {}, visible(host)), h("span", { class: "quiet" }, ` process ${pid}`)),
      h(Badge, { state: isSilent ? "blocked" : "completed", word: isSilent ? "silent" : "at work" }),
    ),
    h(
      "p",
      { class: "quiet" },
      "seen ",
      h(Time, { ms: worker.lastSeenAtMs, ago: true }),
      ", since ",
      h(Time, { ms: worker.startedAtMs }),
      `, core ${worker.packageVersion}`,
    ),
    h(Slots, { label: "Turns", ...turns }),
    h(Slots, { label: "Activities", ...activitySlots }),
    h(
      "dl",
      { class: "facts" },
      h("dt", {}, "Orchestrations"),
      h(
        "dd",
        {},
        orchestrations.length === 0 ? h("span", { class: "quiet" }, "none") : null,
        ...orchestrations.map(({ name, version }) =>
          h(
            "span",
            { key: `${name} ${version}`, class: "tag" },
            h(Link, { to: href("instances", { name }) }, visible(name)),
            ` ${version}`,
          ),
        ),
      ),
      h("dt", {}, "Activities"),
      h(
        "dd",
        {},
        activities.length === 0 ? h("span", { class: "quiet" }, "none") : null,
        ...activities.map((name) => h("span", { key: name, class: "tag" }, visible(name))),
      ),
      tags === undefined ? null : h("dt", {}, "Tags"),
      tags === undefined
        ? null
        : h("dd", {}, ...tags.map((tag) => h("span", { key: tag, class: "tag" }, visible(tag)))),
    ),
  );
}

function Slots(props: { readonly label: string; readonly busy: number; readonly all: number }): VNode {
  const { label, busy, all } = props;
  return h(
    "div",
    { class: "slots is-running" },
    h("span", { class: "label" }, label),
    h("meter", {
      min: 0,
      max: Math.max(1, all),
      value: busy,
      "aria-label": `${label}: ${busy} of ${all} slots are busy`,
    }),
    h("span", { class: "figures" }, `${busy} of ${all}`),
  );
}
