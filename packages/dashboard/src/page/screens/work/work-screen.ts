/** Queue rows: what is due, what a worker holds, what comes later; and the rows that no process can read. */
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { apiPath } from "../../browser/api.ts";
import { go, withQuery } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Pages } from "../../parts/pages.ts";
import { Empty, Loading, Trouble } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import type { WorkPageView } from "../../shapes/work.ts";
import type { ScreenProps } from "../screen.ts";
import { DeadLetters } from "./dead-letters.ts";
import { QueueSizes } from "./queue-sizes.ts";
import { WorkTable } from "./work-table.ts";

const REFRESH_MS = 3_000;

const VIEWS = [
  ["", "All rows"],
  ["orchestrator", "Messages"],
  ["worker", "Activities"],
  ["overdue", "Overdue"],
  ["dead", "Dead letters"],
] as const;

export function WorkScreen({ query }: ScreenProps): VNode {
  const show = query.get("show") ?? (query.has("overdue") ? "overdue" : "");
  // A narrow window shows some of the tabs only.
  useEffect(() => {
    const current = document.querySelector("[role=tab][aria-selected=true]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [show]);
  return h(
    "div",
    { class: "screen" },
    h("div", { class: "heading" }, h("h1", {}, "Work")),
    h(
      "div",
      { class: "tabs-line" },
      h(
        "div",
        { class: "tabs", role: "tablist", "aria-label": "Rows" },
        ...VIEWS.map(([name, label]) =>
          h(
            "button",
            {
              key: name,
              type: "button",
              role: "tab",
              "aria-selected": name === show,
              onClick: () =>
                go(
                  withQuery({
                    show: name === "" ? undefined : name,
                    overdue: undefined,
                    continuation: undefined,
                  }),
                ),
            },
            label,
          ),
        ),
      ),
    ),
    show === "dead" ? h(DeadLetters, { query }) : h(Rows, { query, show }),
  );
}

function Rows({ query, show }: ScreenProps & { readonly show: string }): VNode {
  const session = useSession();
  const continuation = query.get("continuation") ?? undefined;
  const path = apiPath("work", {
    kind: show === "worker" || show === "orchestrator" ? show : undefined,
    overdue: show === "overdue" ? (query.get("overdue") ?? 5_000) : undefined,
    instance: query.get("instance") ?? undefined,
    tag: query.get("tag") ?? undefined,
    continuation,
  });
  const { data, error, readAtMs, isOld } = useResource<WorkPageView>(path, {
    everyMs: REFRESH_MS * (session.costs ? 5 : 1),
    keep: true,
  });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the queues" }) : h(Trouble, { error, readAtMs });
  const { rows } = data;
  return h(
    "div",
    { class: "screen", "aria-busy": isOld },
    h(Trouble, { error, readAtMs }),
    h(QueueSizes, { queues: data.queues }),
    rows.length === 0
      ? h(
          Empty,
          { title: emptyTitle(show, data) },
          data.continuation === undefined
            ? "Everything that was asked for is done."
            : "There are more pages.",
        )
      : h(WorkTable, { rows, nowMs: data.nowMs }),
    h(Pages, {
      isFirst: continuation === undefined,
      continuation: data.continuation,
      ...(data.requestUnits !== undefined && { cost: `${data.requestUnits.toFixed(1)} RU` }),
    }),
  );
}

/** A page may be empty although others follow. */
function emptyTitle(show: string, { continuation }: WorkPageView): string {
  if (continuation !== undefined) return "No rows on this page";
  return show === "overdue" ? "Nothing is overdue" : "The queues are empty";
}
