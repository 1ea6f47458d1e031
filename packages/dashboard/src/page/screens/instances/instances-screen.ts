/** The list of instances: filter, pages, selection, actions on many. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { apiPath, get } from "../../browser/api.ts";
import { number } from "../../browser/format.ts";
import { go, href, withQuery } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Pages } from "../../parts/pages.ts";
import { Button, Empty, Link, Loading, Trouble } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import { filterFrom, filterToQuery, type ListFilter } from "../../shapes/filter.ts";
import type { InstancesPage, MatchCount } from "../../shapes/instances.ts";
import { REFRESH_WITH_COST_MS } from "../../shapes/refresh.ts";
import type { ScreenProps } from "../screen.ts";
import { BulkBar } from "./bulk-bar.ts";
import { FilterBar } from "./filter-bar.ts";
import { InstanceTable } from "./instance-table.ts";
import { useSelection } from "./selection.ts";
import { useWaits } from "./use-waits.ts";

const REFRESH_MS = 5_000;

export function InstancesScreen({ query }: ScreenProps): VNode {
  const session = useSession();
  const address = query.toString();
  const filter = useMemo(() => filterFrom(new URLSearchParams(address)), [address]);
  const order = query.get("order") ?? "created-desc";
  const continuation = query.get("continuation") ?? undefined;
  const path = apiPath("instances", { ...filter, order, continuation });
  const list = useResource<InstancesPage>(path, {
    everyMs: session.costs ? REFRESH_WITH_COST_MS : REFRESH_MS,
    keep: true,
  });
  const rows = list.data?.rows ?? [];
  const showsWaits = !session.costs || query.get("waits") === "1";
  const waits = useWaits(rows, showsWaits);
  const maySelect = session.verbs.length > 0;
  const selection = useSelection(
    rows.map(({ id }) => id),
    maySelect,
  );
  return h(
    "div",
    { class: "screen", "aria-busy": list.isOld },
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Instances"),
      h(MatchCounter, { filter }),
      session.costs ? h(WaitsSwitch, { isOn: showsWaits }) : null,
    ),
    h(FilterBar, { filter, order }),
    h(Trouble, { error: list.error, readAtMs: list.readAtMs }),
    list.data === undefined
      ? list.error === undefined
        ? h(Loading, { what: "instances" })
        : null
      : rows.length === 0
        ? h(NoRows, { filter, isLast: list.data.continuation === undefined })
        : h(InstanceTable, { rows, waits, maySelect, ...selection }),
    h(BulkBar, { selected: selection.selected, filter, onClear: selection.clear, onDone: list.reload }),
    list.data === undefined
      ? null
      : h(Pages, {
          isFirst: continuation === undefined,
          continuation: list.data.continuation,
          cost: costOf(list.data),
        }),
  );
}

/** Counting reads all that match, so it is done on request. */
function MatchCounter({ filter }: { readonly filter: ListFilter }): VNode {
  const path = apiPath("count", { ...filter });
  const [found, setFound] = useState<{ readonly path: string; readonly text: string } | undefined>(undefined);
  const count = (): void => {
    get<MatchCount>(path).then(
      (matches) => setFound({ path, text: `${number(matches.count)} match` }),
      (error: unknown) => setFound({ path, text: error instanceof Error ? error.message : "" }),
    );
  };
  if (found?.path === path) return h("span", { class: "quiet", role: "status" }, found.text);
  return h(Button, { kind: "quiet", onClick: count }, "Count");
}

/** Each row costs a read of its history. */
function WaitsSwitch({ isOn }: { readonly isOn: boolean }): VNode {
  const toggle = (): void => go(withQuery({ waits: isOn ? undefined : "1" }), { replace: true });
  return h(Button, { kind: "quiet", pressed: isOn, onClick: toggle }, "Show waits");
}

function NoRows({ filter, isLast }: { readonly filter: ListFilter; readonly isLast: boolean }): VNode {
  if (!isLast) return h(Empty, { title: "None on this page" }, "The search goes on with the next page.");
  if (filterToQuery(filter).size === 0) {
    return h(Empty, {
      title: "No instances yet",
      children: "Start one from a program, from the page Start, or from the command line:",
      command: "npx @duroxide-ts/cli start checkout --id order-1",
    });
  }
  return h(Empty, { title: "Nothing matches" }, h(Link, { to: href("instances") }, "Show all instances"));
}

function costOf({ requestUnits, tookMs }: InstancesPage): string {
  return requestUnits === undefined ? `${tookMs} ms` : `${requestUnits.toFixed(1)} RU, ${tookMs} ms`;
}
