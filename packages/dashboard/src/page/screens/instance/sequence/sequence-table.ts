/** The sequence as a table: the same messages as text. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { exactMoment, number, visible } from "../../../browser/format.ts";
import { h } from "../../../element.ts";
import { Badge, Button } from "../../../parts/parts.ts";
import type { TimelineView } from "../../../shapes/instance.ts";
import { messagesOf } from "./messages.ts";

/** Rows that are shown at first. */
const FIRST_ROWS = 300;

export function SequenceTable({ timeline }: { readonly timeline: TimelineView }): VNode {
  const messages = useMemo(() => messagesOf(timeline), [timeline]);
  const [most, setMost] = useState(FIRST_ROWS);
  const hidden = messages.length - most;
  return h(
    "div",
    { class: "sequence-table" },
    h(
      "table",
      { class: "cards" },
      h("caption", { class: "unseen" }, "Messages in the order of time"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["Time", "From", "To", "Message", "State"].map((name) =>
            h("th", { key: name, scope: "col" }, name),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        ...messages
          .slice(0, most)
          .map(({ atMs, from, to, label, state }, row) =>
            h(
              "tr",
              { key: row },
              h("td", { class: "time", "data-label": "Time" }, exactMoment(atMs)),
              h("td", { "data-label": "From" }, h("bdi", {}, visible(from.name))),
              h("td", { "data-label": "To" }, h("bdi", {}, visible(to.name))),
              h("td", { "data-label": "Message" }, h("bdi", {}, visible(label))),
              h("td", { "data-label": "State" }, state === undefined ? null : h(Badge, { state })),
            ),
          ),
      ),
    ),
    hidden <= 0
      ? null
      : h(
          "p",
          { class: "quiet more" },
          `${number(hidden)} more. `,
          h(Button, { onClick: () => setMost(most + 10 * FIRST_ROWS) }, "Show more"),
        ),
  );
}
