/** The events of an execution as they are stored. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { apiPath } from "../../browser/api.ts";
import { dateOf, exactTime, number, visible } from "../../browser/format.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { icon } from "../../parts/icons.ts";
import { Button, Loading, Trouble } from "../../parts/parts.ts";
import { PayloadView } from "../../parts/payload-view.ts";
import type { HistoryPage, HistoryRow } from "../../shapes/instance.ts";

const PAGE = 200;

export function HistoryTab(props: {
  readonly instanceId: string;
  readonly executionId: number | undefined;
  readonly version: number;
}): VNode {
  const [from, setFrom] = useState(1);
  const { instanceId: id, executionId: execution, version: v } = props;
  const { data, error, readAtMs } = useResource<HistoryPage>(apiPath("history", { id, execution, from, v }), {
    keep: true,
  });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the history" }) : h(Trouble, { error, readAtMs });
  const last = Math.min(data.total, from + PAGE - 1);
  return h(
    "div",
    {},
    h(Trouble, { error, readAtMs }),
    h("ol", { class: "events" }, ...data.rows.flatMap((row, index) => withDay(row, data.rows[index - 1]))),
    data.total <= PAGE
      ? null
      : h(
          "div",
          { class: "pages" },
          h(Button, {
            icon: "previous",
            label: "Earlier events",
            disabled: from === 1,
            onClick: () => setFrom(Math.max(1, from - PAGE)),
          }),
          h(Button, {
            icon: "next",
            label: "Later events",
            disabled: last === data.total,
            onClick: () => setFrom(from + PAGE),
          }),
          h("span", { class: "quiet" }, `${number(from)} to ${number(last)} of ${number(data.total)}`),
        ),
  );
}

/** The event, with the day in front where it is another than that of the event before. */
function withDay(row: HistoryRow, before: HistoryRow | undefined): VNode[] {
  const day = dateOf(row.atMs);
  const event = h(EventRow, { key: row.id, row });
  if (before !== undefined && dateOf(before.atMs) === day) return [event];
  return [h("li", { key: `day ${row.id}`, class: "day" }, day), event];
}

/** The payloads of an event are built when it is opened. */
function EventRow({ row }: { readonly row: HistoryRow }): VNode {
  const [isOpen, setOpen] = useState(false);
  const hasFields = row.fields.text !== "{}";
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "event",
        "aria-expanded": hasFields ? isOpen : undefined,
        onClick: () => setOpen(!isOpen),
      },
      h("span", { class: "ordinal" }, String(row.id)),
      h("span", { class: "time" }, exactTime(row.atMs)),
      h(
        "span",
        { class: "type" },
        row.type,
        row.source === undefined ? null : h("span", { class: "quiet" }, ` of ${row.source}`),
      ),
      h("bdi", { class: "name" }, row.name === undefined ? "" : visible(row.name)),
      hasFields ? icon(isOpen ? "down" : "next", 14) : null,
    ),
    isOpen && hasFields ? h(PayloadView, { title: "Fields", payload: row.fields }) : null,
  );
}
