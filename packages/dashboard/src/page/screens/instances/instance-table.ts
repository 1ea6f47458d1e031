/** The rows of the list. */
import type { VNode } from "preact";
import { serverNow } from "../../browser/clock.ts";
import { distance, duration, visible } from "../../browser/format.ts";
import { href, instanceHref } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { Badge, CustomStatus, Link, Time } from "../../parts/parts.ts";
import { TagLinks } from "../../parts/tag-links.ts";
import { tookMs } from "../../parts/took.ts";
import type { InstanceRow, RowWaits } from "../../shapes/instances.ts";
import { waitText } from "./wait-text.ts";

export interface TableProps {
  readonly rows: readonly InstanceRow[];
  /** Waits of the rows that run, as far as they are known. */
  readonly waits: ReadonlyMap<string, RowWaits>;
  readonly selected: ReadonlySet<string>;
  /** The row that the keys have reached. */
  readonly cursor: number;
  readonly isExpanded: boolean;
  readonly maySelect: boolean;
  readonly onSelect: (id: string) => void;
  readonly onSelectAll: () => void;
}

export function InstanceTable(props: TableProps): VNode {
  const { rows, selected, maySelect } = props;
  const hasTags = rows.some(({ tags }) => tags !== undefined);
  const columns = [
    "State",
    "Id",
    "Orchestration",
    ...(hasTags ? ["Tags"] : []),
    "Started",
    "Took",
    "Waits for or error",
  ];
  const areAll = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  return h(
    "div",
    { class: "table" },
    h(
      "table",
      { class: `instances ${props.isExpanded ? "expanded" : ""}` },
      h("caption", { class: "unseen" }, "Instances"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          maySelect
            ? h(
                "th",
                { class: "check" },
                h("input", {
                  type: "checkbox",
                  checked: areAll,
                  "aria-label": "Select all of this page",
                  onChange: props.onSelectAll,
                }),
              )
            : null,
          ...columns.map((name) =>
            h("th", { key: name, scope: "col", class: name === "Took" ? "number" : undefined }, name),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        ...rows.map((row, index) =>
          h(Row, { ...props, row, hasTags, isCurrent: index === props.cursor, key: row.id }),
        ),
      ),
    ),
  );
}

interface RowProps extends TableProps {
  readonly row: InstanceRow;
  readonly isCurrent: boolean;
  readonly hasTags: boolean;
}

function Row(props: RowProps): VNode {
  const { row } = props;
  const known = row.state === "running" ? props.waits.get(row.id) : undefined;
  const note = known === undefined ? noteOf(row) : waitText(known, serverNow());
  const isSelected = props.selected.has(row.id);
  return h(
    "tr",
    { class: `${props.isCurrent ? "current" : ""} ${isSelected ? "selected" : ""}`, "data-id": row.id },
    props.maySelect
      ? h(
          "td",
          { class: "check" },
          h("input", {
            type: "checkbox",
            checked: isSelected,
            "aria-label": `Select ${row.id}`,
            onChange: () => props.onSelect(row.id),
          }),
        )
      : null,
    h("td", { class: "state" }, h(Badge, { state: known?.state ?? row.state })),
    h("td", { class: "id" }, h(Link, { to: instanceHref(row.id) }, h("bdi", {}, visible(row.id)))),
    h("td", { class: "kind" }, h(Kind, { row })),
    props.hasTags ? h("td", { class: "tags" }, h(TagLinks, { tags: row.tags ?? [] })) : null,
    h("td", { class: "time" }, h(Time, { ms: row.createdAtMs })),
    h("td", { class: "number took" }, duration(tookMs(row))),
    h(
      "td",
      { class: "note" },
      known?.status === undefined ? null : h(CustomStatus, { text: known.status }),
      note === "" ? "" : h("bdi", { title: note }, visible(note)),
    ),
  );
}

function noteOf({ note, startsAtMs }: InstanceRow): string {
  if (note !== undefined || startsAtMs === undefined) return note ?? "";
  return `starts ${distance(startsAtMs, serverNow())}`;
}

function Kind({ row }: { readonly row: InstanceRow }): VNode {
  return h(
    "span",
    {},
    h(Link, { to: href("instances", { name: row.name }) }, visible(row.name)),
    h("span", { class: "quiet" }, ` ${row.version}`),
    row.executionId > 1
      ? h("span", { class: "quiet", title: "Executions by continue-as-new" }, ` ×${row.executionId}`)
      : null,
  );
}
