/** How the store stands: figures that lead to their lists, the last hour, and what needs attention. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { clockTime, duration, number, visible } from "../../browser/format.ts";
import { href } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { stateIcon } from "../../parts/icons.ts";
import { Empty, Link, Loading, Trouble } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import type { CountedFigures, OrchestrationFigures, Overview } from "../../shapes/overview.ts";
import { REFRESH_WITH_COST_MS } from "../../shapes/refresh.ts";
import { OverviewCount, withCounted } from "./counted.ts";
import { HourChart } from "./hour-chart.ts";
import { Tiles } from "./tiles.ts";

const REFRESH_MS = 5_000;
/** Each look costs requests there. */

export function OverviewScreen(): VNode {
  const session = useSession();
  const { data, error, readAtMs } = useResource<Overview>("overview", {
    everyMs: session.costs ? REFRESH_WITH_COST_MS : REFRESH_MS,
  });
  const [counted, setCounted] = useState<CountedFigures | undefined>(undefined);
  if (data === undefined) {
    return error === undefined ? h(Loading, { what: "the overview" }) : h(Trouble, { error, readAtMs });
  }
  const overview = withCounted(data, counted);
  return h(
    "div",
    { class: "screen overview" },
    h("h1", { class: "unseen" }, "Overview"),
    h(Trouble, { error, readAtMs }),
    h(Tiles, { overview }),
    overview.isPaged === true ? h(OverviewCount, { counted, onCounted: setCounted }) : null,
    h(AttentionList, { overview }),
    h(HourChart, { overview }),
    h(Kinds, { kinds: overview.kinds }),
    h(
      "p",
      { class: "quiet cost" },
      data.requestUnits === undefined ? "" : `at least ${data.requestUnits.toFixed(1)} RU, `,
      `${data.tookMs} ms, read at ${clockTime(data.asOfMs)}`,
      data.keptUntilMs === undefined ? "" : `, again from ${clockTime(data.keptUntilMs)} on`,
    ),
  );
}

function AttentionList({ overview }: { readonly overview: Overview }): VNode | null {
  if (overview.attention.length === 0) return null;
  return h(
    "ul",
    { class: "attention", "aria-label": "Needs attention" },
    ...overview.attention.map(({ state, text, path, query }) =>
      h(
        "li",
        { key: text, class: `is-${state}` },
        h(Link, { to: href(path, query) }, stateIcon(state), h("span", {}, visible(text))),
      ),
    ),
  );
}

function Kinds({ kinds }: { readonly kinds: readonly OrchestrationFigures[] }): VNode {
  if (kinds.length === 0) {
    return h(Empty, {
      title: "Nothing ran in the last hour",
      children: "Start an instance from a program, from the page Start, or from the command line:",
      command: "npx @duroxide-ts/cli start checkout --id order-1",
    });
  }
  return h(
    "div",
    { class: "table" },
    h(
      "table",
      { class: "cards" },
      h("caption", { class: "unseen" }, "Orchestrations"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Orchestration"),
          h("th", { scope: "col" }, "Version"),
          ...["Running", "Completed", "Failed", "Median", "P99"].map((name) =>
            h("th", { key: name, scope: "col", class: "number" }, name),
          ),
        ),
      ),
      h("tbody", {}, ...kinds.map((kind) => h(KindRow, { key: `${kind.name} ${kind.version}`, kind }))),
    ),
  );
}

function KindRow({ kind }: { readonly kind: OrchestrationFigures }): VNode {
  const { name, version, running, completed, failed, medianMs, p99Ms } = kind;
  const cell = (label: string, count: number, state: string): VNode =>
    h(
      "td",
      { class: "number", "data-label": label },
      count === 0
        ? h("span", { class: "quiet" }, "0")
        : h(
            Link,
            {
              to: href("instances", { state, name, version, ...(state !== "running" && { updated: "1h" }) }),
              ...(state === "failed" && { class: "strong is-failed" }),
            },
            number(count),
          ),
    );
  return h(
    "tr",
    {},
    h("td", { class: "wide" }, h(Link, { to: href("instances", { name }) }, visible(name))),
    h("td", { class: "quiet", "data-label": "Version" }, version),
    cell("Running", running, "running"),
    cell("Completed, last hour", completed, "completed"),
    cell("Failed, last hour", failed, "failed"),
    h("td", { class: "number", "data-label": "Median" }, medianMs === undefined ? "" : duration(medianMs)),
    h("td", { class: "number", "data-label": "P99" }, p99Ms === undefined ? "" : duration(p99Ms)),
  );
}
